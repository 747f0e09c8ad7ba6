/// A relationship: a ``ToOneRelationship`` or a ``ToManyRelationship``.
///
/// The operations change one side only. The caller updates the inverse; `RelationshipLinks` does so for the accessors.
protocol RelationshipProperty: _ModelProperty {
  var destinationType: any PersistentModel.Type { get }

  /// Calls `body` for the targets that are in memory, without reading the store.
  func forEachLoadedTarget(of model: any PersistentModel, _ body: (any PersistentModel) -> Void)
  /// The target of a to-one, or any member of a to-many, that is in memory.
  func loadedTarget(of model: any PersistentModel) -> (any PersistentModel)?
  /// Whether a model is a target, as far as the targets are in memory.
  func hasTarget(_ target: any PersistentModel, in owner: any PersistentModel) -> Bool
  /// Whether models of a type can be targets.
  func accepts(_ type: any PersistentModel.Type) -> Bool

  /// Stores targets that were read from the store, of types that `accepts` allows, without marking a change.
  func fill(_ model: any PersistentModel, with targets: [AnyObject])
  /// Sets the property to models, as an assignment would.
  func assign(targets: [any PersistentModel], to model: any PersistentModel)
  /// Removes targets without a journal entry. The model is unsaved, has pending changes, or its row is gone.
  func drop(from model: any PersistentModel, where isDropped: (any PersistentModel) -> Bool)
  /// Releases the targets, to break cycles of models that are not used again.
  func releaseTargets(of model: any PersistentModel)
  /// Discards the targets, so that the next access reads them again.
  func unload(_ model: any PersistentModel)

  /// Sets the inverse of targets that an initializer set.
  func linkBack(from model: any PersistentModel)
  /// Marks the targets as if an initializer had set them: their inverse is not set.
  func markOneSided(_ model: any PersistentModel)
  /// The storage for targets whose inverse is not set.
  func oneSidedSlot(_ targets: [any PersistentModel]) -> Any
  /// Makes `member` a target of `owner`, as a change.
  func link(_ member: any PersistentModel, to owner: any PersistentModel)
  /// Reverts the unlinking of a member whose own side has the store's value.
  func linkAgain(_ member: any PersistentModel, to owner: any PersistentModel)
  /// Reads what `unlink` needs of `owner`.
  func prepareToUnlink(from owner: any PersistentModel) throws
  /// Removes `member` from the targets of `owner`, as a change.
  func unlink(_ member: any PersistentModel, from owner: any PersistentModel)
  /// Replaces `member` by `replacement`, or removes it, without marking a change.
  func replace(_ member: any PersistentModel, by replacement: (any PersistentModel)?, in owner: any PersistentModel)
}

extension RelationshipProperty {
  func loadedTargets(of model: any PersistentModel) -> [any PersistentModel] {
    var targets: [any PersistentModel] = []
    forEachLoadedTarget(of: model) { targets.append($0) }
    return targets
  }

  func inverse(for model: any PersistentModel) -> (any RelationshipProperty)? {
    let binding = model._$withState { $0.binding }
    return (binding?.runtime ?? ModelRuntime.of(model)).inverse(of: self)
  }
}
