/// One relationship of the models of an entity, as one context handles it. What depends on its kind is in ``ToOneRule`` and
/// ``ToManyRule``.
class RelationshipRule {
  let property: any RelationshipProperty
  let inverse: (any RelationshipProperty)?
  /// The mark of the property among the changed ones.
  let bit: UInt64
  let deleteRule: Schema.Relationship.DeleteRule
  /// The entity that it leads to. Set as soon as all bindings of the context are made.
  private(set) unowned var destination: EntityBinding?
  /// The rule of the inverse in the destination.
  private(set) unowned var inverseRule: RelationshipRule?
  /// The state of the store that keys of members are of which are read from now on.
  @exclusivity(unchecked) var reading = MemberReading()

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

  /// Whether it goes on leading to a deleted model until the save.
  var mayHoldDeleted: Bool { isOneWay || inverseRule?.deleteRule == .noAction }
  /// Whether the row of a model does not say where the relationship leads.
  var storesKeyElsewhere: Bool { true }
  /// Whether a save leaves something to do for it: see `completeSave`.
  var needsCompletion: Bool { true }
  /// Whether it demands a number of members.
  var hasMinimum: Bool { false }

  /// Whether it leads to nothing that has to be registered with its model, as far as one target shows.
  func isResolved(_ model: any PersistentModel, in graph: ObjectGraph) -> Bool { false }

  /// Has the next access of a model ask the store again where it leads, if its row does not say so and it has no pending
  /// changes.
  func invalidate(_ model: any PersistentModel) {}

  /// Removes targets whose rows are gone, and of whose deletion it was not notified.
  ///
  /// - Parameter isPending: Whether its value waits for a save.
  func dropDetached(from model: any PersistentModel, isPending: Bool, in graph: ObjectGraph) {}

  /// Takes what a model says of the relationship as saved.
  ///
  /// - Parameter dirty: What was written of a row that was there before; nil for a new one.
  func completeSave(of model: any PersistentModel, dirty: UInt64?, in graph: ObjectGraph) {
    if let dirty, dirty & bit == 0 { return }
    // Only an inverse is notified of a deletion.
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
  /// Whether the target's row says where it leads.
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
  /// Whether its key stays when its target is deleted.
  var mayDangle: Bool { mayHoldDeleted && !isOneWay }

  override func isResolved(_ model: any PersistentModel, in graph: ObjectGraph) -> Bool {
    toOne.loadedTarget(of: model).map(graph.isResolved) ?? true
  }

  override func invalidate(_ model: any PersistentModel) {
    guard storesKeyInTarget, model._$withState({ !$0.isPending(toOne.index) }),
      toOne.isLoaded(model) || toOne.unresolvedKey(of: model) != nil
    else { return }
    toOne.unload(model)
    toOne.recordChange(of: model)
  }

  override func dropDetached(from model: any PersistentModel, isPending: Bool, in graph: ObjectGraph) {
    guard let target = toOne.loadedTarget(of: model), target._$withState({ $0.status == .detached }) else { return }
    graph.undoRecorder?.recordLoss(of: toOne, model)
    if isPending {
      // The save reports that the target is gone. The target is notified of the link when it is inserted again.
      graph.journal.recordLink(from: model, by: toOne, toDeleted: target)
    } else {
      toOne.release(model)
      toOne.recordChange(of: model)
    }
  }

  override func completeSave(of model: any PersistentModel, dirty: UInt64?, in graph: ObjectGraph) {
    super.completeSave(of: model, dirty: dirty, in: graph)
    guard storesKeyInTarget, let dirty, dirty & bit != 0, toOne.isLoaded(model), toOne.loadedTarget(of: model) == nil
    else {
      return
    }
    // No row says that it leads nowhere, and another context may have set it.
    toOne.unload(model)
  }

  fileprivate override func dropUnsaved(from model: any PersistentModel) {
    // It was saved as leading nowhere, also if its target has a row.
    if let target = toOne.loadedTarget(of: model) { toOne.replace(target, by: nil, in: model) }
  }
}

/// A relationship to any number of models.
final class ToManyRule: RelationshipRule {
  let toMany: any ToManyRelationship
  /// How many members there may be; zero for any number.
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
    toMany.forgetAwaited(of: model)
    guard toMany.loadedTargets(of: model).contains(where: isGone) else { return }
    graph.undoRecorder?.recordLoss(of: toMany, model)
    toMany.drop(from: model, where: isGone)
  }

  override func completeSave(of model: any PersistentModel, dirty: UInt64?, in graph: ObjectGraph) {
    toMany.complete(model)
    super.completeSave(of: model, dirty: dirty, in: graph)
  }

  fileprivate override func dropUnsaved(from model: any PersistentModel) {
    toMany.release(model)
  }
}
