/// Reverts models to their values before a step, as far as the models exist. This is a change like any other.
struct UndoOperation {
  let graph: ObjectGraph
  let step: UndoStep

  func run() {
    // The lists are read before anything is reverted, so that they include later changes of other contexts.
    let toManys = step.values.filter { $0.property.toMany != nil }
    let (present, absent) = (
      toManys.filter { graph.isResolved($0.model) }.filter(areMembersRead),
      toManys.filter { !graph.isResolved($0.model) }
    )
    for model in step.deleted.reversed() where isFree(model) { restore(model) }
    for value in step.values where graph.isResolved(value.model) {
      switch value.previous {
      case .value(let slot): value.property.assign(slot: slot, to: value.model)
      case .target(let target): lead(value.model, value.property, to: target)
      case .members, .difference: break
      }
    }
    // To-manys come last, because they have the order.
    for value in present where graph.isResolved(value.model) { restoreMembers(value, isBack: false) }
    for value in absent where graph.isResolved(value.model) { restoreMembers(value, isBack: true) }
    // Models that the step inserted and deleted come back with the models that they belonged to.
    for model in step.inserted where graph.isResolved(model) { unlinkOlder(of: model) }
    for model in step.inserted.reversed() where graph.isResolved(model) { graph.delete(cascadingFrom: model) }
  }

  /// Unlinks older models from a model that is about to be deleted, so that the deletion does not cascade to them. Targets
  /// with an inverse are linked to their previous owner already.
  private func unlinkOlder(of model: any PersistentModel) {
    for rule in EntityBinding.rules(of: model) where rule.deleteRule == .cascade {
      let targets = rule.property.loadedTargets(of: model)
      let kept = targets.filter(step.hasInserted)
      if kept.count < targets.count { rule.property.assign(targets: kept, to: model) }
    }
  }

  /// Whether a model can be restored: it may have moved to another context, and one that was never read has no values.
  private func isFree(_ model: any PersistentModel) -> Bool {
    model._$withState { state in
      switch state.status {
      case .transient, .detached: state.graphIdentity == nil && !state.isUnreadable
      case .deleted: state.belongs(to: graph)
      case .pending, .persistent: false
      }
    }
  }

  private func restore(_ model: any PersistentModel) {
    // It is restored without its targets: these may have been deleted since, and would be registered with it.
    if model._$withState({ $0.status != .deleted }) {
      for property in ModelRuntime.of(model).relationships { property.drop(from: model) { _ in true } }
    }
    graph.register(model)
  }

  private func lead(
    _ model: any PersistentModel, _ property: _ModelProperty, to target: (any PersistentModel)?
  ) {
    guard let relationship = property.toOne else { return }
    var target = target
    if let known = target, !graph.isResolved(known) {
      // This context or another one has deleted the target.
      graph.undoRecorder?.recordLoss(of: relationship, model, [known], left: [])
      target = nil
    }
    if target == nil, relationship.isRequired { return }
    property.assign(target, to: model)
  }

  // MARK: To-manys

  /// - Parameter isBack: Whether the owner was deleted and has just been restored.
  private func restoreMembers(_ value: UndoStep.Value, isBack: Bool) {
    guard let property = value.property.toMany, areMembersRead(value) else { return }
    switch value.previous {
    case .difference(let added, let removed):
      revertDifference(added, removed, property, value.model)
    case .members(let before, let after):
      let restored = isBack ? returnedMembers : merged
      restore(restored(before, after ?? before, property, value.model), property, value.model)
    case .value, .target: break
    }
  }

  private func areMembersRead(_ value: UndoStep.Value) -> Bool {
    guard let property = value.property.toMany else { return false }
    return property.isLoaded(value.model)
      || graph.attempt("reading the members of a relationship") { _ = try property.targets(of: value.model) }
  }

  /// Removes the members that a step added, and adds the removed ones. It does not visit all members if the added ones
  /// are the last, or the removed ones are back at their positions.
  private func revertDifference(
    _ added: [any PersistentModel], _ removed: [UndoStep.RemovedMember], _ property: any ToManyRelationship,
    _ model: any PersistentModel
  ) {
    let inverse = property.inverse(for: model)
    let staying = added.filter { leads($0, to: model, inverse) }
    // The array is not stored in a variable: a change would copy it.
    func holds(_ isSo: ([AnyObject]) -> Bool) -> Bool { property.members(of: model).map(isSo) ?? false }
    if removed.isEmpty, holds({ $0.suffix(staying.count).elementsEqual(staying) { $0 === $1 } }) {
      // Without another target, a required to-one cannot be unlinked.
      if inverse?.toOne?.isRequired == true { return }
      for member in staying.reversed() { RelationshipLinks.unlink(member, from: model, property, inverse) }
    } else if !added.isEmpty
      || !holds({ list in removed.allSatisfy { $0.index < list.count && list[$0.index] === $0.model } })
    {
      restore(UndoStep.members(property.loadedTargets(of: model), without: added, with: removed), property, model)
    }
  }

  /// Whether an added model can still be a member. If the inverse is a to-one, its target is the owner then.
  private func leads(
    _ member: any PersistentModel, to model: any PersistentModel, _ inverse: (any RelationshipProperty)?
  ) -> Bool {
    guard let inverse = inverse?.toOne, let targets = try? inverse.targets(of: member) else { return true }
    return targets.first === model
  }

  /// The members before a step, merged with later changes of other contexts.
  private func merged(
    _ before: [any PersistentModel], _ after: [any PersistentModel], _ property: any ToManyRelationship,
    _ model: any PersistentModel
  ) -> [any PersistentModel] {
    let present = UndoStep.kept(property.loadedTargets(of: model), of: before)
    return OrderedMerge.merge(base: after, mine: before, theirs: present, isMineFirst: true) { ObjectIdentifier($0) }
  }

  /// The members of a restored model: its members before the deletion, and members that other contexts have added since.
  private func returnedMembers(
    _ before: [any PersistentModel], _ after: [any PersistentModel], _ property: any ToManyRelationship,
    _ model: any PersistentModel
  ) -> [any PersistentModel] {
    let known = Set((before + after).map { ObjectIdentifier($0) })
    let inverse = property.inverse(for: model)
    // Members that the step itself changed are restored with the owner, or are about to be linked to their previous owner.
    return before
      + property.loadedTargets(of: model).filter { member in
        !known.contains(ObjectIdentifier(member)) && !step.hasDeleted(member)
          && inverse.map { step.needs($0.index, of: member) } ?? true
      }
  }

  private func restore(
    _ restored: [any PersistentModel], _ property: any ToManyRelationship, _ model: any PersistentModel
  ) {
    var members = restored.filter(graph.isResolved)
    graph.undoRecorder?.recordLoss(of: property, model, restored, left: members)
    let present = property.loadedTargets(of: model)
    if property.inverse(for: model)?.toOne?.isRequired == true {
      // Their required to-one has no other target: the previous one is gone.
      let known = Set(members.map { ObjectIdentifier($0) })
      members += present.filter { !known.contains(ObjectIdentifier($0)) }
    }
    if members.elementsEqual(present, by: { $0 === $1 }) { return }
    property.assign(targets: members, to: model)
  }
}
