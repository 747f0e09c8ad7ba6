extension SaveOperation {
  /// The change notification of a save, made after the store has written it and before the models are completed.
  ///
  /// - Parameter unmarked: To-manys that change without a change in the plan.
  func notice(
    of plan: SavePlan, _ outcome: SaveOutcome, _ unmarked: [UnmarkedSide], by session: any StoreSession
  ) -> ChangeNotice {
    var notice = ChangeNotice()
    for model in plan.deletes {
      let (key, ordinal) = model._$withState { ($0.key, $0.withBinding { $0.ordinal }) }
      if let ordinal { notice.deleted.add(key, of: ordinal) }
    }
    for (ordinal, keys) in plan.deletedRows { notice.deleted.add(keys, of: ordinal) }
    let (updates, bindings) = (plan.updates, graph.bindingReferences)
    for index in updates.indices {
      // Read separately, because a copy of the element would take one more retain.
      let (key, entity, dirty) = (updates[index].key, updates[index].entity, updates[index].dirty)
      let toOnes = bindings[entity]._withUnsafeGuaranteedRef(\.memberBits)
      notice.recordUpdate(of: key, entity, properties: dirty, toOnes: toOnes)
    }
    for run in plan.insertRuns { recordInsertions(run, outcome, by: session, in: &notice) }
    for row in outcome.affected { notice.updated.add(row.key, of: row.entity) }
    // The plan does not have the members of existing rows.
    if !outcome.merged.isEmpty || !outcome.affected.isEmpty || outcome.keys.contains(0) { notice.lists = nil }
    recordLists(of: plan, outcome, in: &notice)
    for side in unmarked {
      if let row = side.model.savedRow { notice.recordLists(of: [row.key], row.entity, side.property.index) }
    }
    if let token = outcome.historyToken { notice.historyTokens = [(session.storeIdentifier.string, token)] }
    return notice
  }

  private func recordInsertions(
    _ run: SavePlan.Run, _ outcome: SaveOutcome, by session: any StoreSession, in notice: inout ChangeNotice
  ) {
    let binding = graph.bindingsByOrdinal[run.entity]
    if outcome.merged.isEmpty, !session.keepsBothSides {
      return notice.inserted.add(Array(outcome.keys[run.positions]), of: run.entity)
    }
    for index in run.positions where outcome.keys[index] != 0 {
      let key = outcome.keys[index]
      if let entity = outcome.merged[index] ?? binding.holder(of: key) {
        notice.updated.add(key, of: entity)
        notice.lists = nil
      } else {
        notice.inserted.add(key, of: run.entity)
      }
    }
  }

  /// Adds the changed to-manys of existing owners. No other context has a to-many of a new owner.
  private func recordLists(of plan: SavePlan, _ outcome: SaveOutcome, in notice: inout ChangeNotice) {
    for membership in plan.memberships {
      guard notice.lists != nil else { return }
      guard let owner = membership.owner.savedRow else { continue }
      let change = membership.change
      let added = change.added.compactMap { $0.savedRow ?? row(ofInserted: $0, plan, outcome) }
      let isGrown =
        change.removed.isEmpty && change.placedFirst.isEmpty && change.placedLast.count == change.added.count
        && added.count == change.added.count
      notice.lists?.append(
        ListChange(owner: owner, property: membership.property.index, added: isGrown ? added : nil))
    }
  }

  private func row(ofInserted model: any PersistentModel, _ plan: SavePlan, _ outcome: SaveOutcome) -> RowKey? {
    guard let index = plan.index(ofInserted: model), let entity = model._$withState({ $0.withBinding { $0.ordinal } })
    else { return nil }
    return RowKey(key: outcome.keys[index], entity: entity)
  }
}

extension PersistentModel {
  /// The row of a persistent model; nil for a model that is inserted or deleted.
  fileprivate var savedRow: RowKey? {
    _$withState { state in
      guard state.status == .persistent, let ordinal = state.withBinding({ $0.ordinal }) else { return nil }
      return RowKey(key: state.key, entity: ordinal)
    }
  }
}
