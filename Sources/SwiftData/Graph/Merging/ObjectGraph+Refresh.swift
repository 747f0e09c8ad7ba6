extension ObjectGraph {
  /// Gives a registered model the values that its row has now; properties with pending changes keep theirs.
  func refresh(_ model: any PersistentModel, _ reader: _RowReader) {
    reader.keepsOthers = true
    if !reader.departures.isEmpty { reader.departures.removeAll() }
    reader.graph = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    defer { reader.keepsOthers = false }
    let (status, isFault, isPlain, age) = model._$withState {
      ($0.status, $0.isFault, $0.isBare, $0.age)
    }
    guard status == .registered || status == .deleted else { return }
    if isFault, isPlain {
      model._$load(reader)
    } else {
      load(model, reader, isFault: isFault)
      model._$withState { $0.isMissing = false }
    }
    let (isPartial, hasFailed) = (reader.isPartial, reader.failure != nil)
    model._$withState { state in
      // What a part of a row leaves out is still of the state that it was.
      if !isPartial || hasFailed { state.age = hasFailed ? 0 : reader.age }
      if !isPartial {
        state.isFault = false
        state.damaged = reader.rejected
      }
    }
    // What lacks a part of its row may have relationships that came with the other part, from another state of the
    // store.
    if !isFault || age != 0 && age != reader.age { releaseRelationships(of: model, reader) }
    if !reader.departures.isEmpty { releaseEnds(of: reader.departures, model) }
  }

  /// Reads the rows of registered models anew.
  func refresh(_ keys: [Int64], _ binding: EntityBinding) throws {
    try takeInRows(keys, binding) { _ in }
  }

  /// - Parameter note: Called with the key of each row that there is.
  func takeInRows(_ keys: [Int64], _ binding: EntityBinding, _ note: (Int64) -> Void) throws {
    func take(_ row: RowKey, _ reader: _RowReader) {
      note(row.key)
      takeIn(row, reader, binding)
    }
    do {
      return try binding.session.rows(of: binding.rootEntity, keys: keys, receive: take)
    } catch let error as SwiftDataError where error == .modelValidationFailure {
      // One of the rows is so damaged that nothing of it can be taken in, which shall not keep the others from it.
      Log.store.error("Rows of \(binding.entity.name) that another context saved are damaged: \(error)")
    }
    for key in keys {
      do {
        try binding.session.row(of: binding.rootEntity, key: key, receive: take)
      } catch let error as SwiftDataError where error == .modelValidationFailure {
        note(key)
        if let model = binding.map.model(key) { unload(model) }
      }
    }
  }

  /// Gives a registered model what its row has now. Of a value that cannot be read only who touches it has to know.
  private func takeIn(_ row: RowKey, _ reader: _RowReader, _ binding: EntityBinding) {
    guard binding.map.model(row.key) != nil else { return }
    _ = receive(row, reader, nil)
    if let failure = reader.failure {
      Log.store.error("\(binding.entity.name) \(row.key), which another context saved, has a damaged value: \(failure)")
      reader.forgetFailure()
    }
  }

  /// Makes a model ask for all that it has not changed when it is touched.
  func unload(_ model: any PersistentModel) {
    guard model._$withState({ $0.status == .registered }) else { return }
    load(model, emptyRow, isFault: false)
    releaseRelationships(of: model, emptyRow)
    model._$withState { $0.isFault = true }
  }

  /// Loads a row into a model that has values, changes or observers.
  private func load(_ model: any PersistentModel, _ reader: _RowReader, isFault: Bool) {
    let (isObserved, isDeleted) = model._$withState { ($0.observers != nil, $0.status == .deleted) }
    guard let runtime = model._$withState({ $0.binding?.runtime }) else { return }
    let before = (isObserved || isDeleted) && !isFault ? runtime.properties.map { $0.slot(of: model) } : []
    let changes = model._$withState { $0.changes }
    let pending = (changes?.entries ?? []).compactMap { entry -> (JournalEntry, _ModelProperty, Any)? in
      if case .members = entry { return nil }
      return (entry, runtime.properties[entry.index], runtime.properties[entry.index].slot(of: model))
    }
    model._$load(reader)
    for (former, property, slot) in pending {
      // What was there before is in the journal, and not what the reader has found.
      reader.departures.removeAll { $0.index == property.index }
      // A rollback goes back to what the row has now, if it tells.
      if reader.columns[property.index] >= 0, reader.rejected & _ModelState.bit(property.index) == 0 {
        let stored = property.entry(of: model)
        if let changes, noteConflict(former, stored, property, changes) {
          if case .target(_, let old) = former { reader.noteDeparture(of: property.index, from: old.rowKey) }
          if isDeleted { journal.noteConflict(model) }
        }
        changes?.replace(stored)
      }
      property.restore(slot, to: model)
    }
    if before.isEmpty { return }
    for property in runtime.properties where !property.isConstant {
      let former = before[property.index]
      if !property.isRead(former) || property.isEqual(former, property.slot(of: model)) { continue }
      if isDeleted, reader !== emptyRow { journal.noteConflict(model) }
      property.noteChange(of: model)
    }
  }

  /// Makes relationships that a row does not tell ask the store again.
  private func releaseRelationships(of model: any PersistentModel, _ reader: _RowReader) {
    guard let runtime = model._$withState({ $0.binding?.runtime }) else { return }
    for property in runtime.relationships where model._$withState({ !$0.isPending(property.index) }) {
      if property.isToMany {
        // A merge has released the to-manys that the other contexts have changed.
        if mergeOperation != nil, model._$withState({ $0.status == .registered }) { continue }
        let wasLoaded = property.isLoaded(model)
        property.release(model)
        if wasLoaded { property.noteChange(of: model) }
      } else if !reader.isPartial, reader.columns[property.index] < 0,
        property.inverse(for: model)?.isToMany == false
      {
        // The key of the target stands in the target's row.
        property.unload(model)
      }
    }
  }

  /// Whether the row of a model does not tell where a relationship of its leads.
  func isKeptElsewhere(_ property: any RelationshipProperty, _ model: any PersistentModel) -> Bool {
    if property.isToMany { return true }
    let binding = model._$withState { $0.binding }
    return binding?.relationshipRules.contains { $0.property === property && $0.isKeptByTarget } ?? false
  }

  /// What a to-one leads to, if that is in memory.
  func knownTarget(
    of model: any PersistentModel, _ property: any RelationshipProperty
  ) -> (any PersistentModel)? {
    if let target = property.loadedTarget(of: model) { return target }
    guard let key = property.unresolvedKey(of: model), let destination = binding(for: property.destinationType) else {
      return nil
    }
    return target(key, property, destination)
  }
}

// Conflicts are noted while rows are read. A save or the program resolves them.
extension ObjectGraph {
  /// Notes that another context has changed a property with an unsaved change, if that is so.
  ///
  /// - Parameters:
  ///   - former: What the journal had.
  ///   - stored: What it has now. A conflict is found also where this context has set the same value, because the program
  ///     may have derived that from the former one.
  /// - Returns: Whether the store has something else than it had.
  func noteConflict(
    _ former: JournalEntry, _ stored: JournalEntry, _ property: _ModelProperty, _ changes: ObjectChanges
  ) -> Bool {
    func noteBase(_ base: JournalBase?) {
      if let base { changes.noteConflict(property.index, base) } else { changes.settleConflict(property.index) }
    }
    switch (former, stored) {
    case (.attribute(_, let old), .attribute(_, let new)):
      // A property that was not read before has no conflict.
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
