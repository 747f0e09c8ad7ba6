/// A relationship of an entity's models, as one context handles it. ``ToOneRule`` and ``ToManyRule`` have the parts that
/// depend on its kind.
class RelationshipRule {
  let property: any RelationshipProperty
  let inverse: (any RelationshipProperty)?
  /// The property's bit in `_ModelState.dirty`.
  let bit: UInt64
  let deleteRule: Schema.Relationship.DeleteRule
  /// The destination entity. Set when all bindings of the context are made.
  private(set) unowned var destination: EntityBinding?
  /// The rule of the inverse in the destination.
  private(set) unowned var inverseRule: RelationshipRule?
  /// The version of the stored members that is current, for keys that are read from now on.
  @exclusivity(unchecked) var membershipVersion = MembershipVersion()

  var isOneWay: Bool { inverse == nil }

  fileprivate init(
    _ property: any RelationshipProperty, inverse: (any RelationshipProperty)?, _ relationship: Schema.Relationship?
  ) {
    self.property = property
    self.inverse = inverse
    bit = _ModelState.bit(property.index)
    deleteRule = relationship?.deleteRule ?? .nullify
  }

  func connect(to destination: EntityBinding?) {
    self.destination = destination
    inverseRule = inverse.flatMap { destination?.rule(of: $0) }
  }

  /// Whether it keeps a deleted target until the save.
  var mayHoldDeleted: Bool { isOneWay || inverseRule?.deleteRule == .noAction }
  /// Whether the model's own row lacks the key of the target.
  var storesKeyElsewhere: Bool { true }
  /// Whether it needs work after a save: see `completeSave`.
  var needsCompletion: Bool { true }
  /// Whether it has a minimum number of members.
  var hasMinimum: Bool { false }

  /// Whether no target has to be registered with its model, as far as one target shows.
  func isResolved(_ model: any PersistentModel, in graph: ObjectGraph) -> Bool { false }

  /// Lets the next access read the targets again, if the model's own row lacks their keys and there are no pending changes.
  func invalidate(_ model: any PersistentModel) {}

  /// Removes targets whose rows are gone without a change notification of the deletion.
  ///
  /// - Parameter isPending: Whether the relationship has an unsaved value.
  func dropDetached(from model: any PersistentModel, isPending: Bool, in graph: ObjectGraph) {}

  /// Makes the model's current value of the relationship the committed one.
  ///
  /// - Parameter dirty: The written properties of an existing row; nil for a new row.
  func completeSave(of model: any PersistentModel, dirty: UInt64?, in graph: ObjectGraph) {
    if let dirty, dirty & bit == 0 { return }
    // A deletion updates only inverses.
    guard isOneWay, !property.loadedTargets(of: model).allSatisfy(graph.isResolved) else { return }
    graph.undoRecorder?.recordLoss(of: property, model)
    dropUnsaved(from: model)
    property.recordChange(of: model)
  }

  /// Removes targets that a save could not write.
  fileprivate func dropUnsaved(from model: any PersistentModel) {}
}

/// A relationship to one model at most.
final class ToOneRule: RelationshipRule {
  let toOne: any ToOneRelationship
  /// Whether the key is in the target's row.
  let storesKeyInTarget: Bool

  init(
    _ toOne: any ToOneRelationship, inverse: (any RelationshipProperty)?, _ relationship: Schema.Relationship?,
    storesKeyInTarget: Bool
  ) {
    self.toOne = toOne
    self.storesKeyInTarget = storesKeyInTarget
    super.init(toOne, inverse: inverse, relationship)
  }

  override var storesKeyElsewhere: Bool { storesKeyInTarget }
  override var needsCompletion: Bool { storesKeyInTarget || isOneWay }
  /// Whether its key stays when its target is deleted, as a dangling reference.
  var mayDangle: Bool { mayHoldDeleted && !isOneWay }

  override func isResolved(_ model: any PersistentModel, in graph: ObjectGraph) -> Bool {
    toOne.loadedTarget(of: model).map(graph.isResolved) ?? true
  }

  override func invalidate(_ model: any PersistentModel) {
    guard storesKeyInTarget, model._$withState({ !$0.isPending(toOne.index) }),
      toOne.isLoaded(model) || toOne.unreadKey(of: model) != nil
    else { return }
    toOne.unload(model)
    toOne.recordChange(of: model)
  }

  override func dropDetached(from model: any PersistentModel, isPending: Bool, in graph: ObjectGraph) {
    guard let target = toOne.loadedTarget(of: model), target._$withState({ $0.status == .detached }) else { return }
    graph.undoRecorder?.recordLoss(of: toOne, model)
    if isPending {
      // The save reports that the target is gone. If the target is inserted again, its inverse is set.
      graph.journal.recordLink(from: model, by: toOne, toDeleted: target)
    } else {
      toOne.releaseTargets(of: model)
      toOne.recordChange(of: model)
    }
  }

  override func completeSave(of model: any PersistentModel, dirty: UInt64?, in graph: ObjectGraph) {
    super.completeSave(of: model, dirty: dirty, in: graph)
    guard storesKeyInTarget, let dirty, dirty & bit != 0, toOne.isLoaded(model), toOne.loadedTarget(of: model) == nil
    else {
      return
    }
    // No row stores that it is nil, and another context may have set it.
    toOne.unload(model)
  }

  fileprivate override func dropUnsaved(from model: any PersistentModel) {
    // It was saved as nil, even if its target has a row.
    if let target = toOne.loadedTarget(of: model) { toOne.replace(target, by: nil, in: model) }
  }
}

/// A relationship to any number of models.
final class ToManyRule: RelationshipRule {
  let toMany: any ToManyRelationship
  /// The number of members that is allowed; zero for no limit.
  let minimum: Int
  let maximum: Int

  init(
    _ toMany: any ToManyRelationship, inverse: (any RelationshipProperty)?, _ relationship: Schema.Relationship?
  ) {
    self.toMany = toMany
    minimum = relationship?.minimumModelCount ?? 0
    maximum = relationship?.maximumModelCount ?? 0
    super.init(toMany, inverse: inverse, relationship)
  }

  override var mayHoldDeleted: Bool { super.mayHoldDeleted || inverseRule?.deleteRule == .deny }
  override var hasMinimum: Bool { minimum > 0 }
  var isCounted: Bool { minimum > 0 || maximum > 0 }

  override func invalidate(_ model: any PersistentModel) {
    toMany.invalidate(model)
  }

  override func dropDetached(from model: any PersistentModel, isPending: Bool, in graph: ObjectGraph) {
    func isGone(_ member: any PersistentModel) -> Bool { member._$withState { $0.status == .detached } }
    toMany.discardMemberKeys(of: model)
    guard toMany.loadedTargets(of: model).contains(where: isGone) else { return }
    graph.undoRecorder?.recordLoss(of: toMany, model)
    toMany.drop(from: model, where: isGone)
  }

  override func completeSave(of model: any PersistentModel, dirty: UInt64?, in graph: ObjectGraph) {
    toMany.complete(model)
    super.completeSave(of: model, dirty: dirty, in: graph)
  }

  fileprivate override func dropUnsaved(from model: any PersistentModel) {
    toMany.releaseTargets(of: model)
  }
}
