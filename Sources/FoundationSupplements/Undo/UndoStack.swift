#if !canImport(Darwin) && !FoundationUndoManager
  /// The groups to undo, or to redo; the next one is the last.
  struct UndoStack {
    private var groups: ContiguousArray<UndoGroup> = []
    /// The number of removed groups at the front: their entries stay, empty, until there are many.
    private var removed = 0

    var count: Int { groups.count - removed }

    var last: UndoGroup? { count > 0 ? groups.last : nil }

    mutating func push(_ group: UndoGroup) {
      groups.append(group)
    }

    mutating func pop() -> UndoGroup? {
      count > 0 ? groups.popLast() : nil
    }

    /// Removes the oldest groups above a limit.
    ///
    /// - Returns: The removed groups, to be released later.
    mutating func trim(to limit: Int) -> ContiguousArray<UndoGroup> {
      let surplus = count - limit
      guard surplus > 0 else { return [] }
      var trimmed: ContiguousArray<UndoGroup> = []
      for index in removed..<(removed + surplus) {
        trimmed.append(groups[index])
        groups[index] = UndoGroup()
      }
      removed += surplus
      if removed > groups.count / 2 {
        groups.removeFirst(removed)
        removed = 0
      }
      return trimmed
    }

    mutating func setLastActionIsDiscardable(_ discardable: Bool) {
      if count > 0 { groups[groups.count - 1].setLastActionIsDiscardable(discardable) }
    }

    mutating func setLabels(_ set: (inout UndoLabels) -> Void) {
      if count > 0 { set(&groups[groups.count - 1].labels) }
    }

    func removing(_ target: AnyObject) -> UndoStack {
      var result = UndoStack()
      result.groups = ContiguousArray(groups.dropFirst(removed).compactMap { $0.removing(target) })
      return result
    }
  }
#endif
