/// The journal's entries for one persistent model, from its first change to the next save.
@usableFromInline
final class ObjectChanges {
  // Unchecked, because each access is over before other code runs.
  @exclusivity(unchecked) private var position: Int32 = 0
  /// The changed properties, in the format of `_ModelState.dirty`.
  @exclusivity(unchecked) private(set) var dirty: UInt64 = 0
  // The first two entries are stored inline and in parts: usually there are no others, and copying an entry takes as long
  // as all other work of a change of members.
  @exclusivity(unchecked) private var first = Part()
  @exclusivity(unchecked) private var second = Part()
  @exclusivity(unchecked) private var others: [JournalEntry] = []
  /// For properties that other contexts changed after this one did: the committed value before both changes, by the
  /// property's position.
  @exclusivity(unchecked) private(set) var originals: [Int: OriginalValue] = [:]

  /// The position in the journal's list of changed models.
  var listPosition: Int {
    get { Int(position) }
    // More changed models do not fit into memory.
    set { position = Int32(clamping: newValue) }
  }

  /// An entry, or an empty slot for one.
  private struct Part {
    /// The property; negative while there is none.
    var index: Int32 = -1
    /// The property's storage before the change, if it is an attribute or a to-one.
    var old: Any?
    /// The member changes, if the property is a to-many.
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

    /// The target before the change, if the property is a to-one: no attribute's storage has that type.
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

  /// Adds an entry for an attribute, unless there is one.
  ///
  /// - Parameter old: The attribute's storage before the change.
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

  /// The entry for a property, if it was changed.
  func entry(_ index: Int) -> JournalEntry? {
    if first.index == index { return first.entry }
    return second.index == index ? second.entry : others.first { $0.index == index }
  }

  /// The target of a to-one before its change, if it was changed.
  func previousTarget(_ index: Int) -> _ToOneContent? {
    if first.index == index { return first.previousTarget }
    if second.index == index { return second.previousTarget }
    if case .target(_, let old)? = others.first(where: { $0.index == index }) { return old }
    return nil
  }

  /// The difference between a to-many's members and those of the store, if they were changed.
  @inline(__always)
  func members(_ index: Int) -> MemberChanges? {
    if first.index == index { return first.members }
    return second.index == index ? second.members : otherMembers(index)
  }

  private func otherMembers(_ index: Int) -> MemberChanges? {
    // Compared in place, because each link calls this.
    for other in others.indices {
      if case .members(let position, let changes) = others[other], position == index { return changes }
    }
    return nil
  }

  /// Records that another context has changed a property that has an unsaved change here, unless that is recorded.
  ///
  /// - Parameter original: The committed value before both changes.
  func recordConflict(_ index: Int, _ original: OriginalValue) {
    if originals[index] == nil { originals[index] = original }
  }

  /// Updates the conflict of a property whose row was read again: records one if the store's value differs from the
  /// journal's, and removes it if the store has the original value again.
  ///
  /// - Parameters:
  ///   - previous: The journal's committed value.
  ///   - stored: The store's committed value. It is a conflict even if this context has set the same value, because the
  ///     program may have derived that value from the previous one.
  /// - Returns: Whether the store's value differs from the journal's; false also if the previous value was never read.
  func updateConflict(of property: _ModelProperty, _ previous: JournalEntry, _ stored: JournalEntry) -> Bool {
    func recordOriginal(_ original: OriginalValue?) {
      if let original { recordConflict(property.index, original) } else { resolveConflict(property.index) }
    }
    switch (previous, stored) {
    case (.attribute(_, let old), .attribute(_, let new)):
      // The previous value was never read, so there is nothing to compare with.
      guard property.isRead(old), !property.isEqual(old, new) else { return false }
      var original = old
      if case .attribute(let first)? = originals[property.index] { original = first }
      recordOriginal(property.isEqual(new, original) ? nil : .attribute(original))
    case (.target(_, let old), .target(_, let new)):
      guard old.isRead, old.rowKey != new.rowKey else { return false }
      var original = old.rowKey
      if case .target(let first)? = originals[property.index] { original = first }
      recordOriginal(new.rowKey == original ? nil : .target(original))
    default: return false
    }
    return true
  }

  /// Removes the conflict of a property: its value is final, whatever other contexts have saved.
  func resolveConflict(_ index: Int) {
    if !originals.isEmpty { originals.removeValue(forKey: index) }
  }

  /// Removes the entry for a property whose value equals the committed value.
  ///
  /// - Returns: Whether there are other entries.
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

  /// Replaces the entry for the same property, because the store has another committed value now.
  func replace(_ entry: JournalEntry) {
    if first.index == entry.index {
      first = Part(entry)
    } else if second.index == entry.index {
      second = Part(entry)
    } else if let position = others.firstIndex(where: { $0.index == entry.index }) {
      others[position] = entry
    }
  }
}
