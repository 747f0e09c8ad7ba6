extension ModelContext {
  /// Whether there are unsaved changes, or refused changes that the next save will report.
  public var hasChanges: Bool {
    graph.hasChanges
  }

  /// The models that the next save will insert, in the order of their insertion.
  public var insertedModelsArray: [any PersistentModel] {
    graph.journal.inserted.models
  }

  /// The models that the next save will update, in the order of their first change.
  public var changedModelsArray: [any PersistentModel] {
    graph.journal.changedModels
  }

  /// The models that the next save will delete, in the order of their deletion.
  ///
  /// Rows that ``delete(model:where:includeSubclasses:)`` has marked without making models of them are read from the
  /// store when this property is accessed.
  public var deletedModelsArray: [any PersistentModel] {
    graph.loadDeletedRows()
    return graph.journal.deleted.models
  }

  /// Merges the changes that other contexts have saved.
  ///
  /// Relationships and the arrays of inserted, changed and deleted models are always current. If the changes of the other
  /// contexts cannot be read, the next fetch or save tries again, and throws if that fails as well.
  ///
  /// With an ``undoManager``, the changes so far become a separate undo action: the method ends the group that the manager
  /// has begun for the current event.
  public func processPendingChanges() {
    graph.attemptToProcessInbox()
    undoRecorder?.endEvent()
  }

  /// Discards all changes since the last save.
  ///
  /// Inserted models leave the context, changed models get their committed values back, and models that were marked for
  /// deletion are kept. The ``undoManager`` removes all its actions.
  public func rollback() {
    graph.exclusively { graph.rollback() }
  }
}
