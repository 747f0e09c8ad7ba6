// To-manys in memory whose members others have changed are read again when they are touched. One that has only gained new
// rows at its end gains their models, so that a long list is not read for each of them.
extension ObjectGraph {
  /// What is known while changes of others are taken in.
  struct Merging {
    fileprivate struct Place: Hashable {
      let model: ObjectIdentifier
      let property: ObjectIdentifier

      init(_ model: any PersistentModel, _ property: any RelationshipProperty) {
        self.model = ObjectIdentifier(model)
        self.property = ObjectIdentifier(property)
      }
    }

    /// Whether changes are taken in just now.
    var isUnderWay = false
    /// To-ones that were seen to lead elsewhere than before.
    fileprivate var departed: Set<Place> = []
    /// The lists that some to-ones may have left of which nobody knows where they led.
    fileprivate var untraced: Set<ObjectIdentifier> = []
    /// Models that others have deleted, and that are to be saved again.
    var kept: [any PersistentModel] = []
    var keptLinks: [DeletedLink] = []
  }

  /// A list in memory that others have added rows to.
  struct GrownList {
    let owner: any PersistentModel
    let property: any RelationshipProperty
    let added: [RowKey]
  }

  // MARK: Before rows are read

  /// Has the lists in memory that others have changed read again when they are touched.
  ///
  /// - Returns: Those that have only gained rows.
  func releaseLists(_ changes: [ListChange]) -> [GrownList] {
    changes.compactMap { change in
      guard let owner = bindingsByOrdinal[change.owner.entity].map.model(change.owner.key) else { return nil }
      let properties = ModelRuntime.of(owner).properties
      guard properties.indices.contains(change.property), let property = properties[change.property].relationship,
        property.isToMany, isAsStored(property, owner)
      else { return nil }
      if let added = change.added { return GrownList(owner: owner, property: property, added: added) }
      release(property, of: owner)
      return nil
    }
  }

  /// Whether a list is in memory as the store had it: one with pending changes is merged with what the store has.
  private func isAsStored(_ property: any RelationshipProperty, _ owner: any PersistentModel) -> Bool {
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

  // MARK: While rows are read

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
      if merging.isUnderWay { merging.departed.insert(Merging.Place(model, rule.property)) }
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

  /// Notes the to-ones that others have set, and that were not seen to lead elsewhere than before: where they led, nobody
  /// knows. Their rows were not read before, or were read between the commit and the word of it.
  func noteUntraced(_ changes: ChangeInbox.EntityChanges, _ binding: EntityBinding) {
    for key in changes.relinked {
      guard let model = binding.map.model(key), let binding = model._$withState({ $0.binding }) else { continue }
      for rule in binding.relationshipRules where !rule.isToMany && changes.relinkedProperties & rule.bit != 0 {
        guard let inverse = rule.inverse, inverse.isToMany,
          !merging.departed.contains(Merging.Place(model, rule.property))
        else { continue }
        merging.untraced.insert(ObjectIdentifier(inverse))
      }
    }
  }

  // MARK: After rows were read

  /// Has lists gain what they have gained elsewhere.
  ///
  /// - Throws: Why rows of new members could not be read. All of the lists are read again then.
  func extend(_ lists: [GrownList]) throws {
    if !merging.untraced.isEmpty { releaseUntraced() }
    do {
      for list in lists where isAsStored(list.property, list.owner) { try extend(list) }
    } catch {
      for list in lists { release(list.property, of: list.owner) }
      throw error
    }
  }

  private func releaseUntraced() {
    for binding in bindingsByOrdinal {
      let rules = binding.relationshipRules.filter { rule in
        rule.isToMany && merging.untraced.contains(ObjectIdentifier(rule.property))
      }
      if rules.isEmpty { continue }
      for model in binding.map.models where model._$withState({ $0.binding === binding }) {
        for rule in rules { release(rule.property, of: model) }
      }
    }
  }

  /// Puts the models of new rows at the end of a list. Where one of them was in memory, the list is read again: it may have
  /// had the model before.
  private func extend(_ list: GrownList) throws {
    guard let destination = binding(for: list.property.destinationType) else { return }
    let isKnown = list.added.contains { bindingsByOrdinal[$0.entity].map.model($0.key) != nil }
    if isKnown { return release(list.property, of: list.owner) }
    var models: [Int64: any PersistentModel] = [:]
    let group = FetchGroup(map: destination.map)
    try destination.session.rows(of: destination.rootEntity, keys: list.added.map(\.key).sorted()) { row, reader in
      models[row.key] = receive(row, reader, group)
    }
    let (inverse, owner) = (list.property.inverse(for: list.owner), list.owner._$withState { $0.key })
    for row in list.added {
      guard let model = models[row.key] else { continue }
      // It may lead elsewhere by now.
      if let inverse, !inverse.isToMany, inverse.unresolvedKey(of: model) != owner { continue }
      list.property.append(model, to: list.owner)
    }
  }
}
