extension ModelContext {
  /// Writes everything pending, in one transaction for each store.
  ///
  /// Before anything is written the models are checked against the rules of their schema. When a check, a store or the
  /// disk refuses, this context and the file stay as they were, and the error tells which models are to blame. An
  /// inserted model that repeats a unique combination of values becomes an update of the row that has it: the object
  /// that stood for the row gets the new values and stays, and the inserted one leaves the context. A context whose
  /// entities lie in several stores writes them one after the other; when a later one fails, the earlier are written.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with every violation in its details, or the error of the store.
  public func save() throws {
    try graph.save()
  }
}
