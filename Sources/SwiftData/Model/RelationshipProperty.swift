/// A property that leads to other models.
///
/// The operations below work on one side only. Whoever changes a side keeps its inverse in step; `RelationshipLinks`
/// does so for the accessors.
protocol RelationshipProperty: _ModelProperty {
  var isToMany: Bool { get }
  var isRequired: Bool { get }
  var destinationType: any PersistentModel.Type { get }

  /// Calls `body` for the targets that are in memory, without asking the store.
  func forEachLoadedTarget(of model: any PersistentModel, _ body: (any PersistentModel) -> Void)
  /// All targets; the store is asked for those that are not in memory.
  func targets(of model: any PersistentModel) -> [any PersistentModel]

  /// The key of a to-one target that is not looked up yet.
  func unresolvedKey(of model: any PersistentModel) -> Int64?
  /// Puts what the store gave in place. Nothing counts as changed.
  func fill(_ model: any PersistentModel, with targets: [any PersistentModel])
  /// Gives up the targets held, to break cycles of models that nobody will use again.
  func release(_ model: any PersistentModel)
  /// Forgets the targets, so that the store is asked for them again.
  func unload(_ model: any PersistentModel)
  /// Takes the pending additions and removals of an unread to-many as done.
  func settle(_ model: any PersistentModel)

  /// Tells the other side of targets that an initializer set.
  func linkBack(from model: any PersistentModel)
  /// Makes the targets what an initializer would have left: the other side does not know of them.
  func markOneSided(_ model: any PersistentModel)
  /// Makes `member` a target of `owner`, as a change.
  func link(_ member: any PersistentModel, to owner: any PersistentModel)
  /// Makes `member` no target of `owner` any more, as a change.
  func unlink(_ member: any PersistentModel, from owner: any PersistentModel)
  /// Puts `replacement`, or nothing, where `member` stood, without marking a change.
  func replace(_ member: any PersistentModel, by replacement: (any PersistentModel)?, in owner: any PersistentModel)

  /// What a save has to do for a to-many.
  func membership(of model: any PersistentModel, original: Any?) -> MembershipChange
}

/// The difference between a to-many's members in the store and in memory.
struct MembershipChange {
  var added: [any PersistentModel] = []
  var removed: [any PersistentModel] = []
  /// Members that get new places at the end, in this order: the added ones, or all when the order changed.
  var reordered: [any PersistentModel] = []
  /// All members when they are known.
  var members: [any PersistentModel]?

  var isEmpty: Bool {
    added.isEmpty && removed.isEmpty && reordered.isEmpty
  }
}

extension RelationshipProperty {
  /// The target of a to-one that is in memory, or any of a to-many's.
  func loadedTarget(of model: any PersistentModel) -> (any PersistentModel)? {
    var target: (any PersistentModel)?
    forEachLoadedTarget(of: model) { target = target ?? $0 }
    return target
  }

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
