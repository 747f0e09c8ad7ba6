// Notices of what other contexts save come into the inbox. The next use of the context merges them.
extension ObjectGraph {
  /// Merges what other contexts of the container have saved since the last time.
  ///
  /// Registered models get the new values, models whose rows were deleted are evicted, and to-manys that may have gained or
  /// lost members are invalidated. Pending changes are kept.
  ///
  /// - Throws: Why the rows could not be read. The next call merges what this one could not.
  func processInbox() throws {
    // What is being saved just now stays as it is until it is, and what is without a context waits for one.
    if saving.isWriting || !lifetime.isOpen { return }
    let changes = inbox.take()
    if changes.isEmpty { return }
    defer { checkInvariants() }
    notices.noteInvalidated(registeredIdentifiers(invalidatedBy: changes))
    do {
      // Undo is about the changes of this context alone.
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
      // Also after a failure: the next merge does not know that the rows are gone.
      operation.keepDeleted()
    }
    try operation.run(changes)
  }

  /// Evicts a model whose row another context has deleted.
  func forget(_ model: any PersistentModel) {
    journal.close(model)
    retire(model)
  }
}
