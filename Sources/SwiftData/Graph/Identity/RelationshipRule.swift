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
  var isKeptElsewhere: Bool { true }
  /// Whether a save leaves something to do for it: see `completeSave`.
  var needsCompletion: Bool { true }
  /// Whether it demands a number of members.
  var hasMinimum: Bool { false }

  /// Whether it leads to nothing that has to be registered with its model, as far as one target shows.
  func isSettled(_ model: any PersistentModel, in graph: ObjectGraph) -> Bool { false }

  /// Has the next access of a model ask the store again where it leads, if its row does not say so and it has no pending
  /// changes.
  func invalidate(_ model: any PersistentModel) {}

  /// Removes targets whose rows are gone, and of whose deletion it was not notified.
  ///
  /// - Parameter isPending: Whether its value waits for a save.
  func dropGone(from model: any PersistentModel, isPending: Bool, in graph: ObjectGraph) {}

  /// Takes what a model says of the relationship as saved.
  ///
  /// - Parameter dirty: What was written of a row that was there before; nil for a new one.
  func completeSave(of model: any PersistentModel, dirty: UInt64?, in graph: ObjectGraph) {
    if let dirty, dirty & bit == 0 { return }
    // Only an inverse is notified of a deletion.
    guard isOneWay, !property.loadedTargets(of: model).allSatisfy(graph.isSettled) else { return }
    graph.undoRecorder?.noteLoss(of: property, model)
    dropUnsaved(from: model)
    property.noteChange(of: model)
  }

  /// Removes targets that a save could not write.
  fileprivate func dropUnsaved(from model: any PersistentModel) {}
}

/// A relationship to one model at most.
final class ToOneRule: RelationshipRule {
  let toOne: any ToOneRelationship
  /// Whether the target's row says where it leads.
  let isKeptByTarget: Bool

  init(
    _ toOne: any ToOneRelationship, inverse: (any RelationshipProperty)?, _ relationship: Schema.Relationship?,
    isKeptByTarget: Bool
  ) {
    self.toOne = toOne
    self.isKeptByTarget = isKeptByTarget
    super.init(toOne, inverse: inverse, relationship)
  }

  override var isKeptElsewhere: Bool { isKeptByTarget }
  override var needsCompletion: Bool { isKeptByTarget || isOneWay }
  /// Whether its key stays when its target is deleted.
  var mayDangle: Bool { mayHoldDeleted && !isOneWay }

  override func isSettled(_ model: any PersistentModel, in graph: ObjectGraph) -> Bool {
    toOne.loadedTarget(of: model).map(graph.isSettled) ?? true
  }

  override func invalidate(_ model: any PersistentModel) {
    guard isKeptByTarget, model._$withState({ !$0.isPending(toOne.index) }),
      toOne.isLoaded(model) || toOne.unresolvedKey(of: model) != nil
    else { return }
    toOne.unload(model)
    toOne.noteChange(of: model)
  }

  override func dropGone(from model: any PersistentModel, isPending: Bool, in graph: ObjectGraph) {
    guard let target = toOne.loadedTarget(of: model), target._$withState({ $0.status == .gone }) else { return }
    graph.undoRecorder?.noteLoss(of: toOne, model)
    if isPending {
      // The save reports that the target is gone. The target is notified of the link when it is inserted again.
      graph.journal.noteLink(from: model, by: toOne, toGone: target)
    } else {
      toOne.release(model)
      toOne.noteChange(of: model)
    }
  }

  override func completeSave(of model: any PersistentModel, dirty: UInt64?, in graph: ObjectGraph) {
    super.completeSave(of: model, dirty: dirty, in: graph)
    guard isKeptByTarget, let dirty, dirty & bit != 0, toOne.isLoaded(model), toOne.loadedTarget(of: model) == nil
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

  override func dropGone(from model: any PersistentModel, isPending: Bool, in graph: ObjectGraph) {
    func isGone(_ member: any PersistentModel) -> Bool { member._$withState { $0.status == .gone } }
    toMany.forgetAwaited(of: model)
    guard toMany.loadedTargets(of: model).contains(where: isGone) else { return }
    graph.undoRecorder?.noteLoss(of: toMany, model)
    toMany.drop(from: model, where: isGone)
  }

  override func completeSave(of model: any PersistentModel, dirty: UInt64?, in graph: ObjectGraph) {
    toMany.settle(model)
    super.completeSave(of: model, dirty: dirty, in: graph)
  }

  fileprivate override func dropUnsaved(from model: any PersistentModel) {
    toMany.release(model)
  }
}
