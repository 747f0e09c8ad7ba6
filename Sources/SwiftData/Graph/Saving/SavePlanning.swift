/// Makes the plan of a save to one store, from the journal.
struct SavePlanning {
  let graph: ObjectGraph
  /// The index of the store's session among the context's.
  let session: Int

  func plan() -> SavePlan {
    func belongs(_ model: any PersistentModel) -> Bool {
      graph.sessions.count == 1 || model._$withState { $0.binding?.sessionIndex == session }
    }
    var inserts: [any PersistentModel] = []
    var runs: [SavePlan.Run] = []
    // Usually each model's position is its index.
    let isWhole = graph.sessions.count == 1 && graph.journal.inserted.count == graph.journal.inserted.positionCount
    var indices: [Int32] = isWhole ? [] : Array(repeating: -1, count: graph.journal.inserted.positionCount)
    inserts.reserveCapacity(graph.journal.inserted.count)
    graph.journal.inserted.visit { position, model in
      guard belongs(model), let ordinal = model._$withState({ $0.withBinding { $0.ordinal } }) else { return }
      if !isWhole { indices[position] = Int32(inserts.count) }
      if runs.last?.entity != ordinal { runs.append(SavePlan.Run(entity: ordinal, start: inserts.count)) }
      inserts.append(model)
      runs[runs.count - 1].end = inserts.count
    }
    var memberships: [SavePlan.Membership] = []
    for run in runs where !graph.bindingsByOrdinal[run.entity].toManys.isEmpty {
      for model in inserts[run.positions] { addMemberships(of: model, nil, to: &memberships) }
    }
    var updates: [SavePlan.Update] = []
    updates.reserveCapacity(graph.journal.changed.count)
    graph.journal.changed.visit { _, model in
      guard belongs(model) else { return }
      let (status, key, dirty) = model._$withState { ($0.status, $0.key, $0.dirty) }
      let origin = model._$withState { $0.withBinding { ($0.ordinal, isLinked: !$0.ruleReferences.isEmpty) } }
      guard let (entity, isLinked) = origin, model._$withState({ $0.changesReference != nil }) else { return }
      if status == .persistent {
        updates.append(SavePlan.Update(model: model, key: key, entity: entity, dirty: dirty))
      }
      guard isLinked, let changes = model._$withState({ $0.changes }) else { return }
      if status == .deleted { addRemovals(of: model, changes, to: &memberships) }
      guard status == .persistent else { return }
      addMemberships(of: model, changes, to: &memberships)
    }
    let deletes = graph.journal.deleted.isEmpty ? [] : graph.journal.deleted.models.filter(belongs)
    let deletedRows =
      graph.journal.deletedRows.isEmpty
      ? [] : graph.journal.deletedRows.keys { graph.bindingsByOrdinal[$0].sessionIndex == session }
    let isDeletion = inserts.isEmpty && updates.isEmpty
    return SavePlan(
      graph: UnsafeRawPointer(Unmanaged.passUnretained(graph).toOpaque()), editingState: graph.editingState,
      inserts: inserts,
      insertRuns: runs, insertIndices: isWhole ? nil : indices, updates: updates, deletes: deletes,
      deletedRows: deletedRows, memberships: memberships,
      batchDeletion: isDeletion ? batchDeletion(of: deletes, deletedRows) : nil,
      allowsUpserts: graph.allowsUpserts)
  }

  /// The batch deletion that selected exactly these models and rows.
  private func batchDeletion(
    of models: [any PersistentModel], _ rows: [(entity: Int, keys: [Int64])]
  ) -> BatchDeletion? {
    if graph.journal.batchDeletions.isEmpty { return nil }
    var deleted = Set(rows.flatMap { entity, keys in keys.map { RowKey(key: $0, entity: entity) } })
    for model in models {
      let (key, entity) = model._$withState { ($0.key, $0.withBinding { $0.ordinal }) }
      if let entity { deleted.insert(RowKey(key: key, entity: entity)) }
    }
    return deleted.isEmpty ? nil : graph.journal.batchDeletions.last { $0.session == session && $0.rows == deleted }
  }

  /// - Parameter changes: The entries for a persistent model; nil for a pending one, whose members are all new.
  private func addMemberships(
    of model: any PersistentModel, _ changes: ObjectChanges?, to memberships: inout [SavePlan.Membership]
  ) {
    for property in ModelRuntime.of(model).toManys {
      if let changes, changes.members(property.index) == nil { continue }
      let change = property.membership(of: model)
      if !change.isEmpty {
        memberships.append(SavePlan.Membership(owner: model, property: property, change: change))
      }
    }
  }

  /// Adds the members that a deleted model lost before: a link that denies the deletion has to be removed, and no other may
  /// be.
  private func addRemovals(
    of model: any PersistentModel, _ changes: ObjectChanges, to memberships: inout [SavePlan.Membership]
  ) {
    for rule in model._$withState({ $0.binding })?.toManys ?? [] where rule.deleteRule == .deny {
      guard changes.members(rule.property.index) != nil else { continue }
      let removed = rule.toMany.membership(of: model).removed
      if removed.isEmpty { continue }
      memberships.append(
        SavePlan.Membership(owner: model, property: rule.toMany, change: MembershipChange(removed: removed)))
    }
  }
}

extension SavePlan {
  var isEmpty: Bool {
    inserts.isEmpty && updates.isEmpty && deletes.isEmpty && deletedRows.isEmpty
  }
}
