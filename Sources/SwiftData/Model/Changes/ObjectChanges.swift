/// The entries of the journal about one saved model, from its first change until the next save.
@usableFromInline
final class ObjectChanges {
  // Unchecked, because each access is over before other code runs.
  @exclusivity(unchecked) private var place: Int32 = 0
  /// The changed properties as `_ModelState.dirty` has them.
  @exclusivity(unchecked) private(set) var dirty: UInt64 = 0
  // The first entries are kept in parts, because to copy one takes as long as all else that a change of members does, and
  // in place: mostly they are all.
  @exclusivity(unchecked) private var first = Part()
  @exclusivity(unchecked) private var second = Part()
  @exclusivity(unchecked) private var others: [JournalEntry] = []
  /// What properties had when they were changed that others have changed since, by the property's position.
  @exclusivity(unchecked) private(set) var bases: [Int: JournalBase] = [:]

  /// The place in the journal's list of changed models.
  var listPosition: Int {
    get { Int(place) }
    // No machine has the memory for more.
    set { place = Int32(clamping: newValue) }
  }

  /// An entry, or room for one.
  private struct Part {
    /// The property; negative while there is none.
    var index: Int32 = -1
    /// What the property had, if it is an attribute or a to-one.
    var old: Any?
    /// What became of the property's members, if it is a to-many.
    var members: MemberChanges?

    init() {}

    init(_ index: Int, old: Any) {
      self.index = Int32(truncatingIfNeeded: index)
      self.old = old
    }

    init(_ entry: JournalEntry) {
      index = Int32(truncatingIfNeeded: entry.index)
      switch entry {
      case .attribute(_, let old): self.old = old
      case .target(_, let old): self.old = old
      case .members(_, let changes): members = changes
      }
    }

    /// Where the property led before, if it is a to-one: no attribute's storage is of that type.
    var previousTarget: _ToOneContent? {
      guard let old, type(of: old) == _ToOneContent.self else { return nil }
      return old as? _ToOneContent
    }

    var entry: JournalEntry? {
      if let members { return .members(index, members) }
      guard let old else { return nil }
      if let target = previousTarget { return .target(index, old: target) }
      return .attribute(index, old: old)
    }
  }

  /// In the order of the first changes.
  var entries: [JournalEntry] {
    [first.entry, second.entry].compactMap(\.self) + others
  }

  /// Adds an entry, unless there is one of the same property.
  func record(_ entry: JournalEntry) {
    record(entry.index, part: { Part(entry) }, entry: { entry })
  }

  /// The same for an attribute.
  ///
  /// - Parameter old: The storage that it had.
  func recordAttribute(_ index: Int, old: Any) {
    record(index, part: { Part(index, old: old) }, entry: { .attribute(Int32(truncatingIfNeeded: index), old: old) })
  }

  @inline(__always)
  private func record(_ index: Int, part: () -> Part, entry: () -> JournalEntry) {
    dirty |= _ModelState.bit(index)
    if first.index < 0 {
      first = part()
    } else if first.index == index {
      return
    } else if second.index < 0 {
      second = part()
    } else if second.index != index, !others.contains(where: { $0.index == index }) {
      others.append(entry())
    }
  }

  /// The entry about a property, if it was changed.
  func entry(_ index: Int) -> JournalEntry? {
    if first.index == index { return first.entry }
    return second.index == index ? second.entry : others.first { $0.index == index }
  }

  /// Where a to-one led before, if it was changed.
  func previousTarget(_ index: Int) -> _ToOneContent? {
    if first.index == index { return first.previousTarget }
    if second.index == index { return second.previousTarget }
    if case .target(_, let old)? = others.first(where: { $0.index == index }) { return old }
    return nil
  }

  /// How the members of a to-many differ from those that the store has, if they were changed.
  @inline(__always)
  func members(_ index: Int) -> MemberChanges? {
    if first.index == index { return first.members }
    return second.index == index ? second.members : otherMembers(index)
  }

  private func otherMembers(_ index: Int) -> MemberChanges? {
    // Looked at in place: asked for each link.
    for other in others.indices {
      if case .members(let place, let changes) = others[other], place == index { return changes }
    }
    return nil
  }

  /// Notes that others have changed a property since it was changed here, unless that is known already.
  ///
  /// - Parameter base: What it had before both.
  func recordConflict(_ index: Int, _ base: JournalBase) {
    if bases[index] == nil { bases[index] = base }
  }

  /// Notes that another context has changed a property with an unsaved change, if that is so.
  ///
  /// - Parameters:
  ///   - former: What the journal had.
  ///   - stored: What it has now. A conflict is found also where this context has set the same value, because the program
  ///     may have derived that from the former one.
  /// - Returns: Whether the store has something else than it had.
  func recordConflict(of property: _ModelProperty, _ previous: JournalEntry, _ stored: JournalEntry) -> Bool {
    func recordBase(_ base: JournalBase?) {
      if let base { recordConflict(property.index, base) } else { resolveConflict(property.index) }
    }
    switch (previous, stored) {
    case (.attribute(_, let old), .attribute(_, let new)):
      // A property that was not read before has no conflict.
      guard property.isRead(old), !property.isEqual(old, new) else { return false }
      var base = old
      if case .attribute(let first)? = bases[property.index] { base = first }
      recordBase(property.isEqual(new, base) ? nil : .attribute(base))
    case (.target(_, let old), .target(_, let new)):
      guard old.isRead, old.rowKey != new.rowKey else { return false }
      var base = old.rowKey
      if case .target(let first)? = bases[property.index] { base = first }
      recordBase(new.rowKey == base ? nil : .target(base))
    default: return false
    }
    return true
  }

  /// Notes that a property has what it is to have, whatever others have made of it.
  func resolveConflict(_ index: Int) {
    if !bases.isEmpty { bases.removeValue(forKey: index) }
  }

  /// Takes out the entry about a property, which has what the store has.
  ///
  /// - Returns: Whether there are others.
  func remove(_ index: Int) -> Bool {
    resolveConflict(index)
    if first.index == index {
      first = second
      second = Part()
    } else if second.index == index {
      second = Part()
    } else {
      others.removeAll { $0.index == index }
    }
    if first.index >= 0, second.index < 0, !others.isEmpty { second = Part(others.removeFirst()) }
    dirty = entries.reduce(0) { $0 | _ModelState.bit($1.index) }
    return first.index >= 0
  }

  /// Puts another entry in the place of the one of the same property: the store has something else by now.
  func replace(_ entry: JournalEntry) {
    if first.index == entry.index {
      first = Part(entry)
    } else if second.index == entry.index {
      second = Part(entry)
    } else if let place = others.firstIndex(where: { $0.index == entry.index }) {
      others[place] = entry
    }
  }
}
