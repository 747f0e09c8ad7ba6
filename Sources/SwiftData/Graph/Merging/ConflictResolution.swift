/// An unsaved change of a model or property that another context or process has changed as well.
struct PendingConflict {
  let kind: MergeConflict.Kind
  let model: any PersistentModel
  /// Nil when the conflict is about the whole model.
  var property: _ModelProperty?
  var original: OriginalValue?
}

/// Finds and resolves conflicts between the unsaved changes of a context and merged changes of other contexts.
struct ConflictResolution {
  let graph: ObjectGraph

  private var stored: StoredValues { StoredValues(graph: graph) }

  /// The conflicts of unsaved changes with merged changes of other contexts.
  func conflicts() -> [PendingConflict] {
    var conflicts: [PendingConflict] = []
    for model in graph.journal.inserted.models where graph.journal.hasConflict(model) {
      conflicts.append(PendingConflict(kind: .deletedInStore, model: model))
    }
    for model in graph.journal.changedModels {
      guard let changes = model._$withState({ $0.changes }), !changes.originals.isEmpty else { continue }
      let properties = ModelRuntime.of(model).properties
      for (index, original) in changes.originals.sorted(by: { $0.key < $1.key }) {
        let property = properties[index]
        var kind = MergeConflict.Kind.changed
        if case .members = original { kind = .reordered }
        if kind == .reordered, property.toMany?.isReordered(model) != true { continue }
        conflicts.append(PendingConflict(kind: kind, model: model, property: property, original: original))
      }
    }
    for model in graph.journal.deleted.models where graph.journal.hasConflict(model) {
      conflicts.append(PendingConflict(kind: .deletedInContext, model: model))
    }
    return conflicts
  }

  // MARK: Resolving

  /// Resolves the conflicts by the merge policy of the context.
  ///
  /// - Throws: ``SwiftDataError/mergeConflict`` if the policy is `throwOnConflict`.
  func run() throws {
    try stored.recordStoredTargets(of: graph.journal.changedModels)
    try resolveDangling()
    let conflicts = conflicts()
    if conflicts.isEmpty { return }
    switch graph.mergePolicy {
    case .lastWriterWins, .contextWins: for conflict in conflicts { try resolve(conflict, keeping: .context) }
    case .storeWins:
      for conflict in conflicts { try resolve(conflict, keeping: .store) }
      try resolveReinstated(beside: conflicts)
    case .throwOnConflict:
      throw SwiftDataError.mergeConflict.with(details(of: conflicts))
    }
  }

  /// Removes conflicts of to-ones that were nil and whose keys in the store dangle, as `noAction` leaves them: a dangling
  /// key reads as nil.
  private func resolveDangling() throws {
    for model in graph.journal.changedModels {
      let (binding, changes) = model._$withState { ($0.binding, $0.changes) }
      guard let binding, let changes, !changes.originals.isEmpty else { continue }
      for rule in binding.toOnes where rule.mayDangle {
        let index = rule.property.index
        guard case .target(0)? = changes.originals[index] else { continue }
        guard try stored.storedTarget(of: rule.toOne, model, changes) == nil else { continue }
        changes.resolveConflict(index)
        changes.replace(.target(Int32(index), old: _ToOneContent(target: nil)))
      }
    }
  }

  /// Resolves the given conflicts, as far as they still exist.
  func resolve(_ resolved: [MergeConflict], keeping side: MergeConflict.Side) throws {
    graph.saving.disturb()
    let before = conflicts()
    for conflict in before {
      let identifier = conflict.model.anyIdentifier
      let isResolved = resolved.contains {
        $0.persistentIdentifier == identifier && $0.kind == conflict.kind && $0.property == conflict.property?.name
      }
      if isResolved { try resolve(conflict, keeping: side) }
    }
    if side == .store { try resolveReinstated(beside: before) }
  }

  /// Takes the store's values for models whose deletion was just cancelled: they had no conflicts of properties before.
  private func resolveReinstated(beside known: [PendingConflict]) throws {
    func isKnown(_ conflict: PendingConflict) -> Bool {
      known.contains { $0.model === conflict.model && $0.property === conflict.property && $0.kind == conflict.kind }
    }
    for conflict in conflicts() where !isKnown(conflict) { try resolve(conflict, keeping: .store) }
  }

  private func resolve(_ conflict: PendingConflict, keeping side: MergeConflict.Side) throws {
    let model = conflict.model
    guard let property = conflict.property else {
      graph.journal.resolveConflict(model)
      guard side == .store else { return }
      if conflict.kind == .deletedInStore { makeTransient(model) } else { graph.undelete(deletedRoot(of: model)) }
      return
    }
    if side == .store {
      try stored.takeStored(property, model)
    } else {
      model._$withState { $0.changes }?.resolveConflict(property.index)
    }
  }

  /// The model whose deletion cascaded to a model; the model itself if it was not deleted by a cascade.
  private func deletedRoot(of model: any PersistentModel) -> any PersistentModel {
    var root = model
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(model)]
    while graph.journal.isCascaded(root), let owner = deletedOwner(of: root),
      known.insert(ObjectIdentifier(owner)).inserted
    {
      root = owner
    }
    return root
  }

  private func deletedOwner(of model: any PersistentModel) -> (any PersistentModel)? {
    for rule in EntityBinding.rules(of: model) where rule.inverseRule?.deleteRule == .cascade {
      guard let destination = rule.destination else { continue }
      var targets = rule.property.loadedTargets(of: model)
      if let previous = model._$withState({ $0.changes })?.previousTarget(rule.property.index) {
        // The deletion of the owner has set its to-one to nil.
        targets = [previous.target ?? graph.target(previous.key, rule.property, destination)].compactMap(\.self)
      } else if let toOne = rule.property.toOne, let target = graph.knownTarget(of: model, toOne) {
        targets = [target]
      }
      let owner = targets.first { $0._$withState { $0.status == .deleted && $0.belongs(to: graph) } }
      if let owner { return owner }
    }
    return nil
  }

  /// Makes a model whose row was deleted transient, and removes all references to it.
  private func makeTransient(_ model: any PersistentModel) {
    for rule in EntityBinding.rules(of: model) {
      guard let inverse = rule.inverse else { continue }
      for target in rule.property.loadedTargets(of: model) { inverse.unlink(model, from: target) }
    }
    graph.journal.cancelInsertion(of: model)
    graph.dismiss(model)
  }

  // MARK: Errors

  private func details(of conflicts: [PendingConflict]) -> SwiftDataError.Details {
    var details = SwiftDataError.Details(
      message: "Another context or process has changed what this context is about to save.",
      hint: "Inspect the conflicts, set the values to save, call resolve(_:keeping:), and save again; or roll back.")
    details.conflicts = conflicts.map(described)
    var known: Set<PersistentIdentifier> = []
    details.persistentIdentifiers = details.conflicts.map(\.persistentIdentifier).filter { known.insert($0).inserted }
    details.entity = details.conflicts.first?.entity
    details.property = details.conflicts.first?.property
    return details
  }

  private func described(_ conflict: PendingConflict) -> MergeConflict {
    let model = conflict.model
    let entry = conflict.property.flatMap { property in
      model._$withState { $0.changes }?.entry(property.index)
    }
    var (original, stored, unsaved): (Any?, Any?, Any?) = (nil, nil, nil)
    if let property = conflict.property, let entry, let value = conflict.original {
      switch (entry, value) {
      case (.attribute(_, let old), .attribute(let slot)):
        original = property.value(inSlot: slot)
        stored = property.value(inSlot: old)
        unsaved = property.value(inSlot: property.slot(of: model))
      case (.target(_, let old), .target(let key)):
        original = identifier(key, property)
        stored = old.target?.anyIdentifier ?? identifier(old.key, property)
        let content = property.slot(of: model) as? _ToOneContent
        unsaved = content?.target?.anyIdentifier ?? content.flatMap { identifier($0.key, property) }
      case (.members(_, let changes), .members(let members)):
        original = members
        stored = changes.order?.compactMap { ($0 as? any PersistentModel)?.anyIdentifier }
        unsaved = property.relationship?.loadedTargets(of: model).map(\.anyIdentifier)
      default: break
      }
    }
    return MergeConflict(
      kind: conflict.kind, persistentIdentifier: model.anyIdentifier, entity: ModelRuntime.of(model).entityName.string,
      property: conflict.property?.name, originalValue: original, storedValue: stored, unsavedValue: unsaved)
  }

  private func identifier(_ key: Int64, _ property: _ModelProperty) -> PersistentIdentifier? {
    guard key > 0, let type = property.relationship?.destinationType, let destination = graph.binding(for: type) else {
      return nil
    }
    // The target's class may be a subclass of the relationship's.
    let known = property.relationship.flatMap { graph.target(key, $0, destination) }
    return known?.anyIdentifier ?? destination.identifier(of: key)
  }
}
