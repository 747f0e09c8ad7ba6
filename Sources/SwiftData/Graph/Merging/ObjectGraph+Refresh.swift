extension ObjectGraph {
  /// Refreshes a registered model from its row; properties with pending changes keep their values.
  func refresh(_ model: any PersistentModel, _ reader: _RowReader) {
    reader.keepsOthers = true
    if !reader.retargetings.isEmpty { reader.retargetings.removeAll() }
    reader.graph = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    defer { reader.keepsOthers = false }
    let (status, isFault, isPlain, age) = model._$withState {
      ($0.status, $0.isFault, $0.isBare, $0.age)
    }
    guard status == .persistent || status == .deleted else { return }
    if isFault, isPlain {
      model._$load(reader)
    } else {
      load(model, reader, isFault: isFault)
      model._$withState { $0.isMissing = false }
    }
    let (isPartial, hasFailed) = (reader.isPartial, reader.failure != nil)
    model._$withState { state in
      // Properties that a partial row lacks still have their previous revision.
      if !isPartial || hasFailed { state.age = hasFailed ? 0 : reader.age }
      if !isPartial {
        state.isFault = false
        state.damaged = reader.rejected
      }
    }
    // A model that had only a part of its row may have relationships that were read with the other part, at another
    // revision of the store.
    if !isFault || age != 0 && age != reader.age { invalidateRelationships(of: model, reader) }
    if !reader.retargetings.isEmpty { invalidateEnds(of: reader.retargetings, model) }
  }

  /// Refreshes a model from the store.
  ///
  /// - Parameter keepsChanges: Whether its unsaved changes are kept.
  func refresh(_ model: any PersistentModel, keepsChanges: Bool) throws {
    try processInbox()
    let (status, isMine, binding) = model._$withState { ($0.status, $0.belongs(to: self), $0.binding) }
    guard isMine, let binding, status == .persistent else { return }
    if !keepsChanges {
      saving.disturb()
      for entry in model._$withState({ $0.changes })?.entries ?? [] {
        try StoredValues(graph: self).takeStored(ModelRuntime.of(model).properties[entry.index], model)
      }
    }
    try reread([model], inSessions: [binding.sessionIndex])
  }

  /// Refreshes the rows and the relationships of persistent models, with or without a change notification.
  ///
  /// - Parameter sessions: The sessions whose models are refreshed.
  func reread(_ models: [any PersistentModel], inSessions sessions: Set<Int>) throws {
    var keys: [Int: [Int64]] = [:]
    var notice = ChangeNotice()
    for model in models {
      let (key, binding, isFault) = model._$withState { ($0.key, $0.binding, $0.isFault) }
      guard let binding, key > 0, sessions.contains(binding.sessionIndex) else { continue }
      keys[binding.ordinal, default: []].append(key)
      // The previous target is not known.
      if isFault { notice.relinked.add(key, of: binding.ordinal, properties: binding.memberBits) }
    }
    for (ordinal, keys) in keys.sorted(by: { $0.key < $1.key }) {
      let binding = bindingsByOrdinal[ordinal]
      var gone = Set(keys)
      try binding.session.rows(of: binding.rootEntity, keys: keys.sorted()) { row, _ in gone.remove(row.key) }
      notice.deleted.add(gone.sorted(), of: ordinal)
      notice.updated.add(keys.filter { !gone.contains($0) }, of: ordinal)
      for property in binding.runtime.toManys {
        notice.recordLists(of: keys, ordinal, property.index)
      }
    }
    inbox.post(notice)
    try processInbox()
  }

  /// Reads the rows of registered models again.
  func refresh(_ keys: [Int64], _ binding: EntityBinding) throws {
    try refreshRows(keys, binding) { _ in }
  }

  /// - Parameter record: Called with the key of each row that exists.
  func refreshRows(_ keys: [Int64], _ binding: EntityBinding, _ record: (Int64) -> Void) throws {
    func receiveRow(_ row: RowKey, _ reader: _RowReader) {
      record(row.key)
      refreshRegistered(row, reader, binding)
    }
    do {
      return try binding.session.rows(of: binding.rootEntity, keys: keys, receive: receiveRow)
    } catch let error as SwiftDataError where error == .modelValidationFailure {
      // One of the rows cannot be read at all: each is read separately.
      Log.store.error("Rows of \(binding.entity.name) that another context saved are damaged: \(error)")
    }
    for key in keys {
      do {
        try binding.session.row(of: binding.rootEntity, key: key, receive: receiveRow)
      } catch let error as SwiftDataError where error == .modelValidationFailure {
        record(key)
        if let model = binding.map.model(key) { unload(model) }
      }
    }
  }

  /// Refreshes a registered model from its row. A value that cannot be decoded is an error at its first access.
  private func refreshRegistered(_ row: RowKey, _ reader: _RowReader, _ binding: EntityBinding) {
    guard binding.map.model(row.key) != nil else { return }
    _ = receive(row, reader, nil)
    if let failure = reader.failure {
      Log.store.error("\(binding.entity.name) \(row.key), which another context saved, has a damaged value: \(failure)")
      reader.forgetFailure()
    }
  }

  /// Makes a model a fault, except for its unsaved changes.
  func unload(_ model: any PersistentModel) {
    guard model._$withState({ $0.status == .persistent }) else { return }
    load(model, emptyRow, isFault: false)
    invalidateRelationships(of: model, emptyRow)
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
    for (previous, property, slot) in pending {
      // The previous value is in the journal; the reader has compared with the unsaved one.
      reader.retargetings.removeAll { $0.index == property.index }
      // A rollback reverts to the current value of the row, if the property was read.
      if reader.columns[property.index] >= 0, reader.rejected & _ModelState.bit(property.index) == 0 {
        let stored = property.entry(of: model)
        if let changes, changes.updateConflict(of: property, previous, stored) {
          if case .target(_, let old) = previous { reader.recordRetargeting(of: property.index, from: old.rowKey) }
          if isDeleted { journal.recordConflict(model) }
        }
        changes?.replace(stored)
      }
      property.restore(slot, to: model)
    }
    if before.isEmpty { return }
    for property in runtime.properties where !property.isConstant {
      let previous = before[property.index]
      if !property.isRead(previous) || property.isEqual(previous, property.slot(of: model)) { continue }
      if isDeleted, reader !== emptyRow { journal.recordConflict(model) }
      property.recordChange(of: model)
    }
  }

  /// Invalidates the model's relationships without a column in its row.
  private func invalidateRelationships(of model: any PersistentModel, _ reader: _RowReader) {
    // A merge invalidates the relationships that the other contexts have changed.
    if mergeOperation != nil, model._$withState({ $0.status == .persistent }) { return }
    guard let binding = model._$withState({ $0.binding }) else { return }
    for rule in reader.isPartial ? binding.toManys : binding.relationshipRules { rule.invalidate(model) }
  }

  /// Whether the model's own row lacks the key of a relationship's target.
  func storesKeyElsewhere(_ property: any RelationshipProperty, _ model: any PersistentModel) -> Bool {
    model._$withState { $0.binding }?.rule(of: property)?.storesKeyElsewhere ?? (property.toMany != nil)
  }

  /// The target of a to-one, if it is in memory.
  func knownTarget(
    of model: any PersistentModel, _ property: any ToOneRelationship
  ) -> (any PersistentModel)? {
    if let target = property.loadedTarget(of: model) { return target }
    guard let key = property.unreadKey(of: model), let destination = binding(for: property.destinationType) else {
      return nil
    }
    return target(key, property, destination)
  }
}
