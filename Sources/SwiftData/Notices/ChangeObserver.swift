/// An observer of the changes of one context: its unsaved changes, and the merged changes of other contexts.
///
/// It is called during changes, so it records them and evaluates them later.
protocol ChangeObserver: AnyObject {
  /// A property of a model of the context was set.
  ///
  /// - Parameters:
  ///   - entity: The position of the model's entity in the schema.
  ///   - properties: The changed properties, in the format of `_ModelState.dirty`.
  func recordChange(of model: any PersistentModel, entity: Int, properties: UInt64)

  /// A model was inserted into the context, or has left it.
  ///
  /// - Parameter isDeleted: Whether the program has deleted it, and the deletion is not saved.
  func recordMember(_ model: any PersistentModel, entity: Int, isDeleted: Bool)

  /// A row was inserted, or has a pending deletion.
  func recordRow(_ row: RowKey)

  /// Recorded changes were saved.
  func recordSave(ofEntity entity: Int, properties: UInt64)

  /// A save is complete.
  func recordSaveEnd()

  /// Rows of an entity were refreshed with changes of other contexts.
  func recordRows(_ changes: ChangeInbox.EntityChanges, ofEntity entity: Int)

  /// Anything may have changed.
  func recordAnyChange()
}
