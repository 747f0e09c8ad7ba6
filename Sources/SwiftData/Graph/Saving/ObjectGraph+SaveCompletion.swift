extension ObjectGraph {
  /// Makes the context agree with what a store wrote.
  func complete(_ plan: SavePlan, _ outcome: SaveOutcome, _ notice: inout ChangeNotice) {
    // Of new owners nobody knows anything that could be out of date.
    let memberships = plan.memberships.filter { $0.owner._$withState { $0.status == .registered } }
    let untold = UntoldSide.sides(of: memberships)
    defer { notice.noteLists(of: memberships, untold, after: plan, outcome) }
    completeDeletions(of: plan, &notice)
    completeUpdates(of: plan, &notice)
    for side in untold {
      side.property.forgetAwaited(of: side.model)
      release(side.property, of: side.model)
    }
    if let changeObserver {
      notice.updated.visit { changeObserver.noteSave(ofEntity: $0.entity, properties: $0.properties) }
    }
    completeInsertions(of: plan, outcome, &notice)
    for row in outcome.affected {
      let binding = bindingsByOrdinal[row.entity]
      notice.updated.add(row.key, of: row.entity)
      changeObserver?.noteAnyChange()
      if let model = binding.map.model(row.key) { reread(model, row.key, binding) }
    }
    changeObserver?.noteSaveEnd()
  }

  /// Lets go of deleted models, and of what leads to rows that are gone.
  private func completeDeletions(of plan: SavePlan, _ notice: inout ChangeNotice) {
    for model in plan.deletes {
      journal.close(model)
      let (key, ordinal) = model._$withState { ($0.key, $0.binding?.ordinal) }
      if let ordinal { notice.deleted.add(key, of: ordinal) }
      retire(model)
    }
    for (ordinal, keys) in plan.deletedRows {
      for key in keys { journal.takeBackDeletion(ofRow: key, of: bindingsByOrdinal[ordinal].map) }
      notice.deleted.add(keys, of: ordinal)
    }
    releaseLinks(to: notice.deleted.entities, includingMutual: journal.hasMergedBesideDeletions)
    journal.closeDeletions()
  }

  /// Takes the changes of models whose rows were there before as saved.
  private func completeUpdates(of plan: SavePlan, _ notice: inout ChangeNotice) {
    let (updates, bindings) = (plan.updates, bindingReferences)
    for place in updates.indices {
      // In parts, because a copy of the whole would count one more reference.
      let (key, entity, dirty) = (updates[place].key, updates[place].entity, updates[place].dirty)
      journal.closeChanges(of: updates[place].model)
      let (needsSettling, toOnes) = bindings[entity]._withUnsafeGuaranteedRef { ($0.needsSettling, $0.memberBits) }
      if needsSettling { settle(updates[place].model, dirty: dirty) }
      notice.noteUpdate(of: key, entity, properties: dirty, toOnes: toOnes)
    }
  }

  /// Has inserted models stand for their rows, or leave them to what does already.
  private func completeInsertions(of plan: SavePlan, _ outcome: SaveOutcome, _ notice: inout ChangeNotice) {
    var absorbed: [(model: any PersistentModel, row: RowKey)] = []
    var keyless = Set<Int>()
    for (index, model) in plan.inserts.enumerated() {
      journal.closeInsertion(of: model)
      let key = outcome.keys[index]
      // Not counted: this graph has its bindings.
      guard let binding = model._$withState({ $0.bindingReference }) else { continue }
      let ordinal = binding._withUnsafeGuaranteedRef(\.ordinal)
      if key == 0 {
        changeObserver?.noteMember(model, entity: ordinal, isDeleted: false)
        keyless.insert(ordinal)
        retire(model)
        continue
      }
      let row = binding._withUnsafeGuaranteedRef { place(model, key, $0, mergedInto: outcome.merged[index], &notice) }
      changeObserver?.noteRow(row ?? RowKey(key: key, entity: ordinal))
      guard let row else { continue }
      changeObserver?.noteMember(model, entity: ordinal, isDeleted: false)
      absorbed.append((model, row))
    }
    if !absorbed.isEmpty {
      absorb(absorbed, among: plan)
      // Nobody knows what the rows had before.
      if UndoRecorder.areThereAny { undoRecorder?.removeAll() }
    }
    if !keyless.isEmpty { forgetKeyless(of: keyless, among: plan) }
  }

  /// Registers an inserted model under the key of its row.
  ///
  /// - Parameter entity: The entity of the row if that was there before.
  /// - Returns: The row if it was there before.
  private func place(
    _ model: any PersistentModel, _ key: Int64, _ binding: EntityBinding, mergedInto entity: Int?,
    _ notice: inout ChangeNotice
  ) -> RowKey? {
    // A store need not say that it made an insertion an update.
    let holder = binding.map.model(key).flatMap { $0._$withState { $0.withBinding { $0.ordinal } } }
    let entity = entity ?? holder
    let (temporary, isKnown) = model._$withState { ($0.key, $0.isKnownUnsaved) }
    if isKnown {
      PermanentIdentifiers.note(
        bindingsByOrdinal[entity ?? binding.ordinal].identifier(of: key), forTemporary: temporary)
    }
    if let entity {
      notice.updated.add(key, of: entity)
      notice.lists = nil
      // What has the row already, or what alone can have it, takes the place of the model.
      if holder != nil || entity != binding.ordinal { return RowKey(key: key, entity: entity) }
    } else {
      notice.inserted.add(key, of: binding.ordinal)
    }
    binding.map.insert(model, key)
    model._$withState { state in
      state.key = key
      state.isKnownUnsaved = false
      state.status = .registered
    }
    if binding.needsSettling { settle(model) }
    return entity.map { RowKey(key: key, entity: $0) }
  }

  /// After a save whose store did not say which rows some models have: what leads to them asks the store.
  private func forgetKeyless(of ordinals: Set<Int>, among plan: SavePlan) {
    releaseMembers(of: ordinals)
    for model in plan.inserts + plan.updates.map(\.model) {
      let (key, binding) = model._$withState { ($0.key, $0.binding) }
      guard let binding else { continue }
      let leadsToOne = binding.runtime.relationships.contains { property in
        !property.isToMany && property.loadedTargets(of: model).contains { $0._$withState { $0.status } == .gone }
      }
      if leadsToOne { reread(model, key, binding) }
    }
  }

  /// Takes what a model says of its relationships as saved.
  ///
  /// - Parameter dirty: What was written of a row that was there before; nil for a new one.
  private func settle(_ model: any PersistentModel, dirty: UInt64? = nil) {
    guard let binding = model._$withState({ $0.bindingReference }), binding._withUnsafeGuaranteedRef(\.needsSettling)
    else { return }
    for rule in binding._withUnsafeGuaranteedRef(\.relationshipRules) {
      let property = rule.property
      if rule.isToMany { property.settle(model) }
      if let dirty, dirty & rule.bit == 0 { continue }
      if rule.isOneWay, !property.loadedTargets(of: model).allSatisfy(isSettled) {
        if UndoRecorder.areThereAny { undoRecorder?.noteLoss(of: property, model) }
        // Only an inverse is told of that. A to-one was saved as leading nowhere, also if its target has a row.
        if rule.isToMany {
          property.release(model)
        } else if let target = property.loadedTarget(of: model) {
          property.replace(target, by: nil, in: model)
        }
        property.noteChange(of: model)
      } else if dirty != nil, rule.isKeptByTarget, property.isLoaded(model), property.loadedTarget(of: model) == nil {
        // That it leads nowhere is in nobody's row, and somebody else may lead here.
        property.unload(model)
      }
    }
  }

  /// After upserts: the object that stood for a row takes the place of the one that was inserted, and reads the row
  /// that both became. Where none did, the inserted one stays, unless the row is of another entity.
  private func absorb(_ merged: [(model: any PersistentModel, row: RowKey)], among plan: SavePlan) {
    // Who has the survivors as members, and where, is for the store to say.
    defer {
      let entities = Set(merged.map(\.row.entity))
      releaseMembers(of: entities)
      releaseTargets(among: entities)
    }
    // Held, because the map does not hold them.
    let survivors = merged.map { model, row -> any PersistentModel in
      do {
        return try fault(row.key, bindingsByOrdinal[row.entity])
      } catch {
        // The row is written; only nobody can make an object for it now.
        note(error)
        return model
      }
    }
    var successors: [ObjectIdentifier: any PersistentModel] = [:]
    for ((model, _), survivor) in zip(merged, survivors) where survivor !== model {
      successors[ObjectIdentifier(model)] = survivor
    }
    if !successors.isEmpty {
      // Only what was saved just now can refer to a model that was new until now.
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
      if survivor !== model || model._$withState({ $0.status != .registered }) {
        model._$withState { state in
          state.key = row.key
          state.leave(.gone)
          if survivor !== model { state.survivor = survivor }
        }
      }
      if survivor === model, model._$withState({ $0.status == .gone }) { continue }
      reread(survivor, row.key, bindingsByOrdinal[row.entity])
    }
  }

  private func reread(_ model: any PersistentModel, _ key: Int64, _ binding: EntityBinding) {
    // A row that was not read yet may have members that were, before this save. The model may be of another class than
    // who knows of its row thinks.
    for rule in model._$withState({ $0.binding })?.relationshipRules ?? []
    where rule.isToMany && model._$withState({ !$0.isPending(rule.property.index) }) {
      rule.property.release(model)
    }
    do {
      try binding.session.row(of: binding.rootEntity, key: key) { row, reader in
        if update(model, bindingsByOrdinal[row.entity], from: reader, nil) { return }
        _ = receive(row, reader, nil)
      }
    } catch {
      // It is read again when it is touched.
      unload(model)
      note(error)
    }
  }
}

extension ChangeNotice {
  /// Notes what became of the members of to-manys.
  ///
  /// - Parameters:
  ///   - memberships: Those of owners that were saved before.
  ///   - untold: What these change without a word of it.
  fileprivate mutating func noteLists(
    of memberships: [SavePlan.Membership], _ untold: [UntoldSide], after plan: SavePlan, _ outcome: SaveOutcome
  ) {
    // Rows that were there before have members of which the plan says nothing.
    if !outcome.merged.isEmpty || !outcome.affected.isEmpty || outcome.keys.contains(0) { lists = nil }
    guard lists != nil else { return }
    for membership in memberships {
      guard let owner = membership.owner.savedRow else {
        lists = nil
        return
      }
      let change = membership.change
      let added = change.added.compactMap(\.savedRow)
      let isGrown =
        change.removed.isEmpty && change.reordered.count == change.added.count && added.count == change.added.count
      lists?.append(ListChange(owner: owner, property: membership.property.index, added: isGrown ? added : nil))
    }
    for side in untold {
      if let row = side.model.savedRow { noteLists(of: [row.key], row.entity, side.property.index) }
    }
  }
}

extension PersistentModel {
  /// The row of a model that stays in its context; nil for others.
  fileprivate var savedRow: RowKey? {
    _$withState { state in
      guard state.status == .registered, let ordinal = state.withBinding({ $0.ordinal }) else { return nil }
      return RowKey(key: state.key, entity: ordinal)
    }
  }
}
