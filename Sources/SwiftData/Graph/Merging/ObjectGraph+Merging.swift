// Change notifications of other contexts arrive in the inbox. The next use of the context merges them.
extension ObjectGraph {
  /// Merges what other contexts of the container have saved since the last time.
  ///
  /// Registered models get the new values, models whose rows were deleted are evicted, and to-manys that may have gained or
  /// lost members are invalidated. Pending changes are kept.
  ///
  /// - Throws: Why the rows could not be read. The next call merges what this one could not.
  func processInbox() throws {
    // A save in progress is completed first, and without a context the changes wait for the next one.
    if saving.isWriting || !lifetime.isOpen { return }
    let changes = inbox.take()
    if changes.isEmpty { return }
    defer { checkInvariants() }
    notices.recordInvalidated(registeredIdentifiers(invalidatedBy: changes))
    do {
      // Undo actions have only changes of this context.
      if UndoRecorder.areThereAny { undoRecorder?.end() }
      try withoutUndo { try merge(changes) }
    } catch {
      inbox.putBack(changes)
      throw error
    }
    notices.closeInvalidation()
  }

  /// The registered models of entities whose rows were all invalidated.
  private func registeredIdentifiers(invalidatedBy changes: ChangeInbox.Changes) -> [PersistentIdentifier] {
    let ordinals = Set(changes.entities.lazy.filter { $0.value.isInvalidated }.map { $0.key })
    if ordinals.isEmpty { return [] }
    return registeredModels.compactMap { model in
      let (key, binding) = model._$withState { ($0.key, $0.binding) }
      guard let binding, ordinals.contains(binding.ordinal) else { return nil }
      return binding.identifier(of: key)
    }
  }

  /// `processInbox` where nothing can be thrown: a failed merge is repeated by the next call that can throw.
  func attemptToProcessInbox() {
    do {
      try exclusively(processInbox)
    } catch {
      Log.store.error("Reading what another context saved failed, and is tried again: \(error)")
    }
  }

  private func merge(_ changes: ChangeInbox.Changes) throws {
    let operation = MergeOperation(graph: self)
    let outer = mergeOperation
    mergeOperation = operation
    defer {
      mergeOperation = outer
      // Also after a failure: the retry finds no registered models for these deletions, because they are evicted by then.
      operation.reinsertDeleted()
    }
    try operation.run(changes)
  }

  /// Merges the to-manys of models whose deletion was cancelled.
  func mergePendingToManys(of models: [any PersistentModel]) throws {
    try PendingMerge(graph: self).run(of: models)
  }

  /// Evicts a model whose row another context has deleted.
  func evict(_ model: any PersistentModel) {
    journal.close(model)
    retire(model)
  }
}

// The next access to an invalidated to-many reads it again.
extension ObjectGraph {
  /// Invalidates the to-manys that gain or lose a member by a rollback and that the rollback itself does not invalidate:
  /// where another context has moved the member, only one of the two lists has that change.
  ///
  /// - Parameter owners: The keys of the member's targets.
  func invalidateChangedToManys(withMember model: any PersistentModel, _ property: _ModelProperty, owners: [Int64]) {
    guard let toOne = property.toOne, let inverse = toOne.inverse(for: model)?.toMany,
      let destination = binding(for: toOne.destinationType)
    else { return }
    for key in owners where key > 0 {
      if let owner = target(key, toOne, destination) { inverse.invalidate(owner) }
    }
  }

  /// Invalidates the to-manys of a model.
  func invalidateToManys(of model: any PersistentModel) {
    for toMany in ModelRuntime.of(model).toManys { toMany.invalidate(model) }
  }

  /// Discards the member keys that were read ahead before another context changed the members.
  func invalidateReadAhead(among ordinals: Set<Int>) {
    if ordinals.isEmpty { return }
    let maps = Set(ordinals.map { ObjectIdentifier(bindingsByOrdinal[$0].map) })
    for binding in bindingsByOrdinal {
      for rule in binding.toManys {
        guard let destination = rule.destination,
          maps.contains(ObjectIdentifier(destination.map)) || maps.contains(ObjectIdentifier(binding.map))
        else { continue }
        rule.membershipVersion = rule.membershipVersion.outdated()
      }
    }
  }

  /// Invalidates the to-manys at both ends of to-ones that other contexts have set.
  ///
  /// - Parameter retargetings: From a row reader, which ignores pending changes.
  func invalidateEnds(of retargetings: [(index: Int, key: Int64)], _ model: any PersistentModel) {
    guard let binding = model._$withState({ $0.binding }) else { return }
    let changes = model._$withState { $0.changes }
    for (index, previous) in retargetings {
      guard let rule = binding.toOnes.first(where: { $0.property.index == index }), let inverse = rule.inverse?.toMany,
        let destination = rule.destination
      else { continue }
      outdate(inverse)
      mergeOperation?.recordRetargeting(of: rule.property, model)
      let present =
        changes?.previousTarget(index)?.rowKey ?? rule.toOne.unreadKey(of: model)
        ?? rule.toOne.loadedTarget(of: model)?._$withState { $0.key }
      for key in [previous, present ?? 0] where key > 0 {
        if let owner = target(key, rule.toOne, destination) { inverse.invalidate(owner) }
      }
    }
  }

  private func outdate(_ property: any RelationshipProperty) {
    for binding in bindingsByOrdinal {
      guard let rule = binding.rule(of: property) else { continue }
      rule.membershipVersion = rule.membershipVersion.outdated()
    }
  }
}

// Discards relationships to models of some entities, where other contexts may have changed them.
extension ObjectGraph {
  /// After deletions: removes deleted targets from relationships that the deletions did not unlink.
  ///
  /// - Parameter includingMutual: Whether to include relationships with an inverse, which may not have been unlinked
  ///   either.
  func removeDetachedTargets(of ordinals: Set<Int>, includingMutual: Bool = false) {
    if ordinals.isEmpty { return }
    let rules = includingMutual ? \EntityBinding.relationshipRules : \.holdingDeleted
    visitSources(of: ordinals, by: rules) { model, rule in
      rule.dropDetached(from: model, isPending: model._$withState { $0.isPending(rule.property.index) }, in: self)
    }
    for model in journal.inserted.models {
      guard let binding = model._$withState({ $0.binding }) else { continue }
      for rule in binding[keyPath: rules] { rule.dropDetached(from: model, isPending: true, in: self) }
    }
  }

  /// Invalidates the to-manys whose destination is one of the entities, and the to-manys of these entities' models:
  /// members or order may have changed.
  func invalidateToManys(of ordinals: Set<Int>) {
    visitSources(of: ordinals, by: \.toManys, includingOwn: true) { $1.invalidate($0) }
  }

  /// Invalidates the to-ones whose key is in the target's row.
  func invalidateToOnes(among ordinals: Set<Int>) {
    visitSources(of: ordinals, by: \.storedInTarget) { $1.invalidate($0) }
  }

  /// Calls `body` for each registered model and its relationships whose destination is one of some entities.
  ///
  /// - Parameter includingOwn: Whether to include all relationships of these entities' models.
  private func visitSources<Rule: RelationshipRule>(
    of ordinals: Set<Int>, by rules: KeyPath<EntityBinding, [Rule]>, includingOwn: Bool = false,
    _ body: (_ source: any PersistentModel, _ rule: Rule) -> Void
  ) {
    if ordinals.isEmpty { return }
    let maps = Set(ordinals.map { ObjectIdentifier(bindingsByOrdinal[$0].map) })
    for binding in bindingsByOrdinal {
      let isOwn = includingOwn && maps.contains(ObjectIdentifier(binding.map))
      let rules = binding[keyPath: rules].filter { rule in
        rule.destination.map { isOwn || maps.contains(ObjectIdentifier($0.map)) } ?? false
      }
      guard !rules.isEmpty else { continue }
      for model in binding.map.models where model._$withState({ $0.binding === binding }) {
        for rule in rules { body(model, rule) }
      }
    }
  }
}
