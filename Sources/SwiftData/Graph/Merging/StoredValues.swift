/// The committed values of persistent models' properties, as the store has them.
///
/// To revert a property, the ordinary setters update the inverses; journal entries that have become redundant are removed
/// afterwards.
struct StoredValues {
  let graph: ObjectGraph

  /// Replaces a property's unsaved change by the store's value.
  ///
  /// - Throws: Why the store's value could not be read.
  func takeStored(_ property: _ModelProperty, _ model: any PersistentModel) throws {
    guard let changes = model._$withState({ $0.changes }), let entry = changes.entry(property.index) else { return }
    switch entry {
    case .attribute(_, let old):
      property.restore(old, to: model)
      if !property.isLoaded(model) { model._$withState { $0.isFault = true } }
      property.recordChange(of: model)
      closeEntry(property, model)
    case .target:
      guard let relationship = property.toOne else { return }
      let previous = relationship.loadedTarget(of: model)
      let target = try storedTarget(of: relationship, model, changes)
      if target == nil, relationship.isRequired { return }
      property.assign(target, to: model)
      closeEntry(property, model)
      guard let inverse = relationship.inverse(for: model) else { return }
      for other in [previous, target].compactMap(\.self) { closeUndone(inverse, other, around: model) }
    case .members:
      guard let relationship = property.relationship else { return }
      let members = try storedMembers(of: relationship, model)
      let previous = try relationship.targets(of: model)
      property.assign(members, to: model)
      closeUndone(relationship, model, around: nil)
      guard let inverse = relationship.inverse(for: model) else { return }
      for other in previous + members { closeUndone(inverse, other, around: model) }
    }
  }

  /// The store's target of a to-one with an unsaved change.
  func storedTarget(
    of property: any ToOneRelationship, _ model: any PersistentModel, _ changes: ObjectChanges
  ) throws -> (any PersistentModel)? {
    if graph.storesKeyElsewhere(property, model) {
      try recordStoredTargets(of: [model])
    } else if let target = changes.previousTarget(property.index)?.target, !graph.hasRow(target) {
      // The store has set the to-one to nil with the deletion of the row, possibly without a change notification.
      model._$withState { $0.age = 0 }
      let (key, binding) = model._$withState { ($0.key, $0.binding) }
      if let binding { try graph.refresh([key], binding) }
    }
    guard let old = changes.previousTarget(property.index) else { return nil }
    if let target = old.target { return graph.hasRow(target) ? target : nil }
    guard old.key > 0, let destination = graph.binding(for: property.destinationType) else { return nil }
    // With the delete rule `noAction` the key may be a dangling reference, for which no model may be made.
    return try graph.target(old.key, property, destination) ?? graph.read(old.key, destination, nil)
  }

  /// Reads the store's targets of to-ones with pending changes whose key is in the target's row: when another context has
  /// set the to-one, the model's own row has not changed.
  func recordStoredTargets(of models: [any PersistentModel]) throws {
    for model in models {
      let (key, binding, changes) = model._$withState { ($0.key, $0.binding, $0.changes) }
      guard let binding, let changes else { continue }
      for rule in binding.storedInTarget {
        let index = rule.property.index
        guard let previous = changes.previousTarget(index), previous.isRead else { continue }
        var holder: Int64 = 0
        try binding.session.members(of: rule.property.name, in: binding.entity, owners: [key]) { holder = $1.key }
        let stored = JournalEntry.target(Int32(index), old: _ToOneContent(target: nil, key: holder))
        let isConflict = changes.updateConflict(of: rule.property, .target(Int32(index), old: previous), stored)
        let isGone = previous.target.map { !graph.hasRow($0) } ?? false
        if isConflict || isGone { changes.replace(stored) }
      }
    }
  }

  /// The members that the store has for a to-many of a persistent model.
  func storedMembers(
    of property: any RelationshipProperty, _ model: any PersistentModel
  ) throws -> [any PersistentModel] {
    let (key, binding) = model._$withState { ($0.key, $0.binding) }
    // The list in memory also reflects deletions and changes of members, even if it is not changed itself.
    guard let binding, !graph.journal.isFreeOfSaved || !graph.journal.deletedRows.isEmpty else {
      return try property.targets(of: model)
    }
    var accepted = AcceptedEntities(property)
    var rows: [RowKey] = []
    try binding.session.members(of: property.name, in: binding.entity, owners: [key]) { _, member in
      if accepted.includes(graph.bindingsByOrdinal[member.entity]) { rows.append(member) }
    }
    return try rows.map { try graph.fault($0.key, graph.bindingsByOrdinal[$0.entity]) }
  }

  /// Removes the journal entry for a property that has the store's value.
  private func closeEntry(_ property: _ModelProperty, _ model: any PersistentModel) {
    guard let changes = model._$withState({ $0.changes }) else { return }
    if !changes.remove(property.index) { graph.journal.closeChanges(of: model) }
  }

  /// Removes the journal entry if the property has the store's value.
  ///
  /// - Parameter member: A member of a to-many whose position is ignored, because it was unlinked and linked again.
  private func closeUndone(
    _ property: any RelationshipProperty, _ model: any PersistentModel, around member: (any PersistentModel)?
  ) {
    guard let entry = model._$withState({ $0.changes })?.entry(property.index) else { return }
    switch entry {
    case .attribute: break
    case .target(_, let old):
      if property.isEqual(property.slot(of: model), old) { closeEntry(property, model) }
    case .members(_, let changes):
      let members = property.isLoaded(model) ? property.loadedTargets(of: model).map { $0 as AnyObject } : nil
      // While the members are not read, a member that was unlinked and linked again has its position in the store.
      if members == nil, let member { changes.complete(member) }
      guard changes.isUndone(members, around: member) else { return }
      closeEntry(property, model)
      // The next access reads the position from the store.
      property.releaseTargets(of: model)
      property.recordChange(of: model)
    }
  }

  /// The store's value of a property of a persistent model: a value, a model, or an array of models.
  func committedValue(of property: _ModelProperty, _ model: any PersistentModel) throws -> Any? {
    if let toMany = property.toMany { return toMany.array(of: try storedMembers(of: toMany, model)) }
    // The property may have been changed before its row was read.
    if case .attribute(_, let old)? = entry(of: property, model), property.value(inSlot: old) == nil {
      model._$withState { $0.isFault = true }
      try graph.faulting.readRow(of: model)
    }
    guard let entry = entry(of: property, model) else {
      if let relationship = property.relationship { return try relationship.targets(of: model).first }
      if !property.isLoaded(model) { try graph.faulting.readRow(of: model) }
      return property.value(inSlot: property.slot(of: model))
    }
    switch entry {
    case .attribute(_, let old): return property.value(inSlot: old)
    case .target:
      guard let toOne = property.toOne, let changes = model._$withState({ $0.changes }) else { return nil }
      return try storedTarget(of: toOne, model, changes)
    case .members: return nil
    }
  }

  private func entry(of property: _ModelProperty, _ model: any PersistentModel) -> JournalEntry? {
    model._$withState { $0.changes }?.entry(property.index)
  }
}
