public import Foundation

extension ModelContext {
  /// Marks `model` for deletion by the next ``save()``; a model that was never saved is just let go.
  ///
  /// The delete rules of its relationships are carried out at once: cascades mark their targets too, and nullified
  /// targets lose the model. `.deny` is looked at by the save. Deleting a deleted model, or one that belongs to no
  /// context, changes nothing. A model's values can be read as long as somebody holds it, and setting them changes
  /// nothing.
  public func delete<T: PersistentModel>(_ model: T) {
    graph.alone { graph.delete(cascadingFrom: model) }
    graph.didChange()
  }

  /// Deletes the models of a type that a predicate selects, or all of them.
  ///
  /// They are deleted by the next ``save()``, like models given to ``delete(_:)``: with their delete rules, and with a
  /// rollback bringing them back. Models that are inserted and not saved are not touched, as on Apple's systems.
  ///
  /// No model is made for a row that nothing in memory knows. One statement finds the rows, one for each relationship
  /// that cascades finds what goes with them, and the save deletes those of each type with one. Rows that something
  /// stays linked to, such as the members that a `.nullify` leaves behind, are read and deleted one by one.
  ///
  /// - Parameters:
  ///   - model: The type.
  ///   - predicate: Which models; all when nil.
  ///   - includeSubclasses: Whether models of subclasses are deleted as well.
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` and errors of the store.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    try graph.alone {
      try graph.delete(model: model, where: predicate, includeSubclasses: includeSubclasses)
    }
  }
}
