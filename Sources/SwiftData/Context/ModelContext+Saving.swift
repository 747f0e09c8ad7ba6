extension ModelContext {
  /// Writes all unsaved changes, in one transaction for each store.
  ///
  /// The models are checked against the rules of their schema before anything is written. When a check or the write to
  /// a store fails, the context and the file stay as they were, and the error names the models that caused it.
  ///
  /// When an inserted model has the same unique values as a row, that row is updated. If the context has another object
  /// for the row, that object gets the new values, and the inserted one leaves the context.
  ///
  /// When the models are kept in several stores, one store is written after the other. When a store fails, the stores
  /// before it have been written, and the error names them as `savedStores`.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with every violation in its details, or an error of the store.
  ///   The error may also be that of an earlier read that could not throw, such as the read of a property.
  public func save() throws {
    try graph.save()
  }
}
