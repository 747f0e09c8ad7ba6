#if !canImport(Darwin) && !FoundationUndoManager
  /// The actions that are undone or redone together, in the order of their registration.
  ///
  /// Nested groups are marked in the one list, not lists of their own, so their depth is limited by memory only.
  struct UndoGroup {
    var entries: ContiguousArray<UndoEntry> = []
    var labels = UndoLabels()
    /// The number of actions that are not discardable.
    var needed = 0
    /// The state that the group leads to: see `UndoManager.stateIdentifier`. Zero before the group is done.
    var state: UInt64 = 0

    var isDiscardable: Bool { needed == 0 }

    mutating func setLastActionIsDiscardable(_ discardable: Bool) {
      needed += entries.setLastActionIsDiscardable(discardable)
    }

    /// The group without the actions of a target, and of those that are gone; `nil` if there is no other.
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

  /// A group that has ended within another. It has at least one action.
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
    /// Marks the last action, unless it stands before a group that has begun since.
    ///
    /// - Returns: How many more actions are needed.
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

    /// The entries without the actions of a target, and of those that are gone, and without the nested groups that are
    /// empty then.
    ///
    /// - Returns: Also where the groups that have not ended begin, and how many needed actions each has, the outermost
    ///   first. `nil` if there is nothing to remove.
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
