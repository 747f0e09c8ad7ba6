/// The entries of the journal about one saved model, from its first change until the next save.
final class ObjectChanges {
  // Unchecked, because each access is over before other code runs.
  /// The place in the journal's list of changed models.
  @exclusivity(unchecked) var listPlace = 0
  /// The changed properties as `_ModelState.dirty` has them.
  @exclusivity(unchecked) private(set) var dirty: UInt64 = 0
  /// What was changed first, and mostly is all.
  @exclusivity(unchecked) private var first: JournalEntry?
  @exclusivity(unchecked) private var others: [JournalEntry] = []

  /// In the order of the first changes.
  var entries: [JournalEntry] {
    first.map { [$0] + others } ?? []
  }

  /// Adds an entry, unless there is one of the same property.
  func note(_ entry: JournalEntry) {
    dirty |= _ModelState.bit(entry.index)
    guard let first else {
      first = entry
      return
    }
    if first.index == entry.index || others.contains(where: { $0.index == entry.index }) { return }
    others.append(entry)
  }

  /// The entry about a property, if it was changed.
  func entry(_ index: Int) -> JournalEntry? {
    if let first, first.index == index { return first }
    return others.first { $0.index == index }
  }

  /// Where a to-one led before, if it was changed.
  func formerTarget(_ index: Int) -> _ToOneContent? {
    if case .target(_, let old)? = entry(index) { old } else { nil }
  }

  /// How the members of a to-many differ from those that the store has, if they were changed.
  func members(_ index: Int) -> MemberChanges? {
    // Looked at in place: asked for each link, and an entry is costly to copy.
    if case .members(let place, let changes)? = first, place == index { return changes }
    for other in others.indices {
      if case .members(let place, let changes) = others[other], place == index { return changes }
    }
    return nil
  }

  /// Puts another entry in the place of the one of the same property: the store has something else by now.
  func replace(_ entry: JournalEntry) {
    if first?.index == entry.index {
      first = entry
    } else if let place = others.firstIndex(where: { $0.index == entry.index }) {
      others[place] = entry
    }
  }
}
