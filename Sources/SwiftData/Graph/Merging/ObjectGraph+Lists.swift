// To-manys in memory whose members others have changed are read again when they are touched.
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

  /// Has lists that a member goes to or comes from by a rollback read anew, as far as the rollback does not do so anyway:
  /// where others have moved it, only one of them knows.
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

  /// Has the to-manys of a model read anew.
  func releaseMembers(of model: any PersistentModel) {
    for property in ModelRuntime.of(model).relationships where property.isToMany { release(property, of: model) }
  }

  /// Has nobody wait for members whose keys were read before others changed which they are.
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
