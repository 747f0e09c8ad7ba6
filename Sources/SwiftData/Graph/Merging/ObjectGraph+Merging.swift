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
      try withoutUndo { try merge(changes) }
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

  private func merge(_ changes: ChangeInbox.Changes) throws {
    let operation = MergeOperation(graph: self)
    let outer = mergeOperation
    mergeOperation = operation
    defer {
      mergeOperation = outer
      // Also after a failure: the rows are gone, and nobody will say so again.
      operation.keepDeleted()
    }
    try operation.run(changes)
  }

  /// The row of `model` was deleted by somebody else.
  func forget(_ model: any PersistentModel) {
    journal.close(model)
    retire(model)
  }
}
