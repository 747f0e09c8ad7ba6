/// A property that leads to one model at most.
protocol ToOneRelationship: RelationshipProperty {
  var isRequired: Bool { get }

  func put(_ content: _ToOneContent, in model: any PersistentModel)
  /// The key of a target that is not looked up yet.
  func unresolvedKey(of model: any PersistentModel) -> Int64?
  /// Puts the target in place, whose key is known. Nothing counts as changed.
  func resolve(_ model: any PersistentModel, to target: (any PersistentModel)?)
}
