// Conflicts are noted while rows are read, and settled by a save or by the program.
extension ObjectGraph {
  /// Notes that others have changed a property that is changed here, if they have.
  ///
  /// - Parameters:
  ///   - former: What the journal had.
  ///   - stored: What it has now. Also when that is what the property has here, somebody may have counted on the former
  ///     value.
  /// - Returns: Whether the store has something else than it had.
  func noteConflict(
    _ former: JournalEntry, _ stored: JournalEntry, _ property: _ModelProperty, _ changes: ObjectChanges
  ) -> Bool {
    func noteBase(_ base: JournalBase?) {
      if let base { changes.noteConflict(property.index, base) } else { changes.settleConflict(property.index) }
    }
    switch (former, stored) {
    case (.attribute(_, let old), .attribute(_, let new)):
      // Who has not read it before has overlooked nothing.
      guard property.isRead(old), !property.isEqual(old, new) else { return false }
      var base = old
      if case .attribute(let first)? = changes.bases[property.index] { base = first }
      noteBase(property.isEqual(new, base) ? nil : .attribute(base))
    case (.target(_, let old), .target(_, let new)):
      guard old.isRead, old.rowKey != new.rowKey else { return false }
      var base = old.rowKey
      if case .target(let first)? = changes.bases[property.index] { base = first }
      noteBase(new.rowKey == base ? nil : .target(base))
    default: return false
    }
    return true
  }

  /// Finds to-ones of some models that are changed here and whose targets' rows tell where they lead: when others have
  /// led another row here, no row of the model says so.
  func noteHolders(of models: [any PersistentModel]) throws {
    for model in models {
      let (key, binding, changes) = model._$withState { ($0.key, $0.binding, $0.changes) }
      guard let binding, let changes else { continue }
      for rule in binding.relationshipRules where rule.isKeptByTarget {
        let index = rule.property.index
        guard let former = changes.formerTarget(index), former.isRead else { continue }
        var holder: Int64 = 0
        try binding.session.members(of: rule.property.name, in: binding.entity, owners: [key]) { holder = $1.key }
        let stored = JournalEntry.target(Int32(index), old: _ToOneContent(target: nil, key: holder))
        let isConflict = noteConflict(.target(Int32(index), old: former), stored, rule.property, changes)
        let isGone = former.target.map { !hasRow($0) } ?? false
        if isConflict || isGone { changes.replace(stored) }
      }
    }
  }
}
