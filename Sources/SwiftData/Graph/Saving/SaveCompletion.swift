/// Updates a context after a save has written to a store.
struct SaveCompletion {
  let graph: ObjectGraph
  let written: SaveOperation.Written

  private var plan: SavePlan { written.plan }
  private var outcome: SaveOutcome { written.outcome }

  func run() {
    completeDeletions()
    completeUpdates()
    for side in written.unmarked { side.property.invalidate(side.model) }
    completeInsertions()
    for row in outcome.affected {
      let binding = graph.bindingsByOrdinal[row.entity]
      graph.changeObserver?.recordAnyChange()
      if let model = binding.map.model(row.key) { reread(model, row.key, binding) }
    }
    graph.changeObserver?.recordSaveEnd()
  }

  /// Detaches deleted models, and removes references to deleted rows.
  private func completeDeletions() {
    for model in plan.deletes {
      graph.journal.close(model)
      graph.retire(model)
    }
    for (ordinal, keys) in plan.deletedRows {
      for key in keys { graph.journal.cancelDeletion(ofRow: key, of: graph.bindingsByOrdinal[ordinal].map) }
    }
    graph.removeDetachedTargets(
      of: written.notice.deleted.entities, includingMutual: graph.journal.hasMergedSinceDeletion)
    graph.journal.closeDeletions()
  }

  /// Makes the changes of existing rows' models committed.
  private func completeUpdates() {
    let (updates, bindings, observer) = (plan.updates, graph.bindingReferences, graph.changeObserver)
    for index in updates.indices {
      // Read separately, because a copy of the element would take one more retain.
      let (entity, dirty) = (updates[index].entity, updates[index].dirty)
      graph.journal.closeChanges(of: updates[index].model)
      if bindings[entity]._withUnsafeGuaranteedRef(\.needsCompletion) {
        completeRelationships(of: updates[index].model, dirty: dirty)
      }
      observer?.recordSave(ofEntity: entity, properties: dirty)
    }
  }

  /// Registers inserted models for their rows, or merges them into the models that are registered for the rows.
  private func completeInsertions() {
    var absorbed: [(model: any PersistentModel, row: RowKey)] = []
    var keyless = Set<Int>()
    for (index, model) in plan.inserts.enumerated() {
      graph.journal.closeInsertion(of: model)
      let key = outcome.keys[index]
      // Not retained: this graph retains its bindings.
      guard let binding = model._$withState({ $0.bindingReference }) else { continue }
      let ordinal = binding._withUnsafeGuaranteedRef(\.ordinal)
      if key == 0 {
        graph.changeObserver?.recordMember(model, entity: ordinal, isDeleted: false)
        keyless.insert(ordinal)
        graph.retire(model)
        continue
      }
      let row = binding._withUnsafeGuaranteedRef { register(model, key, $0, mergedInto: outcome.merged[index]) }
      graph.changeObserver?.recordRow(row ?? RowKey(key: key, entity: ordinal))
      guard let row else { continue }
      graph.changeObserver?.recordMember(model, entity: ordinal, isDeleted: false)
      absorbed.append((model, row))
    }
    if !absorbed.isEmpty {
      absorb(absorbed)
      // The previous values of the rows are not known.
      if UndoRecorder.areThereAny { graph.undoRecorder?.removeAll() }
    }
    if !keyless.isEmpty { forgetKeyless(of: keyless) }
  }

  /// Registers an inserted model under the key of its row.
  ///
  /// - Parameter entity: The entity of the row if the row existed before.
  /// - Returns: The row if it existed before.
  private func register(
    _ model: any PersistentModel, _ key: Int64, _ binding: EntityBinding, mergedInto entity: Int?
  ) -> RowKey? {
    let holder = binding.holder(of: key)
    let entity = entity ?? holder
    let (temporary, isKnown) = model._$withState { ($0.key, $0.isKnownUnsaved) }
    if isKnown {
      PermanentIdentifiers.record(
        graph.bindingsByOrdinal[entity ?? binding.ordinal].identifier(of: key), forTemporary: temporary)
    }
    // The registered model of the row, or one of the row's entity, replaces the model.
    if let entity, holder != nil || entity != binding.ordinal { return RowKey(key: key, entity: entity) }
    binding.map.insert(model, key)
    model._$withState { state in
      state.key = key
      state.isKnownUnsaved = false
      state.status = .persistent
    }
    if binding.needsCompletion { completeRelationships(of: model) }
    return entity.map { RowKey(key: key, entity: $0) }
  }

  /// After a save whose store did not return the keys of some models: references to them are read again.
  private func forgetKeyless(of ordinals: Set<Int>) {
    graph.invalidateToManys(of: ordinals)
    for model in plan.inserts + plan.updates.map(\.model) {
      let (key, binding) = model._$withState { ($0.key, $0.binding) }
      guard let binding else { continue }
      let pointsToOne = binding.toOnes.contains { rule in
        rule.toOne.loadedTarget(of: model).map { $0._$withState { $0.status } == .detached } ?? false
      }
      if pointsToOne { reread(model, key, binding) }
    }
  }

  /// Makes the current values of a model's relationships committed.
  ///
  /// - Parameter dirty: The written properties of an existing row; nil for a new row.
  private func completeRelationships(of model: any PersistentModel, dirty: UInt64? = nil) {
    guard let binding = model._$withState({ $0.bindingReference }) else { return }
    for rule in binding._withUnsafeGuaranteedRef(\.ruleReferences) {
      rule._withUnsafeGuaranteedRef { $0.completeSave(of: model, dirty: dirty, in: graph) }
    }
  }

  /// After upserts: the registered model of a row replaces the inserted one, and reads the updated row. Without a
  /// registered model the inserted one is kept, unless the row is of another entity.
  private func absorb(_ merged: [(model: any PersistentModel, row: RowKey)]) {
    // The store has the to-manys of the surviving models, and their positions there.
    defer {
      let entities = Set(merged.map(\.row.entity))
      graph.invalidateToManys(of: entities)
      graph.invalidateToOnes(among: entities)
    }
    // Retained, because the map does not retain them.
    let survivors = merged.map { model, row -> any PersistentModel in
      do {
        return try graph.fault(row.key, graph.bindingsByOrdinal[row.entity])
      } catch {
        // The row is written, but its model cannot be made now.
        graph.record(error)
        return model
      }
    }
    var successors: [ObjectIdentifier: any PersistentModel] = [:]
    for ((model, _), survivor) in zip(merged, survivors) where survivor !== model {
      successors[ObjectIdentifier(model)] = survivor
    }
    if !successors.isEmpty {
      // Only models that were just saved can refer to a model that was unsaved until now.
      for other in plan.inserts + plan.updates.map(\.model) {
        guard let runtime = other._$withState({ $0.binding?.runtime }) else { continue }
        for property in runtime.relationships {
          for target in property.loadedTargets(of: other) {
            if let survivor = successors[ObjectIdentifier(target)] { property.replace(target, by: survivor, in: other) }
          }
        }
      }
    }
    for ((model, row), survivor) in zip(merged, survivors) {
      if survivor !== model || model._$withState({ $0.status != .persistent }) {
        model._$withState { state in
          state.key = row.key
          state.leave(.detached)
          if survivor !== model { state.survivor = survivor }
        }
      }
      if survivor === model, model._$withState({ $0.status == .detached }) { continue }
      reread(survivor, row.key, graph.bindingsByOrdinal[row.entity])
    }
  }

  private func reread(_ model: any PersistentModel, _ key: Int64, _ binding: EntityBinding) {
    // Its members may have been read before this save. Its class may differ from that of `binding`.
    for rule in model._$withState({ $0.binding })?.toManys ?? [] { rule.invalidate(model) }
    do {
      try binding.session.row(of: binding.rootEntity, key: key) { row, reader in
        if graph.update(model, graph.bindingsByOrdinal[row.entity], from: reader, nil) { return }
        _ = graph.receive(row, reader, nil)
      }
    } catch {
      // It is a fault, which is read at its next access.
      graph.unload(model)
      graph.record(error)
    }
  }
}

extension EntityBinding {
  /// The entity of the registered model of a row: a store need not report that an insertion became an update.
  func holder(of key: Int64) -> Int? {
    map.model(key).flatMap { $0._$withState { $0.withBinding { $0.ordinal } } }
  }
}
