#if !canImport(Darwin) && !FoundationUndoManager
  /// The open groups, from the outermost to the innermost, and their entries.
  struct OpenUndoGroups {
    struct Level {
      /// The index of the group's first entry.
      var start = 0
      /// The number of actions that are not discardable, without the actions of open nested groups.
      var needed = 0
      var ownLabels = UndoLabels()
      /// The labels that the group inherits from ended nested groups.
      var nestedLabels = UndoLabels()

      var labels: UndoLabels { ownLabels.completed(by: nestedLabels) }
    }

    private var entries: ContiguousArray<UndoEntry> = []
    private var levels: [Level] = []
    private var isForEvent = false

    var depth: Int { levels.count }

    var innermost: Level? { levels.last }

    /// Whether the event group is the only open group.
    var isOnlyEvent: Bool { isForEvent && levels.count == 1 }

    // All entries except the marks of nested levels; an ended nested group has an action.
    var hasActions: Bool { entries.count >= max(1, levels.count) }

    var isDiscardable: Bool { levels.allSatisfy { $0.needed == 0 } }

    var innermostIsDiscardable: Bool {
      guard let level = levels.last else { return false }
      return level.needed == 0 && entries.count > level.start
    }

    var labels: UndoLabels {
      levels.reduce(UndoLabels()) { $0.completed(by: $1.labels) }
    }

    /// - Parameter labels: The initial labels of the group.
    mutating func begin(forEvent: Bool = false, labels: UndoLabels = UndoLabels()) {
      if levels.isEmpty { isForEvent = forEvent } else { entries.append(.begin) }
      levels.append(Level(start: entries.count, nestedLabels: labels))
    }

    /// Adds an action to the innermost group, which must exist.
    mutating func append(_ action: UndoAction) {
      entries.append(.action(action))
      levels[levels.count - 1].needed += 1
    }

    /// Ends the innermost group.
    ///
    /// - Returns: The group if it was the outermost and is not empty, and the objects to release later.
    mutating func end() -> (group: UndoGroup?, replaced: (Level?, Level?)) {
      guard let level = levels.popLast() else { return (nil, (nil, nil)) }
      guard let outer = levels.last else {
        let group = UndoGroup(entries: entries, labels: level.labels, needed: level.needed)
        self = OpenUndoGroups()
        return (group.entries.isEmpty ? nil : group, (level, nil))
      }
      if entries.count == level.start {
        entries.removeLast()
      } else {
        let nested = NestedUndoGroup(count: entries.count - level.start, labels: level.labels, needed: level.needed)
        entries.append(.end(nested))
        levels[levels.count - 1].needed += level.needed
        levels[levels.count - 1].nestedLabels = nested.labels.completed(by: outer.nestedLabels)
      }
      return (nil, (level, outer))
    }

    /// Whether the last entry of the innermost group is an ended group.
    var endsWithNestedGroup: Bool {
      if case .end = entries.last { true } else { false }
    }

    /// Removes the group that has ended last, if nothing was added after it.
    mutating func takeNestedGroup() -> UndoGroup? {
      guard case .end(let nested) = entries.last else { return nil }
      let first = entries.count - 1 - nested.count
      let taken = ContiguousArray(entries[first..<(entries.count - 1)])
      entries.removeSubrange((first - 1)...)
      levels[levels.count - 1].needed -= nested.needed
      return UndoGroup(entries: taken, labels: nested.labels, needed: nested.needed)
    }

    mutating func setLastActionIsDiscardable(_ discardable: Bool) {
      guard !levels.isEmpty else { return }
      levels[levels.count - 1].needed += entries.setLastActionIsDiscardable(discardable)
    }

    mutating func setLabels(_ set: (inout UndoLabels) -> Void) {
      guard !levels.isEmpty else { return }
      set(&levels[levels.count - 1].ownLabels)
      // A label that is set to nil is not inherited from nested groups either.
      set(&levels[levels.count - 1].nestedLabels)
    }

    func removing(_ target: AnyObject) -> OpenUndoGroups {
      guard let (kept, marks) = entries.removing(target) else { return self }
      var result = self
      result.entries = kept
      for (index, mark) in zip(levels.indices, marks) {
        result.levels[index].start = mark.start
        result.levels[index].needed = mark.needed
      }
      return result
    }
  }
#endif
