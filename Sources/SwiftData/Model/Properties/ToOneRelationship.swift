/// A relationship to at most one model.
protocol ToOneRelationship: RelationshipProperty {
  var isRequired: Bool { get }

  func put(_ content: _ToOneContent, in model: any PersistentModel)
  /// The key of a target that is not looked up yet.
  func unreadKey(of model: any PersistentModel) -> Int64?
  /// Stores the target whose key the storage has, without marking a change.
  func setTarget(of model: any PersistentModel, to target: (any PersistentModel)?)
}
