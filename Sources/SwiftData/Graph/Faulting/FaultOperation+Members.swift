// Reads of to-many relationships, and of to-ones whose key is in the target's row.

extension FaultOperation {
  /// Fires a to-many, or a to-one whose key is in the target's row, for a model and some neighbours from its fetch: reads
  /// the keys of the members, or the members themselves where the program has read members in this group before.
  ///
  /// - Returns: The members of `model` if they were made and its storage may not retain them.
  func readMembers(
    _ property: any RelationshipProperty, around model: any PersistentModel
  ) throws -> [AnyObject]? {
    let group = model._$withState { $0.group }
    let identity = ObjectIdentifier(property)
    let toMany = property.toMany
    let isReadThrough = toMany != nil && group?.isReadThrough(property) ?? false
    // Otherwise the keys of the members may have been read together with another owner's.
    guard isReadThrough || toMany?.memberKeys(of: model) == nil else { return nil }
    graph.relationshipLoadHandler?(ModelContext.RelationshipLoad(of: model, property.name))
    if !graph.lifetime.isOpen {
      recordLazyLoad(of: model, property, isRelationship: true, serving: 1)
      return try readMembers(property, of: [model], model, walkedIn: nil)
    }
    let count = memberCount(property) ?? 1
    if isReadThrough {
      do {
        let owners = neighbours(of: model, for: .members(identity), at: .members(count))
        recordLazyLoad(of: model, property, isRelationship: true, serving: lacking(property, among: owners).count)
        try prefetchMembers(property, of: owners)
        if property.isLoaded(model) { return nil }
      } catch {
        // The rows of some members, or another owner's, may be the cause. The keys of the members may still be readable.
        Log.store.debug("Reading \(property.name) ahead failed: \(error)")
      }
      return try readMembers(property, of: [model], model, walkedIn: group)
    }
    let owners = neighbours(of: model, for: .property(identity), at: .keys(members: count))
    recordLazyLoad(of: model, property, isRelationship: true, serving: lacking(property, among: owners).count)
    do {
      return try readMembers(property, of: owners, model, walkedIn: group)
    } catch {
      guard owners.count > 1 else { throw error }
      return try readMembers(property, of: [model], model, walkedIn: group)
    }
  }

  /// The average number of members of an owner at the last read; nil when none were read.
  func memberCount(_ property: any RelationshipProperty) -> Int? {
    graph.core.memberCounts.withLock { $0[ObjectIdentifier(property)] }
  }

  /// Records the number of members that some owners had in total.
  func record(_ count: Int, membersOf owners: Int, _ property: any RelationshipProperty) {
    graph.core.memberCounts.withLock { $0[ObjectIdentifier(property)] = count / max(1, owners) }
  }

  /// Reads the keys of the members for some owners. The members are made at the first access.
  ///
  /// - Returns: The members of `asked` if they were made and its storage may not retain them.
  private func readMembers(
    _ property: any RelationshipProperty, of models: [any PersistentModel], _ asked: any PersistentModel,
    walkedIn ownersGroup: FetchGroup?
  ) throws -> [AnyObject]? {
    let lacking = lacking(property, among: models)
    // Other neighbours may be of a class without the property.
    guard let binding = lacking.first?.model._$withState({ $0.binding }), let rule = binding.rule(of: property),
      let destination = graph.binding(for: property.destinationType)
    else { return nil }
    let group = MemberGroup(
      of: property, rule.membershipVersion, ownersGroup: ownersGroup, owners: binding.map, members: destination.map)
    var accepted = AcceptedEntities(property)
    try binding.session.members(of: property.name, in: binding.entity, owners: lacking.map(\.key)) { owner, member in
      guard accepted.includes(graph.bindingsByOrdinal[member.entity]) else { return }
      group.add(member, of: owner)
    }
    record(group.keys.count, membersOf: group.sections.count, property)
    var unheld: [AnyObject]?
    var owners = Dictionary(uniqueKeysWithValues: lacking)
    let pending = graph.pendingKeys(of: destination)
    for (index, section) in group.sections.enumerated() {
      guard let owner = owners.removeValue(forKey: section.owner) else { continue }
      let members = MemberGroup.SectionReference(group: group, index: index)
      // Pending changes may have unlinked members, and a save must not link them again.
      let isResolved = pending.isEmpty || !group.keys[section.positions].contains { pending.contains($0) }
      if let toMany = property.toMany, isResolved, graph.lifetime.isOpen {
        toMany.setMemberKeys(members, of: owner)
      } else {
        let made = try makeMembers(members, owner)
        if owner === asked { unheld = made }
      }
    }
    if !graph.lifetime.isOpen { return unheld ?? [] }
    for owner in owners.values { property.fill(owner, with: []) }
    return unheld
  }

  /// The models whose relationship is not read, with their keys.
  func lacking(
    _ property: any RelationshipProperty, among models: [any PersistentModel]
  ) -> [(key: Int64, model: any PersistentModel)] {
    var lacking: [(key: Int64, model: any PersistentModel)] = []
    lacking.reserveCapacity(models.count)
    var seen = Set<Int64>(minimumCapacity: models.count)
    for model in models where has(model, property) && !property.isLoaded(model) {
      let (key, isFault) = model._$withState { ($0.key, $0.isFault) }
      // Many models can have the same target, which is read once.
      guard key > 0, property.toMany != nil || !isFault, seen.insert(key).inserted else { continue }
      lacking.append((key, model))
    }
    return lacking
  }

  /// Makes the members of one owner, as faults.
  ///
  /// - Returns: The members if the owner's storage may not retain them.
  func makeMembers(_ members: MemberGroup.SectionReference, _ owner: any PersistentModel) throws -> [AnyObject]? {
    let group = members.group
    let positions = group.sections[members.index].positions
    // A constant is set when its model is made, which requires the row.
    if positions.contains(where: { graph.bindingsByOrdinal[group.entityOrdinal(at: $0)].runtime.hasConstants }) {
      try readMemberRows(group, group.window(around: Int32(truncatingIfNeeded: positions.lowerBound), for: .row))
      if group.property.isLoaded(owner) { return nil }
    }
    let models: [AnyObject] = try positions.map { position in
      let model = try graph.fault(group.keys[position], graph.bindingsByOrdinal[group.entityOrdinal(at: position)])
      graph.join(group, model, at: Int32(truncatingIfNeeded: position))
      return model
    }
    return fill(owner, group.property, with: models)
  }

  /// Reads the rows of the members at some positions, and stores them in the owners whose members are not made yet.
  func readMemberRows(_ group: MemberGroup, _ positions: Range<Int>) throws {
    guard let destination = graph.binding(for: group.property.destinationType) else { return }
    let sections = group.sectionIndices(overlapping: positions)
    guard let last = sections.last else { return }
    var waiting: [(owner: any PersistentModel, positions: Range<Int>)] = []
    var lacking: [MemberBuffer.Member] = []
    lacking.reserveCapacity(positions.count)
    for index in sections {
      let section = group.sections[index].positions
      let owner = graph.lifetime.isOpen ? group.waitingOwner(index) : nil
      if let owner { waiting.append((owner, section)) }
      for position in owner == nil ? section.clamped(to: positions) : section {
        lacking.append(MemberBuffer.Member(key: group.keys[position], position: position, isNeeded: owner != nil))
      }
    }
    if let end = waiting.last?.positions.upperBound, end == group.sections[last].positions.upperBound {
      group.skip(to: max(end, positions.upperBound), for: .row)
    }
    let rows = MemberBuffer(lacking, firstPosition: group.sections[sections.lowerBound].positions.lowerBound)
    // The row may have changed to a class that the relationship does not accept.
    var accepted = AcceptedEntities(group.property)
    let keys = rows.retainRegistered { key in
      guard let model = group.map.model(key),
        model._$withState({ $0.withBinding { accepted.includes($0) } }) == true
      else { return .absent }
      return model._$withState { $0.isFault } ? .fault(model) : .loaded(model)
    }
    if !keys.isEmpty {
      try destination.session.rows(of: destination.rootEntity, keys: keys) { row, reader in
        guard let position = rows.position(of: row.key) else { return }
        let binding = graph.bindingsByOrdinal[row.entity]
        let model = graph.receive(row.key, binding, reader, group, at: Int32(truncatingIfNeeded: position))
        if accepted.includes(binding) { rows.put(model, row.key) }
      }
    }
    for (owner, positions) in waiting { fill(owner, group.property, with: rows.take(positions)) }
  }

  /// Stores the members that the store has, and applies pending changes of the members.
  ///
  /// - Returns: The members if the owner's storage may not retain them.
  @discardableResult
  func fill(
    _ owner: any PersistentModel, _ property: any RelationshipProperty, with members: [AnyObject]
  ) -> [AnyObject]? {
    if !graph.lifetime.isOpen { return members }
    property.fill(owner, with: members)
    if graph.journal.isFreeOfSaved { return nil }
    let inverse = property.inverse(for: owner)
    // A member that was unlinked while its owner was not in memory is unlinked now, so that a rollback links it again. The
    // undo manager was notified when the member was unlinked.
    for case let member as any PersistentModel in members where graph.hasLeft(member, owner, inverse) {
      graph.withoutUndo { property.unlink(member, from: owner) }
    }
    return nil
  }

  func has(_ model: any PersistentModel, _ property: any RelationshipProperty) -> Bool {
    model._$withState { $0.binding?.runtime.has(property) } ?? false
  }
}
