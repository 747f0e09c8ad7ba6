extension ModelContext {
  /// Reads what `property` of a registered model lacks. Models that came with it and lack the same are served by the
  /// same statement.
  func fulfill(_ model: any PersistentModel, _ property: _ModelProperty) {
    readRow(of: model)
    guard let relationship = property.relationship, !property.isLoaded(model) else { return }
    if relationship.unresolvedKey(of: model) != nil {
      resolveTargets(relationship, around: model)
    } else {
      readMembers(relationship, around: model)
    }
  }

  /// Reads the rows of `model` and of the unread models that came with it.
  func readRow(of model: any PersistentModel) {
    let (isFault, key, binding) = model._$withState { ($0.isFault, $0.key, $0.binding) }
    guard isFault, key > 0, let binding else { return }
    let keys =
      model._$withState({ $0.group == nil })
      ? [key] : neighbours(of: model).compactMap { sibling in sibling._$withState { $0.isFault ? $0.key : nil } }
    attempt("reading \(binding.entity.name) \(key)") {
      try binding.session.rows(of: binding.entity.rootEntity, keys: keys) { row, reader in
        _ = receive(row, reader, nil)
      }
    }
    if model._$withState({ $0.isFault }) {
      // The row is gone. What is read of it from now on are defaults.
      model._$withState { $0.isFault = false }
    }
  }

  private func neighbours(of model: any PersistentModel) -> [any PersistentModel] {
    let (group, place) = model._$withState { ($0.group, $0.groupPlace) }
    guard let group else { return [model] }
    let found = group.neighbours(of: place)
    return found.isEmpty ? [model] : found
  }

  /// Looks up the targets of a to-one for `model` and its neighbours. Targets that are registered cost nothing; of the
  /// others all rows are read at once.
  private func resolveTargets(_ property: any RelationshipProperty, around model: any PersistentModel) {
    guard let destination = binding(for: property.destinationType) else { return }
    var sources: [(model: any PersistentModel, key: Int64)] = []
    for sibling in neighbours(of: model) where has(sibling, property) {
      if let key = property.unresolvedKey(of: sibling) { sources.append((sibling, key)) }
    }
    var missing = Set<Int64>()
    for source in sources where destination.map.model(source.key) == nil { missing.insert(source.key) }
    // Held until they are in their slots, because the map does not hold them.
    var targets: [any PersistentModel] = []
    if !missing.isEmpty {
      let group = FetchGroup(map: destination.map)
      attempt("reading \(property.name)") {
        try destination.session.rows(of: destination.entity.rootEntity, keys: missing.sorted()) { row, reader in
          targets.append(receive(row, reader, group))
        }
      }
    }
    for source in sources {
      property.fill(source.model, with: destination.map.model(source.key).map { [$0] } ?? [])
    }
    _ = targets
  }

  /// Reads the keys of a to-many's members, for `model` and its neighbours. The members are faults until touched.
  private func readMembers(_ property: any RelationshipProperty, around model: any PersistentModel) {
    guard let binding = model._$withState({ $0.binding }) else { return }
    var owners: [Int64: any PersistentModel] = [:]
    var order: [Int64] = []
    for sibling in neighbours(of: model) where has(sibling, property) && !property.isLoaded(sibling) {
      let (key, isFault) = sibling._$withState { ($0.key, $0.isFault) }
      // Many rows can have led to the same sibling, which is filled once.
      guard key > 0, property.isToMany || !isFault, owners.updateValue(sibling, forKey: key) == nil else { continue }
      order.append(key)
    }
    var rows: [(owner: Int64, member: RowKey)] = []
    attempt("reading \(property.name)") {
      guard !order.isEmpty else { return }
      try binding.session.members(of: property.name, in: binding.entity, owners: order) { rows.append(($0, $1)) }
    }
    let faults = faults(for: rows.map(\.member), of: property)
    var members: [Int64: [any PersistentModel]] = [:]
    for (row, member) in zip(rows, faults) { members[row.owner, default: []].append(member) }
    let inverse = property.inverse(for: model)
    for key in order {
      guard let owner = owners[key] else { continue }
      let stored = members[key] ?? []
      property.fill(owner, with: stored)
      // A member that left while its owner was not in memory leaves now, so that a rollback brings it back.
      for member in stored where hasLeft(member, owner, inverse) { property.unlink(member, from: owner) }
    }
  }

  /// The models of some rows, which are read later if at all; those whose class has constants are read now.
  private func faults(for rows: [RowKey], of property: any RelationshipProperty) -> [any PersistentModel] {
    guard let destination = binding(for: property.destinationType) else { return [] }
    let group = FetchGroup(map: destination.map)
    let eager = rows.filter {
      bindingsByOrdinal[$0.entity].runtime.hasConstants && destination.map.model($0.key) == nil
    }
    // Held until the result holds them, because the map does not.
    var read: [any PersistentModel] = []
    if !eager.isEmpty {
      attempt("reading \(property.name)") {
        try destination.session.rows(of: destination.entity.rootEntity, keys: Set(eager.map(\.key)).sorted()) {
          read.append(receive($0, $1, nil))
        }
      }
    }
    return withExtendedLifetime(read) { rows.map { fault($0.key, bindingsByOrdinal[$0.entity], group: group) } }
  }

  /// Whether pending changes took a member away from the owner that the store has it with.
  private func hasLeft(
    _ member: any PersistentModel, _ owner: any PersistentModel, _ inverse: (any RelationshipProperty)?
  ) -> Bool {
    let (status, dirty) = member._$withState { ($0.status, $0.dirty) }
    if status == .deleted { return true }
    guard dirty != 0, let inverse, !inverse.isToMany, dirty & _ModelState.bit(inverse.index) != 0 else { return false }
    return !inverse.loadedTargets(of: member).contains { $0 === owner }
  }

  private func has(_ model: any PersistentModel, _ property: any RelationshipProperty) -> Bool {
    guard let runtime = model._$withState({ $0.binding?.runtime }) else { return false }
    return runtime.properties.indices.contains(property.index) && runtime.properties[property.index] === property
  }

  /// Runs what a property's accessor needs and cannot throw: a failure is logged, kept for the next call that can throw,
  /// and leaves the property with a default.
  func attempt(_ action: @autoclosure () -> String, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      Log.store.error("\(action()) failed: \(error)")
      accessFailure = accessFailure ?? error
    }
  }
}
