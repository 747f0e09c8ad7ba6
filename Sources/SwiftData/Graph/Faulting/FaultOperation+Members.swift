// What leads to several models: to-many relationships, and to-ones whose key stands in another row.

extension FaultOperation {
  /// Reads what a to-many lacks, or a to-one whose key stands in its target's row, of a model and of some that came
  /// with it: the keys of the members, or the members themselves where the program has read members of this group before.
  ///
  /// - Returns: The members of `model` where they are made at once and it may not hold them.
  func readMembers(
    _ property: any RelationshipProperty, around model: any PersistentModel
  ) throws -> [AnyObject]? {
    let group = model._$withState { $0.group }
    let identity = ObjectIdentifier(property)
    let toMany = property.toMany
    let isReadThrough = toMany != nil && group?.isReadThrough(property) ?? false
    // The keys of the members came with those of another owner otherwise.
    guard isReadThrough || toMany?.awaited(of: model) == nil else { return nil }
    graph.relationshipLoadHandler?(ModelContext.RelationshipLoad(of: model, property.name))
    if !graph.lifetime.isOpen { return try readMembers(property, of: [model], model, walkedIn: nil) }
    let count = memberCount(property) ?? 1
    if isReadThrough {
      do {
        try prefetchMembers(property, of: neighbours(of: model, for: .members(identity), at: .members(count)))
        if property.isLoaded(model) { return nil }
      } catch {
        // The rows of some members, or of another owner's, may be the cause. Which members there are may still be
        // readable.
        Log.store.debug("Reading \(property.name) ahead failed: \(error)")
      }
      return try readMembers(property, of: [model], model, walkedIn: group)
    }
    let owners = neighbours(of: model, for: .property(identity), at: .keys(members: count))
    do {
      return try readMembers(property, of: owners, model, walkedIn: group)
    } catch {
      guard owners.count > 1 else { throw error }
      return try readMembers(property, of: [model], model, walkedIn: group)
    }
  }

  /// The number of members that an owner had when some were read last; nil when none were read.
  func memberCount(_ property: any RelationshipProperty) -> Int? {
    graph.core.memberCounts.withLock { $0[ObjectIdentifier(property)] }
  }

  /// Notes how many members some owners had in all.
  func record(_ count: Int, membersOf owners: Int, _ property: any RelationshipProperty) {
    graph.core.memberCounts.withLock { $0[ObjectIdentifier(property)] = count / max(1, owners) }
  }

  /// Reads which members a to-many of some models has. They are made at the first access.
  ///
  /// - Returns: The members of `asked` where they are made at once and it may not hold them.
  private func readMembers(
    _ property: any RelationshipProperty, of models: [any PersistentModel], _ asked: any PersistentModel,
    walkedIn source: FetchGroup?
  ) throws -> [AnyObject]? {
    let lacking = lacking(property, among: models)
    // Others may be of a class that has no such property.
    guard let binding = lacking.first?.model._$withState({ $0.binding }), let rule = binding.rule(of: property),
      let destination = graph.binding(for: property.destinationType)
    else { return nil }
    let group = MemberGroup(
      of: property, rule.reading, source: source, owners: binding.map, members: destination.map)
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
      let members = MemberGroup.Section(group: group, index: index)
      // Pending changes may have taken members away, which the save must not bring back.
      let isResolved = pending.isEmpty || !group.keys[section.places].contains { pending.contains($0) }
      if let toMany = property.toMany, isResolved, graph.lifetime.isOpen {
        toMany.await(members, of: owner)
      } else {
        let made = try makeMembers(members, owner)
        if owner === asked { unheld = made }
      }
    }
    if !graph.lifetime.isOpen { return unheld ?? [] }
    for owner in owners.values { property.fill(owner, with: []) }
    return unheld
  }

  /// The models that lack what a relationship leads to, by their keys.
  func lacking(
    _ property: any RelationshipProperty, among models: [any PersistentModel]
  ) -> [(key: Int64, model: any PersistentModel)] {
    var lacking: [(key: Int64, model: any PersistentModel)] = []
    lacking.reserveCapacity(models.count)
    var seen = Set<Int64>(minimumCapacity: models.count)
    for model in models where has(model, property) && !property.isLoaded(model) {
      let (key, isFault) = model._$withState { ($0.key, $0.isFault) }
      // Many rows can have led to the same model, for which one key is enough.
      guard key > 0, property.toMany != nil || !isFault, seen.insert(key).inserted else { continue }
      lacking.append((key, model))
    }
    return lacking
  }

  /// Makes the members of one owner. Their rows are read at the first access.
  ///
  /// - Returns: The members when the owner may not hold them.
  func makeMembers(_ members: MemberGroup.Section, _ owner: any PersistentModel) throws -> [AnyObject]? {
    let group = members.group
    let places = group.sections[members.index].places
    // A constant is set while its model is made, which takes the row.
    if places.contains(where: { graph.bindingsByOrdinal[group.entity(at: $0)].runtime.hasConstants }) {
      try readMemberRows(group, group.window(around: Int32(truncatingIfNeeded: places.lowerBound), for: .row))
      if group.property.isLoaded(owner) { return nil }
    }
    let models: [AnyObject] = try places.map { place in
      let model = try graph.fault(group.keys[place], graph.bindingsByOrdinal[group.entity(at: place)])
      graph.join(group, model, at: Int32(truncatingIfNeeded: place))
      return model
    }
    return fill(owner, group.property, with: models)
  }

  /// Reads the rows of members at some places, and gives them to the owners that wait for theirs.
  func readMemberRows(_ group: MemberGroup, _ places: Range<Int>) throws {
    guard let destination = graph.binding(for: group.property.destinationType) else { return }
    let sections = group.sections(in: places)
    guard let last = sections.last else { return }
    var waiting: [(owner: any PersistentModel, places: Range<Int>)] = []
    var lacking: [MemberRows.Member] = []
    lacking.reserveCapacity(places.count)
    for index in sections {
      let section = group.sections[index].places
      let owner = graph.lifetime.isOpen ? group.waitingOwner(index) : nil
      if let owner { waiting.append((owner, section)) }
      for place in owner == nil ? section.clamped(to: places) : section {
        lacking.append(MemberRows.Member(key: group.keys[place], place: place, isAwaited: owner != nil))
      }
    }
    if let end = waiting.last?.places.upperBound, end == group.sections[last].places.upperBound {
      group.skip(to: max(end, places.upperBound), for: .row)
    }
    let rows = MemberRows(lacking, first: group.sections[sections.lowerBound].places.lowerBound)
    // A row may have been made one of a class since that the relationship cannot lead to.
    var accepted = AcceptedEntities(group.property)
    let keys = rows.keep { key in
      guard let model = group.map.model(key),
        model._$withState({ $0.withBinding { accepted.includes($0) } }) == true
      else { return .lacking }
      return model._$withState { $0.isFault } ? .unread(model) : .read(model)
    }
    if !keys.isEmpty {
      try destination.session.rows(of: destination.rootEntity, keys: keys) { row, reader in
        guard let place = rows.place(of: row.key) else { return }
        let binding = graph.bindingsByOrdinal[row.entity]
        let model = graph.receive(row.key, binding, reader, group, at: Int32(truncatingIfNeeded: place))
        if accepted.includes(binding) { rows.put(model, row.key) }
      }
    }
    for (owner, places) in waiting { fill(owner, group.property, with: rows.take(places)) }
  }

  /// Puts what the store has in place, and takes pending changes of the members into account.
  ///
  /// - Returns: The members when the owner may not hold them.
  @discardableResult
  func fill(
    _ owner: any PersistentModel, _ property: any RelationshipProperty, with members: [AnyObject]
  ) -> [AnyObject]? {
    if !graph.lifetime.isOpen { return members }
    property.fill(owner, with: members)
    if graph.journal.isFreeOfSaved { return nil }
    let inverse = property.inverse(for: owner)
    // A member that left while its owner was not in memory leaves now, so that a rollback brings it back. An undo manager
    // was notified when it left.
    for case let member as any PersistentModel in members where graph.hasLeft(member, owner, inverse) {
      graph.withoutUndo { property.unlink(member, from: owner) }
    }
    return nil
  }

  func has(_ model: any PersistentModel, _ property: any RelationshipProperty) -> Bool {
    model._$withState { $0.binding?.runtime.has(property) } ?? false
  }
}
