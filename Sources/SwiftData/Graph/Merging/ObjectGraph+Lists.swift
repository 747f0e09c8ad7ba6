// The members of to-manys follow what others saved. A list that is in memory gains and loses what it has to, where that
// is known, and is read anew where it is not.
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
    /// What has left a list, and may come to another: nobody else need hold it meanwhile.
    fileprivate var held: [any PersistentModel] = []
    /// The lists of which it is known what they gain.
    fileprivate var followed: Set<Place> = []
    /// To-ones that lead to the owner of such a list, and did not before.
    fileprivate var arrived: Set<Place> = []
    /// To-ones that were seen to lead elsewhere than before.
    fileprivate var departed: Set<Place> = []
    /// The lists that some to-ones may have left of which nobody knows where they led.
    fileprivate var untraced: Set<ObjectIdentifier> = []
    /// Models that others have deleted, and that are to be saved again.
    var kept: [any PersistentModel] = []
    var keptLinks: [DeletedLink] = []
  }

  /// A list in memory, and what became of it elsewhere.
  struct FollowedList {
    let owner: any PersistentModel
    let property: any RelationshipProperty
    /// In the order of the changes; nil when it has to be read anew.
    var differences: [ListChange.Difference]?
  }

  // MARK: Before rows are read

  /// Finds the lists in memory that others have changed. Those of which it is not known how are read anew when they are
  /// touched.
  ///
  /// - Returns: The others.
  func followedLists(_ changes: [ListChange]) -> [FollowedList] {
    var lists: [FollowedList] = []
    var places: [Merging.Place: Int] = [:]
    for change in changes {
      guard let owner = bindingsByOrdinal[change.owner.entity].map.model(change.owner.key) else { continue }
      let properties = ModelRuntime.of(owner).properties
      guard properties.indices.contains(change.property), let property = properties[change.property].relationship,
        property.isToMany, mayFollow(property, owner)
      else { continue }
      let place = Merging.Place(owner, property)
      if let known = places[place] {
        if let difference = change.difference {
          lists[known].differences?.append(difference)
        } else {
          lists[known].differences = nil
        }
      } else {
        places[place] = lists.count
        lists.append(FollowedList(owner: owner, property: property, differences: change.difference.map { [$0] }))
      }
    }
    for list in lists where list.differences == nil { release(list.property, of: list.owner) }
    lists.removeAll { $0.differences == nil }
    merging.followed = Set(lists.map { Merging.Place($0.owner, $0.property) })
    return lists
  }

  /// Whether a list is in memory as the store had it: one with pending changes is merged with what the store has.
  private func mayFollow(_ property: any RelationshipProperty, _ owner: any PersistentModel) -> Bool {
    property.isLoaded(owner) && owner._$withState { !$0.isPending(property.index) }
  }

  func release(_ property: any RelationshipProperty, of owner: any PersistentModel) {
    guard mayFollow(property, owner) else { return }
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

  /// Has the lists at both ends follow to-ones of a model that lead elsewhere since others have changed them.
  ///
  /// - Parameter departures: As a row reader has them, which knows nothing of pending changes.
  func follow(_ model: any PersistentModel, _ departures: [(index: Int, key: Int64)]) {
    guard let binding = model._$withState({ $0.binding }) else { return }
    let changes = model._$withState { $0.changes }
    for (index, former) in departures {
      guard let rule = binding.relationshipRules.first(where: { $0.property.index == index }), !rule.isToMany,
        let inverse = rule.inverse, inverse.isToMany,
        let destination = self.binding(for: rule.property.destinationType)
      else { continue }
      outdate(inverse)
      if merging.isUnderWay { merging.departed.insert(Merging.Place(model, rule.property)) }
      let pending = changes?.formerTarget(index)
      if former > 0, let owner = target(former, rule.property, destination), mayFollow(inverse, owner) {
        if pending == nil {
          if merging.isUnderWay { merging.held.append(model) }
          inverse.remove(model, from: owner)
        } else if inverse.hasTarget(model, owner) {
          // With a pending change it has left the former owner already, unless it was set to lead where it led. Then it
          // comes back there with the save, behind the others.
          release(inverse, of: owner)
        }
      }
      let content = pending.map { $0.target.map { $0._$withState { $0.key } } ?? $0.key }
      let key =
        content ?? rule.property.unresolvedKey(of: model)
        ?? rule.property.loadedTarget(of: model)?._$withState { $0.key } ?? 0
      guard key > 0, let owner = target(key, rule.property, destination), mayFollow(inverse, owner) else { continue }
      if pending == nil, merging.followed.contains(Merging.Place(owner, inverse)) {
        merging.arrived.insert(Merging.Place(model, rule.property))
      } else {
        release(inverse, of: owner)
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

  /// Has lists gain and lose what they have gained and lost elsewhere.
  ///
  /// - Throws: Why rows of new members could not be read. All of the lists are read anew then.
  func bringUp(_ lists: [FollowedList]) throws {
    if !merging.untraced.isEmpty { releaseUntraced() }
    let lists = lists.filter { mayFollow($0.property, $0.owner) }
    do {
      for list in lists { try bringUp(list) }
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

  private func bringUp(_ list: FollowedList) throws {
    guard let differences = list.differences,
      let destination = binding(for: list.property.destinationType)
    else { return }
    let inverse = list.property.inverse(for: list.owner)
    // Held, because the map does not hold them.
    var known: [RowKey: any PersistentModel] = [:]
    var missing: [Int64] = []
    for row in differences.flatMap(\.added) where known[row] == nil {
      if let model = bindingsByOrdinal[row.entity].map.model(row.key) {
        known[row] = model
      } else {
        missing.append(row.key)
      }
    }
    var new: [Int64: any PersistentModel] = [:]
    if !missing.isEmpty {
      let group = FetchGroup(map: destination.map)
      try destination.session.rows(of: destination.rootEntity, keys: Array(Set(missing)).sorted()) { row, reader in
        new[row.key] = receive(row, reader, group)
      }
    }
    if let inverse, !inverse.isToMany {
      gain(differences.flatMap(\.added), list, inverse, known, new)
    } else {
      for difference in differences {
        for row in difference.removed {
          if let model = bindingsByOrdinal[row.entity].map.model(row.key) {
            list.property.remove(model, from: list.owner)
          }
        }
        for row in difference.added {
          if let model = known[row] {
            // The list was read after that, or has it elsewhere.
            if list.property.hasTarget(model, list.owner) { return release(list.property, of: list.owner) }
            gain(model, list, inverse)
          } else if let model = new[row.key] {
            gain(model, list, inverse)
            known[row] = model
          }
        }
      }
    }
  }

  /// Has a list gain those that lead to its owner, each where it was added last.
  private func gain(
    _ added: [RowKey], _ list: FollowedList, _ inverse: any RelationshipProperty,
    _ known: [RowKey: any PersistentModel], _ new: [Int64: any PersistentModel]
  ) {
    let owner = list.owner._$withState { $0.key }
    var last: [RowKey: Int] = [:]
    for (place, row) in added.enumerated() { last[row] = place }
    for (place, row) in added.enumerated() where last[row] == place {
      guard let model = known[row] ?? new[row.key] else { continue }
      let key = inverse.unresolvedKey(of: model) ?? inverse.loadedTarget(of: model)?._$withState { $0.key }
      if known[row] == nil {
        if key == owner { gain(model, list, inverse) }
        continue
      }
      guard merging.arrived.contains(Merging.Place(model, inverse)) else {
        // It was here before, and may have gone and come back.
        return release(list.property, of: list.owner)
      }
      // The list may have been read after that already.
      if key == owner, !list.property.hasTarget(model, list.owner) { gain(model, list, inverse) }
    }
  }

  private func gain(
    _ model: any PersistentModel, _ list: FollowedList, _ inverse: (any RelationshipProperty)?
  ) {
    // Pending changes may have taken it away, which a rollback is to take back.
    if !journal.isFreeOfSaved, hasLeft(model, list.owner, inverse) { return release(list.property, of: list.owner) }
    list.property.append(model, to: list.owner)
  }
}
