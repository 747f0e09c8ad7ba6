// What others saved comes by notices, and is taken in at the next use of the context.
extension ObjectGraph {
  /// Takes in what other contexts of the container saved since the last time.
  ///
  /// Registered models get their new values, deleted ones go away, and to-many relationships that may have gained or
  /// lost members are read anew. Pending changes are kept.
  ///
  /// - Throws: Why the rows could not be read. The next call takes in what this one could not.
  func processInbox() throws {
    // What is being saved just now stays as it is until it is, and what is without a context waits for one.
    if saving.isWriting || !lifetime.isOpen { return }
    let changes = inbox.take()
    if changes.isEmpty { return }
    defer { checkInvariants() }
    notices.noteInvalidated(registeredIdentifiers(invalidatedBy: changes))
    do {
      // What others have done is not for this context to undo, and not to be taken for what it has done.
      if UndoRecorder.areThereAny { undoRecorder?.end() }
      try withoutUndo { try takeIn(changes) }
    } catch {
      inbox.putBack(changes)
      throw error
    }
    notices.closeInvalidation()
  }

  /// The models that the context has of entities of which all rows were invalidated.
  private func registeredIdentifiers(invalidatedBy changes: ChangeInbox.Changes) -> [PersistentIdentifier] {
    let ordinals = Set(changes.entities.lazy.filter { $0.value.isInvalidated }.map { $0.key })
    if ordinals.isEmpty { return [] }
    return registeredModels.compactMap { model in
      let (key, binding) = model._$withState { ($0.key, $0.binding) }
      guard let binding, ordinals.contains(binding.ordinal) else { return nil }
      return binding.identifier(of: key)
    }
  }

  /// The same where nothing can be thrown: what could not be read is left to the next call that can.
  func attemptToProcessInbox() {
    do {
      try alone(processInbox)
    } catch {
      Log.store.error("Reading what another context saved failed, and is tried again: \(error)")
    }
  }

  private func takeIn(_ changes: ChangeInbox.Changes) throws {
    let entities = changes.entities.sorted { $0.key < $1.key }
    if let changeObserver {
      for (ordinal, changes) in entities { changeObserver.noteRows(changes, ofEntity: ordinal) }
    }
    merging.isUnderWay = true
    defer {
      let (models, links) = (merging.kept, merging.keptLinks)
      merging = Merging()
      // Also after a failure: the rows are gone, and nobody will say so again.
      if !models.isEmpty { keep(models, links) }
    }
    var forgotten = Set<Int>()
    for (ordinal, changes) in entities {
      let map = bindingsByOrdinal[ordinal].map
      // In one order, because what goes later leads to nothing that went before.
      for key in changes.deleted.filter({ map.model($0) != nil }).sorted() {
        guard let model = map.model(key) else { continue }
        forgetDeleted(model)
        forgotten.insert(ordinal)
      }
      if journal.deletedRows.isEmpty { continue }
      for key in changes.deleted { journal.takeBackDeletion(ofRow: key, of: map) }
    }
    let linking = Set(entities.lazy.filter { self.mayLink($0.value, self.bindingsByOrdinal[$0.key]) }.map(\.key))
    let lists = releaseLists(changes, linking)
    // At once, because later a failure would leave nobody who knows. Whoever deleted them told those that it knew to
    // lead to them.
    releaseLinks(to: forgotten, includingMutual: true)
    journal.noteMerge()
    do {
      try takeInValues(entities)
      releaseTargets(among: linking)
      try extend(lists)
    } catch {
      // What a row that was read already says of lists is not found a second time.
      releaseMembers(of: linking)
      throw error
    }
    try mergePending(linking)
  }

  /// Reads what has other values, or may have.
  private func takeInValues(_ entities: [(key: Int, value: ChangeInbox.EntityChanges)]) throws {
    for (ordinal, changes) in entities {
      let binding = bindingsByOrdinal[ordinal]
      if changes.isBeyondCount {
        try refreshAll(of: binding)
        releaseLinks(to: [ordinal], includingMutual: true)
      } else if changes.properties & ~binding.toManyBits != 0 {
        // That a to-many has other members stands in no row of its owner.
        let keys = changes.updated.filter { binding.map.model($0) != nil }
        if keys.isEmpty { continue }
        try refresh(keys.sorted(), binding)
        noteUntraced(changes, binding)
      }
    }
  }

  /// Has to-manys read again whose members others may have changed.
  ///
  /// - Returns: Those that need not, because they have only gained rows.
  private func releaseLists(_ changes: ChangeInbox.Changes, _ linking: Set<Int>) -> [GrownList] {
    outdateAwaited(among: linking)
    guard let lists = changes.lists else {
      releaseMembers(of: linking)
      return []
    }
    releaseMembers(of: linking.filter { changes.entities[$0]?.isBeyondCount == true })
    return releaseLists(Array(lists.values))
  }

  /// Whether what others saved can have changed what leads to models of an entity.
  private func mayLink(_ changes: ChangeInbox.EntityChanges, _ binding: EntityBinding) -> Bool {
    changes.hasOtherRows || changes.isBeyondCount
      || binding.relationshipRules.contains { changes.properties & $0.bit != 0 }
  }

  /// Reads the rows of registered models anew.
  func refresh(_ keys: [Int64], _ binding: EntityBinding) throws {
    try takeInRows(keys, binding) { _ in }
  }

  /// - Parameter note: Called with the key of each row that there is.
  private func takeInRows(_ keys: [Int64], _ binding: EntityBinding, _ note: (Int64) -> Void) throws {
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

  /// Reads all registered models of an entity anew; those without a row go away.
  private func refreshAll(of binding: EntityBinding) throws {
    let models = binding.map.models.filter { $0._$withState { $0.isOf(binding) } }
    let waiting = journal.deletedRows.keys { $0 == binding.ordinal }.flatMap(\.keys)
    let keys = (models.map { $0._$withState { $0.key } } + waiting).sorted()
    if keys.isEmpty { return }
    var found = Set<Int64>(minimumCapacity: keys.count)
    try takeInRows(keys, binding) { found.insert($0) }
    for key in waiting where !found.contains(key) { journal.takeBackDeletion(ofRow: key, of: binding.map) }
    for model in models where !found.contains(model._$withState { $0.key }) && model._$withState({ $0.isOf(binding) }) {
      forgetDeleted(model)
    }
  }

  /// Others have deleted the row of a model, which may be saved again.
  private func forgetDeleted(_ model: any PersistentModel) {
    if outlastsDeletion(model) {
      merging.kept.append(model)
      merging.keptLinks += deletedLinks(of: model)
    }
    forget(model)
  }

  /// The row of `model` was deleted by somebody else.
  func forget(_ model: any PersistentModel) {
    journal.close(model)
    retire(model)
  }
}
