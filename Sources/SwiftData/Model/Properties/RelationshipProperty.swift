/// A property that leads to other models: a ``ToOneRelationship`` or a ``ToManyRelationship``.
///
/// The operations work on one side only. The code that changes a side keeps its inverse in step; `RelationshipLinks` does
/// so for the accessors.
protocol RelationshipProperty: _ModelProperty {
  var destinationType: any PersistentModel.Type { get }

  /// Calls `body` for the targets that are in memory, without asking the store.
  func forEachLoadedTarget(of model: any PersistentModel, _ body: (any PersistentModel) -> Void)
  /// The target of a to-one that is in memory, or any of a to-many's.
  func loadedTarget(of model: any PersistentModel) -> (any PersistentModel)?
  /// Whether a model is a target, as far as those are in memory.
  func hasTarget(_ target: any PersistentModel, _ model: any PersistentModel) -> Bool
  /// Whether models of a type can be targets.
  func accepts(_ type: any PersistentModel.Type) -> Bool

  /// Puts what the store gave in place: models of types that `accepts` lets pass. Nothing counts as changed.
  func fill(_ model: any PersistentModel, with targets: [AnyObject])
  /// Sets the property to models, as an assignment would.
  func assign(targets: [any PersistentModel], to model: any PersistentModel)
  /// Takes targets out of what an unsaved model has, one with pending changes, or one whose row is gone, without a note of
  /// it in the journal.
  func drop(from model: any PersistentModel, where isDropped: (any PersistentModel) -> Bool)
  /// Gives up the targets held, to break cycles of models that nobody will use again.
  func release(_ model: any PersistentModel)
  /// Forgets the targets, so that the store is asked for them again.
  func unload(_ model: any PersistentModel)

  /// Tells the other side of targets that an initializer set.
  func linkBack(from model: any PersistentModel)
  /// Makes the targets what an initializer would have left: the other side does not know of them.
  func markOneSided(_ model: any PersistentModel)
  /// The storage that makes models the targets, of which the other side does not know.
  func oneSidedSlot(_ targets: [any PersistentModel]) -> Any
  /// Makes `member` a target of `owner`, as a change.
  func link(_ member: any PersistentModel, to owner: any PersistentModel)
  /// Takes back that a member went, whose own side is as the store has it.
  func linkAgain(_ member: any PersistentModel, to owner: any PersistentModel)
  /// Reads what `unlink` has to know of `owner`.
  func prepareToUnlink(from owner: any PersistentModel) throws
  /// Makes `member` no target of `owner` any more, as a change.
  func unlink(_ member: any PersistentModel, from owner: any PersistentModel)
  /// Puts `replacement`, or nothing, where `member` stood, without marking a change.
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
