/// Merges relationships with unsaved changes after another context has saved changes of the same relationships: pending
/// changes are applied to the members that the store has now.
struct PendingMerge {
  let graph: ObjectGraph

  /// A to-many with pending changes that is in memory.
  private struct Pending {
    let key: Int64
    let model: any PersistentModel
  }

  /// Merges relationships that have pending changes, and the inverses of these changes, with the store's current values.
  ///
  /// - Parameter ordinals: The entities whose rows other contexts have linked, unlinked, inserted or deleted.
  /// - Throws: Why the members could not be read.
  func run(_ ordinals: Set<Int>) throws {
    if graph.journal.changed.isEmpty || ordinals.isEmpty { return }
    let touched = Set(ordinals.map { ObjectIdentifier(graph.bindingsByOrdinal[$0].map) })
    for (rule, binding, owners) in pendingMembers(touched) {
      do {
        try mergeMembers(of: rule, binding, owners)
      } catch let error as SwiftDataError where error == .modelValidationFailure {
        // The members of one owner are damaged in the store. They keep their state in memory.
        Log.store.error(
          "\(rule.property.name) of \(binding.entity.name), which another context changed, cannot be read: \(error)")
        for owner in owners { try mergeUndamaged(rule, binding, owner) }
      }
    }
    notifyOtherSides(touched)
    try notifyTargets()
  }

  /// Merges the to-manys of models whose deletion was cancelled: no merge has changed them while they were deleted.
  func run(of models: [any PersistentModel]) throws {
    for model in models {
      let (key, binding) = model._$withState { ($0.key, $0.binding) }
      guard let binding else { continue }
      for rule in binding.toManys where rule.property.isLoaded(model) {
        guard model._$withState({ $0.isPending(rule.property.index) }) else { continue }
        try mergeMembers(of: rule, binding, [Pending(key: key, model: model)], areBack: true)
      }
    }
  }

  private func mergeUndamaged(_ rule: ToManyRule, _ binding: EntityBinding, _ owner: Pending) throws {
    do {
      try mergeMembers(of: rule, binding, [owner])
    } catch let error as SwiftDataError where error == .modelValidationFailure {
      Log.store.error("The members of \(binding.entity.name) \(owner.key) are not merged.")
    }
  }

  /// The to-many relationships with pending changes whose members other contexts may have changed.
  private func pendingMembers(
    _ touched: Set<ObjectIdentifier>
  ) -> [(rule: ToManyRule, binding: EntityBinding, owners: [Pending])] {
    var found: [(rule: ToManyRule, binding: EntityBinding, owners: [Pending])] = []
    var indices: [ObjectIdentifier: Int] = [:]
    for model in graph.journal.changed.models {
      let (status, key, changes, binding) = model._$withState { ($0.status, $0.key, $0.changes, $0.binding) }
      guard status == .persistent, let changes, let binding else { continue }
      for rule in binding.toManys where isTouched(rule, binding, touched) {
        guard changes.entry(rule.property.index) != nil, rule.property.isLoaded(model) else { continue }
        let index = indices[ObjectIdentifier(rule)] ?? found.count
        if index == found.count {
          indices[ObjectIdentifier(rule)] = index
          found.append((rule, binding, []))
        }
        found[index].owners.append(Pending(key: key, model: model))
      }
    }
    return found
  }

  /// Whether other contexts may have changed the links of a relationship.
  private func isTouched(_ rule: RelationshipRule, _ binding: EntityBinding, _ touched: Set<ObjectIdentifier>) -> Bool {
    guard let destination = rule.destination else { return false }
    return touched.contains(ObjectIdentifier(binding.map)) || touched.contains(ObjectIdentifier(destination.map))
  }

  /// Makes both sides of pending links between to-manys agree, once each has the store's current members.
  private func notifyOtherSides(_ touched: Set<ObjectIdentifier>) {
    for side in UnmarkedSide.sides(of: pendingLinks(touched)) {
      let (model, property) = (side.model, side.property)
      if property.isLoaded(model), property.hasTarget(side.other, in: model) == side.isLink { continue }
      if side.isLink { property.link(side.other, to: model) } else { property.unlink(side.other, from: model) }
    }
  }

  /// The pending changes of links between to-manys that other contexts may have changed.
  private func pendingLinks(_ touched: Set<ObjectIdentifier>) -> [SavePlan.Membership] {
    var links: [SavePlan.Membership] = []
    for model in graph.journal.changed.models {
      let (changes, binding) = model._$withState { ($0.changes, $0.binding) }
      guard let changes, let binding else { continue }
      for rule in binding.toManys where rule.inverse?.toMany != nil && isTouched(rule, binding, touched) {
        guard changes.members(rule.property.index) != nil else { continue }
        links.append(
          SavePlan.Membership(owner: model, property: rule.toMany, change: rule.toMany.membership(of: model)))
      }
    }
    return links
  }

  /// Sets the inverses of to-ones with pending changes: links the target, and for one-to-ones unlinks the previous target,
  /// where the store has another state by now.
  private func notifyTargets() throws {
    for model in graph.journal.changed.models {
      let (status, changes, binding) = model._$withState { ($0.status, $0.changes, $0.binding) }
      guard status == .persistent, let changes, let binding else { continue }
      for rule in binding.toOnes {
        guard let previous = changes.previousTarget(rule.property.index), let inverse = rule.inverse else { continue }
        let target = rule.property.loadedTarget(of: model)
        if inverse.toOne != nil, let old = try previousTarget(rule, previous), old !== target {
          try inverse.prepareToUnlink(from: old)
          inverse.unlink(model, from: old)
        }
        guard let target, target._$withState({ $0.isLive }), !previous.leads(to: target),
          !inverse.hasTarget(model, in: target)
        else { continue }
        inverse.link(model, to: target)
      }
    }
  }

  /// The committed target of a to-one with pending changes.
  private func previousTarget(_ rule: ToOneRule, _ previous: _ToOneContent) throws -> (any PersistentModel)? {
    guard previous.target == nil, previous.key > 0, let destination = rule.destination else { return nil }
    return try graph.find(previous.key, destination)
  }

  /// - Parameter areBack: Whether the owners were deleted until now, so that their members were unlinked.
  private func mergeMembers(
    of rule: ToManyRule, _ binding: EntityBinding, _ owners: [Pending], areBack: Bool = false
  ) throws {
    let (property, inverse) = (rule.toMany, rule.inverse)
    var accepted = AcceptedEntities(property)
    var rows: [Int64: [RowKey]] = [:]
    try binding.session.members(of: property.name, in: binding.entity, owners: owners.map(\.key)) { owner, member in
      if accepted.includes(graph.bindingsByOrdinal[member.entity]) { rows[owner, default: []].append(member) }
    }
    // All are made before the first is changed: if one cannot be made, nothing changes.
    let members = try owners.map { owner in
      try (rows[owner.key] ?? []).map { try graph.fault($0.key, graph.bindingsByOrdinal[$0.entity]) }
    }
    for (owner, members) in zip(owners, members) {
      if let inverse = inverse?.toOne { dropStale(property, owner, inverse, isBack: areBack) }
      let changes = owner.model._$withState { $0.changes }?.members(property.index)
      let mutual = inverse?.toMany
      let pending = mutual == nil ? [] : changes.map { $0.linked + $0.unlinked } ?? []
      let previous = mutual == nil ? [] : property.loadedTargets(of: owner.model)
      property.merge(owner.model, with: members) { graph.hasLeft($0, owner.model, inverse) }
      // A link that was removed and added again is no change of this side, and can be a change of the other.
      let left = previous.filter { !property.hasTarget($0, in: owner.model) }.map { $0 as AnyObject }
      if let changes, let mutual, !pending.isEmpty || !left.isEmpty {
        complete(pending + left, changes, of: owner.model, mutual)
      }
      if let inverse { try notifyRemoved(members, property, owner.model, inverse) }
    }
  }

  /// Removes pending changes that other contexts have saved as well from the inverses, where these are not read: without
  /// the members they cannot be compared with the store.
  ///
  /// - Parameter pending: The models that were linked or unlinked before the read, or have left since.
  private func complete(
    _ pending: [AnyObject], _ changes: MemberChanges, of owner: any PersistentModel, _ inverse: any RelationshipProperty
  ) {
    let left = Set((changes.linked + changes.unlinked).map { ObjectIdentifier($0) })
    for case let target as any PersistentModel in pending where !left.contains(ObjectIdentifier(target)) {
      if !inverse.isLoaded(target) { target._$withState { $0.changes }?.members(inverse.index)?.complete(owner) }
    }
  }

  /// Removes members whose to-one has another target: the cancellation of a deletion linked them before the changes of
  /// other contexts were merged, or a change of their to-one linked a model that was a member already.
  private func dropStale(
    _ property: any ToManyRelationship, _ owner: Pending, _ inverse: any ToOneRelationship, isBack: Bool
  ) {
    property.drop(from: owner.model) { member in
      guard member._$withState({ $0.status == .persistent }) else { return false }
      if member._$withState({ $0.isPending(inverse.index) }) {
        return !isBack && inverse.isLoaded(member) && graph.hasLeft(member, owner.model, inverse)
      }
      if let target = inverse.loadedTarget(of: member) { return target !== owner.model }
      return inverse.unreadKey(of: member).map { $0 != owner.key } ?? inverse.isLoaded(member)
    }
  }

  /// Unlinks members that pending changes removed on their owner's side. A member may not have had the owner as its target
  /// then, because the save of another context was not merged yet.
  private func notifyRemoved(
    _ stored: [any PersistentModel], _ property: any RelationshipProperty, _ owner: any PersistentModel,
    _ inverse: any RelationshipProperty
  ) throws {
    let kept = Set(property.loadedTargets(of: owner).map(ObjectIdentifier.init))
    for member in stored where !kept.contains(ObjectIdentifier(member)) {
      if inverse.toMany?.hasTarget(owner, in: member) == false { continue }
      try inverse.prepareToUnlink(from: member)
      inverse.unlink(owner, from: member)
    }
  }
}
