/// Fires a fault: reads a model's row, the target of a to-one, or the members of a to-many; with the same statement it
/// reads the same of the neighbours, the models that the same fetch brought.
struct FaultOperation {
  let graph: ObjectGraph

  /// Reads the missing content of `property` of a registered model. One statement also serves the neighbours that lack the
  /// same; a neighbour that cannot be read does not prevent this read.
  ///
  /// - Returns: The targets of a relationship whose storage may not retain them; otherwise nil.
  /// - Throws: Why the store could not be read. The model is unchanged then, and the next call tries again.
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
    if let toOne = property.toOne, let key = toOne.unreadKey(of: model) {
      return try readTarget(toOne, key, of: model)
    }
    if let unheld = try readMembers(relationship, around: model) { return unheld }
    guard !property.isLoaded(model), let members = property.toMany?.memberKeys(of: model) else { return nil }
    return try makeMembers(members, model)
  }

  /// Reads the rows of `model` and of its neighbours that are faults, and its own row again if a value of the property
  /// could not be decoded.
  private func readRow(of model: any PersistentModel, for property: _ModelProperty) throws {
    let isDamaged: Bool
    do {
      try readRow(of: model, touching: property)
      isDamaged = model._$withState { $0.damaged & _ModelState.bit(property.index) != 0 }
    } catch {
      let (isFault, damaged) = model._$withState { ($0.isFault, $0.damaged & _ModelState.bit(property.index)) }
      // The failure may be another property's value in the same row, while this one was read.
      guard !isFault, damaged == 0 || property.isLoaded(model) else { throw error }
      return
    }
    guard isDamaged, !property.isLoaded(model) else { return }
    let (key, binding) = model._$withState { ($0.key, $0.binding) }
    if let binding { try readSingleRow(of: model, key, binding) }
  }

  /// Reads the rows of `model` and of its neighbours that are faults.
  ///
  /// - Parameter property: The property that code read or set.
  func readRow(of model: any PersistentModel, touching property: _ModelProperty? = nil) throws {
    let (isFault, key, reference) = model._$withState { ($0.isFault, $0.key, $0.bindingReference) }
    guard isFault, key > 0 else { return }
    // Not retained: this graph retains its bindings.
    try reference?._withUnsafeGuaranteedRef { binding in
      if let group = model._$withState({ $0.group }) {
        readAhead(of: model, key, binding, group, touching: property)
        if !model._$withState({ $0.isFault }) { return }
      }
      recordLazyLoad(of: model, property, isRelationship: false, serving: 1)
      try readSingleRow(of: model, key, binding)
    }
  }

  /// Reads the row of a model together with those of its neighbours that are faults, if there are any.
  private func readAhead(
    of model: any PersistentModel, _ key: Int64, _ binding: EntityBinding, _ group: FetchGroup,
    touching property: _ModelProperty?
  ) {
    let index = model._$withState { $0.groupPosition }
    do {
      if let members = group as? MemberGroup {
        members.recordTraversal()
        let window = members.window(around: index, for: .row)
        recordLazyLoad(
          of: model, property, isRelationship: false,
          serving: window.count { members.map.model(members.keys[$0])?._$withState { $0.isFault } ?? true })
        return try readMemberRows(members, window)
      }
      let siblings = group.neighbours(of: index, for: .row)
      if siblings.count < 2 { return }
      let keys = siblings.compactMap { $0._$withState { $0.isFault ? $0.key : nil } }
      recordLazyLoad(of: model, property, isRelationship: false, serving: keys.count)
      try binding.session.rows(of: binding.rootEntity, keys: keys) { row, reader in
        _ = graph.receive(row, reader, nil)
      }
    } catch {
      // The row of a neighbour may be the cause. The caller reads this row separately.
      Log.store.debug("Reading ahead of \(binding.entity.name) \(key) failed: \(error)")
    }
  }

  private func readSingleRow(of model: any PersistentModel, _ key: Int64, _ binding: EntityBinding) throws {
    var isThere = false
    try binding.session.row(of: binding.rootEntity, key: key) { row, reader in
      isThere = true
      if row.entity == binding.ordinal { graph.refresh(model, reader) } else { _ = graph.receive(row, reader, nil) }
    }
    // If there was no row, it is gone. The model then reads as default values.
    model._$withState { $0.isFault = false }
    if !isThere, binding.runtime.properties.contains(where: { $0.relationship == nil && !$0.isLoaded(model) }) {
      model._$withState { $0.isMissing = true }
    }
  }

  func recordLazyLoad(
    of model: any PersistentModel, _ property: _ModelProperty?, isRelationship: Bool,
    serving count: @autoclosure () -> Int
  ) {
    guard let handler = graph.lazyLoadHandler, let property else { return }
    handler(
      ModelContext.LazyLoad(
        persistentModelID: model.anyIdentifier, propertyName: property.name, isRelationship: isRelationship,
        modelCount: count()))
  }

  func neighbours(
    of model: any PersistentModel, for lack: FetchGroup.Lack, at pace: FetchGroup.Pace = .rows
  ) -> [any PersistentModel] {
    let (group, index) = model._$withState { ($0.group, $0.groupPosition) }
    let found = group?.neighbours(of: index, for: lack, at: pace) ?? []
    return found.isEmpty ? [model] : found
  }

  // MARK: To-one

  /// Reads the target of a to-one, together with the targets of the neighbours.
  private func readTarget(
    _ property: any ToOneRelationship, _ key: Int64, of model: any PersistentModel
  ) throws -> [AnyObject]? {
    if !graph.lifetime.isOpen, let destination = graph.binding(for: property.destinationType) {
      if let target = graph.target(key, property, destination) { return [target] }
      graph.relationshipLoadHandler?(ModelContext.RelationshipLoad(of: model, property.name))
      recordLazyLoad(of: model, property, isRelationship: true, serving: 1)
      return try graph.read(key, destination, nil).map { property.accepts(type(of: $0)) ? [$0] : [] } ?? []
    }
    graph.relationshipLoadHandler?(ModelContext.RelationshipLoad(of: model, property.name))
    let neighbours = neighbours(of: model, for: .property(ObjectIdentifier(property)))
    do {
      try readTargets(property, of: neighbours, touching: model)
    } catch {
      // The target of a neighbour may be the cause.
      guard neighbours.count > 1 else { throw error }
      try readTargets(property, of: [model])
    }
    return nil
  }

  /// Reads the targets of a to-one for some models. Registered targets are not read; one statement reads all others.
  ///
  /// - Parameters:
  ///   - readingFaults: Whether registered targets that are faults are read too.
  ///   - model: The model whose to-one code read or set.
  func readTargets(
    _ property: any ToOneRelationship, of models: [any PersistentModel], readingFaults: Bool = false,
    touching model: (any PersistentModel)? = nil
  ) throws {
    guard let destination = graph.binding(for: property.destinationType) else { return }
    var sources: [(model: any PersistentModel, key: Int64)] = []
    for sibling in models where has(sibling, property) {
      if let key = property.unreadKey(of: sibling) { sources.append((sibling, key)) }
    }
    var missing = Set<Int64>()
    for source in sources {
      let isRead = destination.map.model(source.key).map { readingFaults ? !$0._$withState { $0.isFault } : true }
      if isRead != true { missing.insert(source.key) }
    }
    // Retained until they are in their slots, because the map does not retain them.
    var targets: [any PersistentModel] = []
    if !missing.isEmpty {
      if let model { recordLazyLoad(of: model, property, isRelationship: true, serving: sources.count) }
      let group = FetchGroup(map: destination.map)
      try destination.session.rows(of: destination.rootEntity, keys: missing.sorted()) { row, reader in
        targets.append(graph.receive(row, reader, group))
      }
    }
    for source in sources {
      setTarget(property, of: source.model, to: destination.map.model(source.key))
    }
    _ = targets
  }

  private func setTarget(
    _ property: any ToOneRelationship, of model: any PersistentModel, to target: (any PersistentModel)?
  ) {
    property.setTarget(of: model, to: target)
    if let target, !graph.journal.isFreeOfSaved, isTaken(target, from: model, property) {
      graph.withoutUndo { property.unlink(target, from: model) }
    }
  }

  /// Whether pending changes unlinked a target that another context has linked to the model: a one-to-one's target that was
  /// linked to another model, or a target with a pending deletion.
  private func isTaken(
    _ target: any PersistentModel, from model: any PersistentModel, _ property: any ToOneRelationship
  ) -> Bool {
    guard let inverse = property.inverse(for: model) else { return false }
    let (status, isPending) = target._$withState { ($0.status, $0.isPending(inverse.index)) }
    if status == .deleted { return !property.isRequired && graph.unlinksDeleted(target, inverse) }
    return inverse.toOne != nil && isPending && !inverse.hasTarget(model, in: target)
  }
}
