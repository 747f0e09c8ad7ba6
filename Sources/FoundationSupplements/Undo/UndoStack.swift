#if !canImport(Darwin) && !FoundationUndoManager
  /// The groups to undo, or to redo, the next one last.
  struct UndoStack {
    private var groups: ContiguousArray<UndoGroup> = []
    /// The number of groups at the front that are forgotten: empty ones keep their places until they are many.
    private var forgotten = 0

    var count: Int { groups.count - forgotten }

    var last: UndoGroup? { count > 0 ? groups.last : nil }

    mutating func push(_ group: UndoGroup) {
      groups.append(group)
    }

    mutating func pop() -> UndoGroup? {
      count > 0 ? groups.popLast() : nil
    }

    /// Forgets the oldest groups above a number.
    ///
    /// - Returns: The forgotten groups, to be released later.
    mutating func trim(to limit: Int) -> ContiguousArray<UndoGroup> {
      let surplus = count - limit
      guard surplus > 0 else { return [] }
      var trimmed: ContiguousArray<UndoGroup> = []
      for index in forgotten..<(forgotten + surplus) {
        trimmed.append(groups[index])
        groups[index] = UndoGroup()
      }
      forgotten += surplus
      if forgotten > groups.count / 2 {
        groups.removeFirst(forgotten)
        forgotten = 0
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
      result.groups = ContiguousArray(groups.dropFirst(forgotten).compactMap { $0.removing(target) })
      return result
    }
  }
#endif
