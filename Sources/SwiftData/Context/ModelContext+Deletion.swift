public import Foundation

extension ModelContext {
  /// Marks `model` for deletion by the next ``save()``.
  ///
  /// A model that was never saved leaves the context at once. The delete rules of its relationships are applied
  /// immediately: `.cascade` marks the related models for deletion too, and `.nullify` removes the model from their
  /// relationships. Only `.deny` is checked by the save.
  ///
  /// The values of a deleted model can be read as long as the object exists; setting them has no effect. Deleting a model
  /// that is deleted already, or that does not belong to this context, has no effect either. If a related model cannot be
  /// read, `model` is not deleted, and the next save throws.
  public func delete<T: PersistentModel>(_ model: T) {
    graph.exclusively { graph.delete(cascadingFrom: model) }
    graph.didChange()
  }

  /// Marks the models of a type that a predicate selects, or all of them, for deletion by the next ``save()``.
  ///
  /// As with ``delete(_:)``, delete rules are applied and ``rollback()`` undoes the deletion. Inserted models that were
  /// not saved yet are not affected, as on Apple's systems.
  ///
  /// Rows that have no object in memory are deleted without making models. One statement finds the rows, one statement for
  /// each cascading relationship finds the rows that are deleted with them, and the save deletes the rows of each type with
  /// one statement. A row is read and deleted separately if rows that are not deleted are linked to it, such as the members
  /// of a relationship with the rule `.nullify`. All selected models are fetched if the store is a custom one without
  /// ``DataStoreBatching``, if unsaved changes may affect which models are selected, or if a part of the predicate has to
  /// be evaluated in memory.
  ///
  /// - Parameters:
  ///   - model: The type of the models.
  ///   - predicate: Selects the models; all of the type when nil.
  ///   - includeSubclasses: Whether models of subclasses are deleted as well.
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` or an error of the store.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    try graph.exclusively {
      try graph.delete(model: model, where: predicate, includeSubclasses: includeSubclasses)
    }
  }
}
