/// What follows the changes of one context: its unsaved ones, and those of others that it takes in.
///
/// It is called in the middle of changes, so it notes what has changed, and looks later.
protocol ChangeObserver: AnyObject {
  /// A model of the context has other values.
  ///
  /// - Parameters:
  ///   - entity: The position of the model's entity in the schema.
  ///   - properties: Those with other values, as `_ModelState.dirty` has them.
  func noteChange(of model: any PersistentModel, entity: Int, properties: UInt64)

  /// A model has come to the context, or has gone, or has another key.
  func noteMember(_ model: any PersistentModel, entity: Int)

  /// A row is to be deleted of which there is no model.
  func noteDeletion(of row: RowKey)

  /// Changes that were noted before are saved.
  func noteSave(ofEntity entity: Int, properties: UInt64)

  /// Rows of an entity are as others have saved them.
  func noteRows(_ changes: ChangeInbox.EntityChanges, ofEntity entity: Int)

  /// Anything may have changed.
  func noteAnyChange()
}
