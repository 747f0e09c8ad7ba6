/// What follows the changes of one context: its unsaved ones, and those of others that it takes in.
///
/// It is called in the middle of changes, so it notes what has changed, and looks later.
protocol ChangeObserver: AnyObject {
  /// A model of the context has other values.
  ///
  /// - Parameters:
  ///   - entity: The position of the model's entity in the schema.
  ///   - properties: Those with other values, as `_ModelState.dirty` has them.
  func recordChange(of model: any PersistentModel, entity: Int, properties: UInt64)

  /// A model has come to the context, or has gone.
  ///
  /// - Parameter isDeleted: Whether the program has deleted it, and nothing is saved yet.
  func recordMember(_ model: any PersistentModel, entity: Int, isDeleted: Bool)

  /// A row has come, or is to be deleted.
  func recordRow(_ row: RowKey)

  /// Changes that were noted before are saved.
  func recordSave(ofEntity entity: Int, properties: UInt64)

  /// A save is complete.
  func recordSaveEnd()

  /// Rows of an entity are as others have saved them.
  func recordRows(_ changes: ChangeInbox.EntityChanges, ofEntity entity: Int)

  /// Anything may have changed.
  func recordAnyChange()
}
