/// What follows the changes of one context: its unsaved ones, and those of others that it takes in.
///
/// It is called in the middle of changes, so it notes what has changed, and looks later.
protocol ChangeObserver: AnyObject {
  /// - Parameters:
  ///   - entity: The position of the entity in the schema.
  ///   - properties: Those that have other values in some model or row, as `_ModelState.dirty` has them.
  func noteChange(ofEntity entity: Int, properties: UInt64)

  /// Changes that were noted before are saved.
  func noteSave(ofEntity entity: Int, properties: UInt64)

  /// Models or rows of an entity came or went, or others took their places.
  func noteOtherMembers(ofEntity entity: Int)

  /// Anything may have changed.
  func noteAnyChange()
}
