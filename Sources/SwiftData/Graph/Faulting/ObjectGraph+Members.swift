// What leads to several models: to-many relationships, and to-ones whose key stands in another row.

extension ObjectGraph {
  /// Reads what a to-many lacks, or a to-one whose key stands in its target's row, of a model and of some that came
  /// with it: the keys of the members, or the members themselves where somebody who walked here read those before.
  ///
  /// - Returns: The members of `model` where they are made at once and it may not hold them.
  func readMembers(
    _ property: any RelationshipProperty, around model: any PersistentModel
  ) throws -> [AnyObject]? {
    let group = model._$withState { $0.group }
    let identity = ObjectIdentifier(property)
    let isReadThrough = property.isToMany && group?.isReadThrough(property) ?? false
    // Otherwise the keys of members came with those of another owner's, who was told of.
    guard isReadThrough || property.awaited(of: model) == nil else { return nil }
    relationshipLoadHandler?(ModelContext.RelationshipLoad(of: model, property.name))
    if !lifetime.isOpen { return try readMembers(property, of: [model], model, walkedIn: nil) }
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

  /// How many members an owner had before, as far as somebody has read some.
  func memberCount(_ property: any RelationshipProperty) -> Int? {
    core.memberCounts.withLock { $0[ObjectIdentifier(property)] }
  }

  /// Notes how many members some owners had in all.
  func note(_ count: Int, membersOf owners: Int, _ property: any RelationshipProperty) {
    core.memberCounts.withLock { $0[ObjectIdentifier(property)] = count / max(1, owners) }
  }

  /// Reads which members a to-many of some models has. They are made when somebody asks for them.
  ///
  /// - Returns: The members of `asked` where they are made at once and it may not hold them.
  private func readMembers(
    _ property: any RelationshipProperty, of models: [any PersistentModel], _ asked: any PersistentModel,
    walkedIn source: FetchGroup?
  ) throws -> [AnyObject]? {
    let lacking = lacking(property, among: models)
    // Others may be of a class that has no such property.
    guard let binding = lacking.first?.model._$withState({ $0.binding }), let rule = binding.rule(of: property),
      let destination = self.binding(for: property.destinationType)
    else { return nil }
    let group = MemberGroup(
      of: property, rule.reading, source: source, owners: binding.map, members: destination.map)
    var accepted = Acceptance(property)
    try binding.session.members(of: property.name, in: binding.entity, owners: lacking.map(\.key)) { owner, member in
      guard accepted.includes(bindingsByOrdinal[member.entity]) else { return }
      group.add(member, of: owner)
    }
    note(group.keys.count, membersOf: group.sections.count, property)
    var unheld: [AnyObject]?
    var owners = Dictionary(uniqueKeysWithValues: lacking)
    let pending = pendingKeys(of: destination)
    for (index, section) in group.sections.enumerated() {
      guard let owner = owners.removeValue(forKey: section.owner) else { continue }
      let members = MemberGroup.Section(group: group, index: index)
      // Pending changes may have taken members away, which the store shall not give back when they are saved.
      let isSettled = pending.isEmpty || !group.keys[section.places].contains { pending.contains($0) }
      if property.isToMany, isSettled, lifetime.isOpen {
        property.await(members, of: owner)
      } else {
        let made = try makeMembers(members, owner)
        if owner === asked { unheld = made }
      }
    }
    if !lifetime.isOpen { return unheld ?? [] }
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
      // Many rows can have led to the same model, which is asked once.
      guard key > 0, property.isToMany || !isFault, seen.insert(key).inserted else { continue }
      lacking.append((key, model))
    }
    return lacking
  }

  /// Whether rows of an entity can be what a relationship leads to.
  struct Acceptance {
    private let property: any RelationshipProperty
    private var last: (binding: ObjectIdentifier, isAccepted: Bool)?

    init(_ property: any RelationshipProperty) {
      self.property = property
    }

    mutating func includes(_ binding: EntityBinding) -> Bool {
      if let last, last.binding == ObjectIdentifier(binding) { return last.isAccepted }
      let isAccepted = property.accepts(binding.runtime.type)
      last = (ObjectIdentifier(binding), isAccepted)
      return isAccepted
    }
  }

  /// The keys of models with pending changes in the same entity tree.
  func pendingKeys(of binding: EntityBinding) -> Set<Int64> {
    guard !journal.isFreeOfSaved || !journal.deletedRows.isEmpty else { return [] }
    var keys = Set(journal.deletedRows.rows(of: binding.map).keys)
    func add(_ model: any PersistentModel) {
      let (key, isIncluded) = model._$withState { ($0.key, $0.withBinding { $0.map === binding.map } ?? false) }
      if isIncluded { keys.insert(key) }
    }
    journal.changed.visit { add($1) }
    journal.deleted.visit { add($1) }
    return keys
  }

  /// Makes the members of one owner. They are read when somebody touches them.
  ///
  /// - Returns: The members when the owner may not hold them.
  func makeMembers(_ members: MemberGroup.Section, _ owner: any PersistentModel) throws -> [AnyObject]? {
    let group = members.group
    let places = group.sections[members.index].places
    // A constant is set while its model is made, which takes the row.
    if places.contains(where: { bindingsByOrdinal[group.entity(at: $0)].runtime.hasConstants }) {
      try readMemberRows(group, group.window(around: Int32(truncatingIfNeeded: places.lowerBound), for: .row))
      if group.property.isLoaded(owner) { return nil }
    }
    let models: [AnyObject] = try places.map { place in
      let model = try fault(group.keys[place], bindingsByOrdinal[group.entity(at: place)])
      join(group, model, at: Int32(truncatingIfNeeded: place))
      return model
    }
    return fill(owner, group.property, with: models)
  }

  /// Reads the rows of members at some places, and gives them to the owners that wait for theirs.
  func readMemberRows(_ group: MemberGroup, _ places: Range<Int>) throws {
    guard let destination = binding(for: group.property.destinationType) else { return }
    let sections = group.sections(in: places)
    guard let last = sections.last else { return }
    var waiting: [(owner: any PersistentModel, places: Range<Int>)] = []
    var lacking: [MemberRows.Member] = []
    lacking.reserveCapacity(places.count)
    for index in sections {
      let section = group.sections[index].places
      let owner = lifetime.isOpen ? group.waitingOwner(index) : nil
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
    var accepted = Acceptance(group.property)
    let keys = rows.keep { key in
      guard let model = group.map.model(key),
        model._$withState({ $0.withBinding { accepted.includes($0) } }) == true
      else { return .lacking }
      return model._$withState { $0.isFault } ? .unread(model) : .read(model)
    }
    if !keys.isEmpty {
      try destination.session.rows(of: destination.rootEntity, keys: keys) { row, reader in
        guard let place = rows.place(of: row.key) else { return }
        let binding = bindingsByOrdinal[row.entity]
        let model = receive(row.key, binding, reader, group, at: Int32(truncatingIfNeeded: place))
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
    if !lifetime.isOpen { return members }
    property.fill(owner, with: members)
    if journal.isFreeOfSaved { return nil }
    let inverse = property.inverse(for: owner)
    // A member that left while its owner was not in memory leaves now, so that a rollback brings it back. An undo manager
    // has heard of it when it left.
    for case let member as any PersistentModel in members where hasLeft(member, owner, inverse) {
      withoutUndo { property.unlink(member, from: owner) }
    }
    return nil
  }

  /// Whether pending changes took a member away from the owner that the store has it with.
  func hasLeft(
    _ member: any PersistentModel, _ owner: any PersistentModel, _ inverse: (any RelationshipProperty)?
  ) -> Bool {
    let (status, dirty) = member._$withState { ($0.status, $0.dirty) }
    if status == .deleted { return isTold(member, inverse) }
    guard dirty != 0, let inverse, !inverse.isToMany, member._$withState({ $0.isPending(inverse.index) }) else {
      return false
    }
    return !inverse.loadedTargets(of: member).contains { $0 === owner }
  }

  func has(_ model: any PersistentModel, _ property: any RelationshipProperty) -> Bool {
    model._$withState { $0.binding?.runtime.has(property) } ?? false
  }
}
