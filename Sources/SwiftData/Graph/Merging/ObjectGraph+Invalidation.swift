// The next access to an invalidated to-many reads it again.
extension ObjectGraph {
  /// Whether a list is in memory as the store had it: one with pending changes is merged with what the store has.
  func isAsStored(_ property: any RelationshipProperty, _ owner: any PersistentModel) -> Bool {
    property.isLoaded(owner) && owner._$withState { !$0.isPending(property.index) }
  }

  func release(_ property: any RelationshipProperty, of owner: any PersistentModel) {
    guard isAsStored(property, owner) else { return }
    property.release(owner)
    property.noteChange(of: owner)
  }

  /// Invalidates the to-manys that gain or lose a member by a rollback and that the rollback itself does not invalidate:
  /// where another context has moved the member, only one of the two lists has that change.
  ///
  /// - Parameter owners: The keys of what the member led to.
  func releaseLists(withMember model: any PersistentModel, _ property: _ModelProperty, owners: [Int64]) {
    guard let relationship = property.relationship, let inverse = relationship.inverse(for: model), inverse.isToMany,
      let destination = binding(for: relationship.destinationType)
    else { return }
    for key in owners where key > 0 {
      if let owner = target(key, relationship, destination) { release(inverse, of: owner) }
    }
  }

  /// Invalidates the to-manys of a model.
  func releaseMembers(of model: any PersistentModel) {
    for property in ModelRuntime.of(model).relationships where property.isToMany { release(property, of: model) }
  }

  /// Discards the member keys that were read ahead before another context changed the members.
  func outdateAwaited(among ordinals: Set<Int>) {
    if ordinals.isEmpty { return }
    let maps = Set(ordinals.map { ObjectIdentifier(bindingsByOrdinal[$0].map) })
    for binding in bindingsByOrdinal {
      for rule in binding.relationshipRules where rule.isToMany {
        guard let destination = self.binding(for: rule.property.destinationType),
          maps.contains(ObjectIdentifier(destination.map)) || maps.contains(ObjectIdentifier(binding.map))
        else { continue }
        rule.reading = rule.reading.outdated()
      }
    }
  }

  /// Has the lists at both ends of to-ones read again that lead elsewhere since others have changed them.
  ///
  /// - Parameter departures: As a row reader has them, which knows nothing of pending changes.
  func releaseEnds(of departures: [(index: Int, key: Int64)], _ model: any PersistentModel) {
    guard let binding = model._$withState({ $0.binding }) else { return }
    let changes = model._$withState { $0.changes }
    for (index, former) in departures {
      guard let rule = binding.relationshipRules.first(where: { $0.property.index == index }), !rule.isToMany,
        let inverse = rule.inverse, inverse.isToMany,
        let destination = self.binding(for: rule.property.destinationType)
      else { continue }
      outdate(inverse)
      mergeOperation?.noteDeparture(of: rule.property, model)
      let present =
        changes?.formerTarget(index)?.rowKey ?? rule.property.unresolvedKey(of: model)
        ?? rule.property.loadedTarget(of: model)?._$withState { $0.key }
      for key in [former, present ?? 0] where key > 0 {
        if let owner = target(key, rule.property, destination) { release(inverse, of: owner) }
      }
    }
  }

  private func outdate(_ property: any RelationshipProperty) {
    for binding in bindingsByOrdinal {
      guard let rule = binding.rule(of: property) else { continue }
      rule.reading = rule.reading.outdated()
    }
  }
}

// What leads to models of some entities asks the store again, where others may have changed where that leads.
extension ObjectGraph {
  /// After deletions: relationships that were not told of them look for their targets again.
  ///
  /// - Parameter includingMutual: Whether also relationships with an inverse may not have been told.
  func releaseLinks(to ordinals: Set<Int>, includingMutual: Bool = false) {
    func mayBeUntold(_ rule: EntityBinding.RelationshipRule) -> Bool { includingMutual || rule.mayHoldDeleted }
    visitSources(of: ordinals, where: mayBeUntold) { model, rule in
      let property = rule.property
      property.forgetAwaited(of: model)
      if model._$withState({ $0.isPending(property.index) }) { return dropGone(from: model, rule) }
      guard property.loadedTargets(of: model).contains(where: { $0._$withState { $0.status == .gone } }) else { return }
      if UndoRecorder.areThereAny { undoRecorder?.noteLoss(of: property, model) }
      if rule.isToMany { return property.drop(from: model) { $0._$withState { $0.status == .gone } } }
      property.release(model)
      property.noteChange(of: model)
    }
    if ordinals.isEmpty { return }
    for model in journal.inserted.models {
      guard let binding = model._$withState({ $0.binding }) else { continue }
      for rule in binding.relationshipRules where mayBeUntold(rule) {
        dropGone(from: model, rule)
      }
    }
  }

  /// Takes what others deleted out of a to-many with pending changes. What a to-one was set to stays, so that the save
  /// tells that it is gone, and learns of it should it come back.
  private func dropGone(from model: any PersistentModel, _ rule: EntityBinding.RelationshipRule) {
    if UndoRecorder.areThereAny { undoRecorder?.noteLoss(of: rule.property, model) }
    if rule.isToMany { return rule.property.drop(from: model) { $0._$withState { $0.status == .gone } } }
    guard let target = rule.property.loadedTarget(of: model), target._$withState({ $0.status == .gone }) else { return }
    journal.noteLink(from: model, by: rule.property, toGone: target)
  }

  /// Makes to-many relationships that may have gained or lost members, or have them in another order, ask the store again:
  /// those that lead to models of some entities, and those of these models.
  func releaseMembers(of ordinals: Set<Int>) {
    visitSources(of: ordinals, includingOwn: true, where: \.isToMany) { model, rule in
      let property = rule.property
      property.forgetAwaited(of: model)
      guard property.isLoaded(model), model._$withState({ !$0.isPending(property.index) }) else { return }
      property.release(model)
      property.noteChange(of: model)
    }
  }

  /// The same for to-one relationships that the rows of their targets tell.
  func releaseTargets(among ordinals: Set<Int>) {
    visitSources(of: ordinals, where: \.isKeptByTarget) { model, rule in
      let property = rule.property
      guard model._$withState({ !$0.isPending(property.index) }),
        property.isLoaded(model) || property.unresolvedKey(of: model) != nil
      else { return }
      property.unload(model)
      property.noteChange(of: model)
    }
  }

  /// Calls `body` for each registered model and those of its relationships that can lead to models of some entities.
  ///
  /// - Parameter includingOwn: Whether also for the relationships of these models, wherever they lead.
  private func visitSources(
    of ordinals: Set<Int>, includingOwn: Bool = false, where isIncluded: (EntityBinding.RelationshipRule) -> Bool,
    _ body: (_ source: any PersistentModel, _ rule: EntityBinding.RelationshipRule) -> Void
  ) {
    if ordinals.isEmpty { return }
    let maps = Set(ordinals.map { ObjectIdentifier(bindingsByOrdinal[$0].map) })
    for binding in bindingsByOrdinal {
      let rules = binding.relationshipRules.filter { rule in
        guard isIncluded(rule), let destination = self.binding(for: rule.property.destinationType) else { return false }
        return maps.contains(ObjectIdentifier(destination.map))
          || includingOwn && maps.contains(ObjectIdentifier(binding.map))
      }
      guard !rules.isEmpty else { continue }
      for model in binding.map.models where model._$withState({ $0.binding === binding }) {
        for rule in rules { body(model, rule) }
      }
    }
  }
}
