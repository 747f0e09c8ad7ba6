/// The entries of the journal about one saved model, from its first change until the next save.
final class ObjectChanges {
  // Unchecked, because each access is over before other code runs.
  @exclusivity(unchecked) private var place: Int32 = 0
  /// The property that was changed first, and mostly is all; negative while there is none.
  @exclusivity(unchecked) private var firstIndex: Int32 = -1
  /// The changed properties as `_ModelState.dirty` has them.
  @exclusivity(unchecked) private(set) var dirty: UInt64 = 0
  // The first entry is kept in parts, because to copy one takes as long as all else that a change of members does.
  /// What the first property had, if it is an attribute or a to-one.
  @exclusivity(unchecked) private var firstOld: Any?
  /// What became of the first property's members, if it is a to-many.
  @exclusivity(unchecked) private var firstMembers: MemberChanges?
  @exclusivity(unchecked) private var others: [JournalEntry] = []
  /// What properties had when they were changed that others have changed since, by the property's position.
  @exclusivity(unchecked) private(set) var bases: [Int: JournalBase] = [:]

  /// The place in the journal's list of changed models.
  var listPlace: Int {
    get { Int(place) }
    // No machine has the memory for more.
    set { place = Int32(clamping: newValue) }
  }

  private var first: JournalEntry? {
    if let firstMembers { return .members(firstIndex, firstMembers) }
    guard let firstOld else { return nil }
    if let target = formerTarget { return .target(firstIndex, old: target) }
    return .attribute(firstIndex, old: firstOld)
  }

  private func setFirst(_ entry: JournalEntry) {
    switch entry {
    case .attribute(_, let old):
      firstOld = old
      firstMembers = nil
    case .target(_, let old):
      firstOld = old
      firstMembers = nil
    case .members(_, let changes):
      firstOld = nil
      firstMembers = changes
    }
  }

  /// Where the first property led before, if it is a to-one: no attribute's storage is of that type.
  private var formerTarget: _ToOneContent? {
    guard let firstOld, type(of: firstOld) == _ToOneContent.self else { return nil }
    return firstOld as? _ToOneContent
  }

  /// In the order of the first changes.
  var entries: [JournalEntry] {
    first.map { [$0] + others } ?? []
  }

  /// Adds an entry, unless there is one of the same property.
  func note(_ entry: JournalEntry) {
    let index = entry.index
    dirty |= _ModelState.bit(index)
    if firstIndex < 0 {
      firstIndex = Int32(truncatingIfNeeded: index)
      setFirst(entry)
    } else if firstIndex != index, !others.contains(where: { $0.index == index }) {
      others.append(entry)
    }
  }

  /// The entry about a property, if it was changed.
  func entry(_ index: Int) -> JournalEntry? {
    firstIndex == index ? first : others.first { $0.index == index }
  }

  /// Where a to-one led before, if it was changed.
  func formerTarget(_ index: Int) -> _ToOneContent? {
    if firstIndex == index { return formerTarget }
    if case .target(_, let old)? = others.first(where: { $0.index == index }) { return old }
    return nil
  }

  /// How the members of a to-many differ from those that the store has, if they were changed.
  @inline(__always)
  func members(_ index: Int) -> MemberChanges? {
    firstIndex == index ? firstMembers : otherMembers(index)
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
  func noteConflict(_ index: Int, _ base: JournalBase) {
    if bases[index] == nil { bases[index] = base }
  }

  /// Notes that a property has what it is to have, whatever others have made of it.
  func settleConflict(_ index: Int) {
    if !bases.isEmpty { bases.removeValue(forKey: index) }
  }

  /// Takes out the entry about a property, which has what the store has.
  ///
  /// - Returns: Whether there are others.
  func remove(_ index: Int) -> Bool {
    settleConflict(index)
    if firstIndex == index {
      if let next = others.first {
        firstIndex = Int32(truncatingIfNeeded: next.index)
        setFirst(next)
        others.removeFirst()
      } else {
        firstIndex = -1
        firstOld = nil
        firstMembers = nil
      }
    } else {
      others.removeAll { $0.index == index }
    }
    dirty = entries.reduce(0) { $0 | _ModelState.bit($1.index) }
    return firstIndex >= 0
  }

  /// Puts another entry in the place of the one of the same property: the store has something else by now.
  func replace(_ entry: JournalEntry) {
    if firstIndex == entry.index {
      setFirst(entry)
    } else if let place = others.firstIndex(where: { $0.index == entry.index }) {
      others[place] = entry
    }
  }
}
