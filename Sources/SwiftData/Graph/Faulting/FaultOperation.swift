/// Reads what a model lacks: its row, the target of a to-one, or the members of a to-many; and with one statement the same of
/// the models that came into memory with it.
struct FaultOperation {
  let graph: ObjectGraph

  /// Reads what `property` of a registered model lacks. Models that came with it and lack the same are served by the
  /// same statement; one of them that cannot be read does not keep this one from being read.
  ///
  /// - Returns: What a relationship leads to, where its storage may not hold it; nil when it does.
  /// - Throws: Why the store could not be read. The model is as it was then, and the next call tries again.
  func run(_ model: any PersistentModel, _ property: _ModelProperty) throws -> [AnyObject]? {
    try graph.exclusively {
      if let unheld = try read(property, of: model) { return unheld }
      if !property.isLoaded(model) { property.fillWithDefault(model) }
      return nil
    }
  }

  private func read(_ property: _ModelProperty, of model: any PersistentModel) throws -> [AnyObject]? {
    try readRow(of: model, for: property)
    guard let relationship = property.relationship, !property.isLoaded(model) else { return nil }
    if let toOne = property.toOne, let key = toOne.unresolvedKey(of: model) {
      return try resolveTarget(toOne, key, of: model)
    }
    if let unheld = try readMembers(relationship, around: model) { return unheld }
    guard !property.isLoaded(model), let members = property.toMany?.awaited(of: model) else { return nil }
    return try makeMembers(members, model)
  }

  /// Reads the rows of `model` and of the unread models that came with it, and its row again where a value of the
  /// property could not be read.
  private func readRow(of model: any PersistentModel, for property: _ModelProperty) throws {
    let isDamaged: Bool
    do {
      try readRow(of: model)
      isDamaged = model._$withState { $0.damaged & _ModelState.bit(property.index) != 0 }
    } catch {
      let (isFault, damaged) = model._$withState { ($0.isFault, $0.damaged & _ModelState.bit(property.index)) }
      // The failure may be the value of another property in the same row, and this one was read.
      guard !isFault, damaged == 0 || property.isLoaded(model) else { throw error }
      return
    }
    guard isDamaged, !property.isLoaded(model) else { return }
    let (key, binding) = model._$withState { ($0.key, $0.binding) }
    if let binding { try readSingleRow(of: model, key, binding) }
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
      try readSingleRow(of: model, key, binding)
    }
  }

  /// Reads the row of a model along with those of the unread models that came with it, if there are any.
  private func readAhead(
    of model: any PersistentModel, _ key: Int64, _ binding: EntityBinding, _ group: FetchGroup
  ) {
    let place = model._$withState { $0.groupPosition }
    do {
      if let members = group as? MemberGroup {
        members.recordReading()
        return try readMemberRows(members, members.window(around: place, for: .row))
      }
      let siblings = group.neighbours(of: place, for: .row)
      if siblings.count < 2 { return }
      let keys = siblings.compactMap { $0._$withState { $0.isFault ? $0.key : nil } }
      try binding.session.rows(of: binding.rootEntity, keys: keys) { row, reader in
        _ = graph.receive(row, reader, nil)
      }
    } catch {
      // The row of another model may be the cause. The caller reads this one alone.
      Log.store.debug("Reading ahead of \(binding.entity.name) \(key) failed: \(error)")
    }
  }

  private func readSingleRow(of model: any PersistentModel, _ key: Int64, _ binding: EntityBinding) throws {
    var isThere = false
    try binding.session.row(of: binding.rootEntity, key: key) { row, reader in
      isThere = true
      if row.entity == binding.ordinal { graph.refresh(model, reader) } else { _ = graph.receive(row, reader, nil) }
    }
    // The row is gone if it was not there. What is read of it from now on are defaults.
    model._$withState { $0.isFault = false }
    if !isThere, binding.runtime.properties.contains(where: { $0.relationship == nil && !$0.isLoaded(model) }) {
      model._$withState { $0.isMissing = true }
    }
  }

  func neighbours(
    of model: any PersistentModel, for lack: FetchGroup.Lack, at pace: FetchGroup.Pace = .rows
  ) -> [any PersistentModel] {
    let (group, place) = model._$withState { ($0.group, $0.groupPosition) }
    let found = group?.neighbours(of: place, for: lack, at: pace) ?? []
    return found.isEmpty ? [model] : found
  }

  // MARK: To-one

  /// Looks up the target of a to-one, and with it those of models that came with it.
  private func resolveTarget(
    _ property: any ToOneRelationship, _ key: Int64, of model: any PersistentModel
  ) throws -> [AnyObject]? {
    if !graph.lifetime.isOpen, let destination = graph.binding(for: property.destinationType) {
      if let target = graph.target(key, property, destination) { return [target] }
      graph.relationshipLoadHandler?(ModelContext.RelationshipLoad(of: model, property.name))
      return try graph.read(key, destination, nil).map { property.accepts(type(of: $0)) ? [$0] : [] } ?? []
    }
    graph.relationshipLoadHandler?(ModelContext.RelationshipLoad(of: model, property.name))
    let neighbours = neighbours(of: model, for: .property(ObjectIdentifier(property)))
    do {
      try resolveTargets(property, of: neighbours)
    } catch {
      // The target of another model may be the cause.
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
    _ property: any ToOneRelationship, of models: [any PersistentModel], readingFaults: Bool = false
  ) throws {
    guard let destination = graph.binding(for: property.destinationType) else { return }
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
        targets.append(graph.receive(row, reader, group))
      }
    }
    for source in sources {
      resolve(property, of: source.model, to: destination.map.model(source.key))
    }
    _ = targets
  }

  private func resolve(
    _ property: any ToOneRelationship, of model: any PersistentModel, to target: (any PersistentModel)?
  ) {
    property.resolve(model, to: target)
    if let target, !graph.journal.isFreeOfSaved, isTaken(target, from: model, property) {
      graph.withoutUndo { property.unlink(target, from: model) }
    }
  }

  /// Whether pending changes took the target of a to-one away that another context has linked to the model: the target of a
  /// one-to-one that leads elsewhere, or one with a pending deletion.
  private func isTaken(
    _ target: any PersistentModel, from model: any PersistentModel, _ property: any ToOneRelationship
  ) -> Bool {
    guard let inverse = property.inverse(for: model) else { return false }
    let (status, isPending) = target._$withState { ($0.status, $0.isPending(inverse.index)) }
    if status == .deleted { return !property.isRequired && graph.unlinksDeleted(target, inverse) }
    return inverse.toOne != nil && isPending && !inverse.hasTarget(model, target)
  }
}
