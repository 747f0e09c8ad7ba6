extension ObjectGraph {
  /// Reads what `property` of a registered model lacks. Models that came with it and lack the same are served by the
  /// same statement; one of them that cannot be read does not keep this one from being read.
  ///
  /// - Returns: What a relationship leads to, where its storage may not hold it; nil when it does.
  /// - Throws: Why the store could not be read. The model is as it was then, and the next call tries again.
  func fulfill(_ model: any PersistentModel, _ property: _ModelProperty) throws -> [AnyObject]? {
    while true {
      let passCount = lifetime.passCount
      if let unheld = try alone({ try read(property, of: model) }) { return unheld }
      // When the context has gone away meanwhile, what was read is not held any more, or by heirs.
      if property.isLoaded(model) { return nil }
      if lifetime.passCount == passCount {
        alone { property.fillWithDefault(model) }
        return nil
      }
    }
  }

  private func read(_ property: _ModelProperty, of model: any PersistentModel) throws -> [AnyObject]? {
    try readRow(of: model, for: property)
    guard let relationship = property.relationship, !property.isLoaded(model) else { return nil }
    if let key = relationship.unresolvedKey(of: model) { return try resolveTarget(relationship, key, of: model) }
    if let unheld = try readMembers(relationship, around: model) { return unheld }
    guard !property.isLoaded(model), let members = relationship.awaited(of: model) else { return nil }
    return try makeMembers(members, model)
  }

  /// Reads the rows of `model` and of the unread models that came with it, and its row again where a value of the
  /// property could not be read.
  private func readRow(of model: any PersistentModel, for property: _ModelProperty) throws {
    try readRow(of: model)
    let isDamaged = model._$withState { $0.damaged & _ModelState.bit(property.index) != 0 }
    guard isDamaged, !property.isLoaded(model) else { return }
    let (key, binding) = model._$withState { ($0.key, $0.binding) }
    if let binding { try readRowAlone(of: model, key, binding) }
  }

  /// Reads the rows of `model` and of the unread models that came with it.
  func readRow(of model: any PersistentModel) throws {
    let (isFault, key, reference) = model._$withState { ($0.isFault, $0.key, $0.bindingReference) }
    guard isFault, key > 0 else { return }
    // Not counted: this graph has its bindings.
    try reference?._withUnsafeGuaranteedRef { binding in
      if let group = model._$withState({ $0.group }) {
        readAhead(of: model, key, binding, group)
        if !model._$withState({ $0.isFault }) { return }
      }
      try readRowAlone(of: model, key, binding)
    }
  }

  /// Reads the row of a model along with those of the unread models that came with it, if there are any.
  private func readAhead(
    of model: any PersistentModel, _ key: Int64, _ binding: EntityBinding, _ group: FetchGroup
  ) {
    let place = model._$withState { $0.groupPlace }
    do {
      if let members = group as? MemberGroup {
        members.noteReading()
        return try readMemberRows(members, members.window(around: place, for: .row))
      }
      let siblings = group.neighbours(of: place, for: .row)
      if siblings.count < 2 { return }
      let keys = siblings.compactMap { $0._$withState { $0.isFault ? $0.key : nil } }
      try binding.session.rows(of: binding.rootEntity, keys: keys) { row, reader in
        _ = receive(row, reader, nil)
      }
    } catch {
      // The row of one of the others may be the cause, and it is if this one can be read.
      Log.store.debug("Reading ahead of \(binding.entity.name) \(key) failed: \(error)")
    }
  }

  private func readRowAlone(of model: any PersistentModel, _ key: Int64, _ binding: EntityBinding) throws {
    var isThere = false
    try binding.session.row(of: binding.rootEntity, key: key) { row, reader in
      isThere = true
      if row.entity == binding.ordinal { refresh(model, reader) } else { _ = receive(row, reader, nil) }
    }
    // The row is gone if it was not there. What is read of it from now on are defaults.
    model._$withState { $0.isFault = false }
    if !isThere, binding.runtime.properties.contains(where: { $0.relationship == nil && !$0.isLoaded(model) }) {
      model._$withState { $0.isMissing = true }
    }
  }

  private func neighbours(
    of model: any PersistentModel, for lack: FetchGroup.Lack, at pace: FetchGroup.Pace = .rows
  ) -> [any PersistentModel] {
    let (group, place) = model._$withState { ($0.group, $0.groupPlace) }
    let found = group?.neighbours(of: place, for: lack, at: pace) ?? []
    return found.isEmpty ? [model] : found
  }

  // MARK: To-one

  /// Looks up the target of a to-one, and with it those of models that came with it.
  private func resolveTarget(
    _ property: any RelationshipProperty, _ key: Int64, of model: any PersistentModel
  ) throws -> [AnyObject]? {
    if let target = heir(key, property) { return [target] }
    relationshipLoadHandler?(ModelContext.RelationshipLoad(of: model, property.name))
    let neighbours = neighbours(of: model, for: .property(ObjectIdentifier(property)))
    do {
      try resolveTargets(property, of: neighbours)
    } catch {
      // The target of one of the others may be the cause.
      guard neighbours.count > 1 else { throw error }
      try resolveTargets(property, of: [model])
    }
    return nil
  }

  /// Looks up the targets of a to-one for some models. Targets that are registered cost nothing; of the others all rows
  /// are read at once.
  ///
  /// - Parameter readingFaults: Whether also the rows of registered targets are read that were not.
  func resolveTargets(
    _ property: any RelationshipProperty, of models: [any PersistentModel], readingFaults: Bool = false
  ) throws {
    guard let destination = binding(for: property.destinationType) else { return }
    var sources: [(model: any PersistentModel, key: Int64)] = []
    for sibling in models where has(sibling, property) {
      if let key = property.unresolvedKey(of: sibling) { sources.append((sibling, key)) }
    }
    var missing = Set<Int64>()
    for source in sources {
      let isRead = destination.map.model(source.key).map { readingFaults ? !$0._$withState { $0.isFault } : true }
      if isRead != true { missing.insert(source.key) }
    }
    // Held until they are in their slots, because the map does not hold them.
    var targets: [any PersistentModel] = []
    if !missing.isEmpty {
      let group = FetchGroup(map: destination.map)
      try destination.session.rows(of: destination.rootEntity, keys: missing.sorted()) { row, reader in
        targets.append(receive(row, reader, group))
      }
    }
    for source in sources {
      resolve(property, of: source.model, to: destination.map.model(source.key))
    }
    _ = targets
  }

  private func resolve(
    _ property: any RelationshipProperty, of model: any PersistentModel, to target: (any PersistentModel)?
  ) {
    if let target, target._$withState({ $0.heirdom != .none }) { return }
    property.resolve(model, to: target)
    if let target, !journal.isFreeOfSaved, isTaken(target, from: model, property) {
      property.unlink(target, from: model)
    }
  }

  /// Whether pending changes took the target of a to-one away, which somebody else has led here meanwhile: one of a
  /// one-to-one that leads elsewhere, or one that is to be deleted.
  private func isTaken(
    _ target: any PersistentModel, from model: any PersistentModel, _ property: any RelationshipProperty
  ) -> Bool {
    guard let inverse = property.inverse(for: model) else { return false }
    let (status, isPending) = target._$withState { ($0.status, $0.isPending(inverse.index)) }
    if status == .deleted { return !property.isRequired && isTold(target, inverse) }
    return !inverse.isToMany && isPending
      && !inverse.loadedTargets(of: target).contains { $0 === model }
  }

  // MARK: To-many

  /// Reads what a to-many lacks, or a to-one whose key stands in its target's row, of a model and of some that came
  /// with it: the keys of the members, or the members themselves where somebody who walked here read those before.
  ///
  /// - Returns: The members of `model` where they are made at once and it may not hold them.
  private func readMembers(
    _ property: any RelationshipProperty, around model: any PersistentModel
  ) throws -> [AnyObject]? {
    let group = model._$withState { $0.group }
    let identity = ObjectIdentifier(property)
    let isReadThrough = property.isToMany && group?.isReadThrough(property) ?? false
    // Otherwise the keys of members came with those of another owner's, who was told of.
    guard isReadThrough || property.awaited(of: model) == nil else { return nil }
    relationshipLoadHandler?(ModelContext.RelationshipLoad(of: model, property.name))
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
    guard let binding = lacking.first?.model._$withState({ $0.binding }),
      let destination = self.binding(for: property.destinationType)
    else { return nil }
    let group = MemberGroup(of: property, source: source, owners: binding.map, members: destination.map)
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
      if property.isToMany, isSettled {
        property.await(members, of: owner)
      } else {
        let made = try makeMembers(members, owner)
        if owner === asked { unheld = made }
      }
    }
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
    journal.changed.visitHeld(add)
    journal.deleted.visitHeld(add)
    if let heir = lifetime.lastHeir, heir.binding.map === binding.map { keys.insert(heir.key) }
    return keys
  }

  /// Makes the members of one owner. They are read when somebody touches them.
  ///
  /// - Returns: The members when the owner may not hold them.
  private func makeMembers(_ members: MemberGroup.Section, _ owner: any PersistentModel) throws -> [AnyObject]? {
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
      let owner = group.waitingOwner(index)
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
    let isFree = journal.isFreeOfSaved
    let inverse = isFree ? nil : property.inverse(for: owner)
    if hasHeirs, members.contains(where: isHeir) {
      if !owner._$withState({ $0.isPending(property.index) }) {
        return isFree
          ? members
          : members.filter { member in (member as? any PersistentModel).map { !hasLeft($0, owner, inverse) } ?? false }
      }
      for case let member as any PersistentModel in members { willHold(member) }
    }
    property.fill(owner, with: members)
    if isFree { return nil }
    // A member that left while its owner was not in memory leaves now, so that a rollback brings it back.
    for case let member as any PersistentModel in members where hasLeft(member, owner, inverse) {
      property.unlink(member, from: owner)
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

  /// Whether what leads to a model is told of its deletion.
  private func isTold(_ model: any PersistentModel, _ inverse: (any RelationshipProperty)?) -> Bool {
    let rules = model._$withState { $0.binding }?.relationshipRules
    let rule = rules?.first { $0.property === inverse }?.deleteRule
    return rule == .nullify || rule == .cascade
  }

  private func has(_ model: any PersistentModel, _ property: any RelationshipProperty) -> Bool {
    model._$withState { $0.binding?.runtime.has(property) } ?? false
  }
}
