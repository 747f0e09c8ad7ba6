#if !canImport(Darwin) && !FoundationUndoManager
  /// The actions that are undone or redone together, in the order of their registration.
  ///
  /// Nested groups are marked in the same list, not lists of their own, so only memory limits their depth.
  struct UndoGroup {
    var entries: ContiguousArray<UndoEntry> = []
    var labels = UndoLabels()
    /// The number of actions that are not discardable.
    var needed = 0
    /// The state after the group was performed: see `UndoManager.stateIdentifier`. Zero before that.
    var state: UInt64 = 0

    var isDiscardable: Bool { needed == 0 }

    mutating func setLastActionIsDiscardable(_ discardable: Bool) {
      needed += entries.setLastActionIsDiscardable(discardable)
    }

    /// The group without the actions of a target and of released targets; `nil` if no other actions are left.
    func removing(_ target: AnyObject) -> UndoGroup? {
      guard let (kept, levels) = entries.removing(target) else { return self }
      guard kept.contains(where: { $0.action != nil }) else { return nil }
      return UndoGroup(entries: kept, labels: labels, needed: levels.reduce(0) { $0 + $1.needed }, state: state)
    }
  }

  enum UndoEntry {
    case action(UndoAction)
    case discardable(UndoAction)
    case begin
    case end(NestedUndoGroup)

    var action: UndoAction? {
      switch self {
      case .action(let action), .discardable(let action): action
      case .begin, .end: nil
      }
    }
  }

  /// An ended group within another. It has at least one action.
  final class NestedUndoGroup {
    /// The number of entries between the marks.
    let count: Int
    let labels: UndoLabels
    var needed: Int

    init(count: Int, labels: UndoLabels, needed: Int) {
      self.count = count
      self.labels = labels
      self.needed = needed
    }
  }

  extension ContiguousArray<UndoEntry> {
    /// Marks the last action, unless a group has begun after it.
    ///
    /// - Returns: The change in the number of actions that are not discardable.
    mutating func setLastActionIsDiscardable(_ discardable: Bool) -> Int {
      guard let index = lastIndex(where: { if case .end = $0 { false } else { true } }) else { return 0 }
      let difference: Int
      switch self[index] {
      case .action(let action) where discardable:
        self[index] = .discardable(action)
        difference = -1
      case .discardable(let action) where !discardable:
        self[index] = .action(action)
        difference = 1
      case .action, .discardable, .begin, .end:
        return 0
      }
      for entry in self[(index + 1)...] {
        if case .end(let nested) = entry { nested.needed += difference }
      }
      return difference
    }

    /// The entries without the actions of a target and of released targets, and without nested groups that become empty.
    ///
    /// - Returns: Also the start of each open group and its number of actions that are not discardable, the outermost first.
    ///   `nil` if there is nothing to remove.
    func removing(_ target: AnyObject) -> (ContiguousArray, [(start: Int, needed: Int)])? {
      guard contains(where: { $0.action?.isUseful(without: target) == false }) else { return nil }
      var kept: ContiguousArray = []
      var levels = [(start: 0, needed: 0)]
      for entry in self {
        switch entry {
        case .action(let action), .discardable(let action):
          guard action.isUseful(without: target) else { continue }
          kept.append(entry)
          if case .action = entry { levels[levels.count - 1].needed += 1 }
        case .begin:
          kept.append(entry)
          levels.append((start: kept.count, needed: 0))
        case .end(let nested):
          let (start, needed) = levels.removeLast()
          guard kept.count > start else {
            kept.removeLast()
            continue
          }
          kept.append(.end(NestedUndoGroup(count: kept.count - start, labels: nested.labels, needed: needed)))
          levels[levels.count - 1].needed += needed
        }
      }
      return (kept, levels)
    }
  }
#endif
