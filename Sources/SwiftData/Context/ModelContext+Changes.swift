extension ModelContext {
  /// Whether anything waits for a save.
  public var hasChanges: Bool {
    graph.hasChanges
  }

  /// The models that the next save inserts, in the order of their insertion.
  public var insertedModelsArray: [any PersistentModel] {
    graph.inserted.models
  }

  /// The models that the next save updates, in the order of their first change.
  public var changedModelsArray: [any PersistentModel] {
    graph.changedModels
  }

  /// The models that the next save deletes, in the order of their deletion.
  ///
  /// Those that ``delete(model:where:includeSubclasses:)`` selected and nobody had in memory are read for it.
  public var deletedModelsArray: [any PersistentModel] {
    graph.loadDeletedRows()
    return graph.deleted.models
  }

  /// Brings the context's bookkeeping up to date.
  ///
  /// Relationships and the three arrays are always current here, so this only takes in what other contexts saved. When
  /// that cannot be read, the next fetch or save tries again, and throws if it cannot either.
  public func processPendingChanges() {
    graph.attemptToProcessInbox()
  }

  /// Forgets everything since the last save: inserted models leave the context, changed ones get their saved values
  /// back, and deleted ones stay.
  public func rollback() {
    graph.alone { graph.rollback() }
  }

  /// Runs `block`, then saves.
  ///
  /// When `block` throws, nothing is saved, and what it did so far stays pending: save or roll back as fits.
  public func transaction(block: () throws -> Void) throws {
    try block()
    try save()
  }
}
