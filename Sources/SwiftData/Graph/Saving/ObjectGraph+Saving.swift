import Foundation

extension ObjectGraph {
  /// Writes everything pending; see ``ModelContext/save()``.
  func save() throws {
    // Held to the end: without a context, links to the last heir are only stood in for, which cannot be saved.
    let context = context
    defer { withExtendedLifetime(context) {} }
    try alone {
      if saving.isWriting {
        saving.disturb()
        throw SavePlan.disturbance
      }
      try processInbox()
      try throwAccessFailure()
    }
    guard hasChanges else { return }
    post { NotificationCenter.default.post(name: ModelContext.willSave, object: context) }
    let notice = try alone {
      // Observers may have read something in vain, and set something by it.
      try throwAccessFailure()
      return try write()
    }
    post { postDidSave(notice) }
  }

  /// Lets observers run, who are told of what they ask for themselves.
  private func post(_ body: () -> Void) {
    let wasAutosaving = saving.setAutosaving(false)
    defer { _ = saving.setAutosaving(wasAutosaving) }
    body()
  }

  private func write() throws -> ChangeNotice {
    defer { checkInvariants() }
    try SaveValidation(graph: self).run()
    try throwAccessFailure()
    var notice = ChangeNotice()
    // What was written is done, whatever becomes of the rest.
    defer { core.broadcast(notice, from: inbox) }
    var writtenStores: [String] = []
    for (index, session) in sessions.enumerated() {
      do {
        if session.keepsBothSides {
          dropDismissed(inSession: index)
          try settleOtherSides(inSession: index)
        }
        let plan = plan(forSession: index)
        guard !plan.isEmpty else { continue }
        let outcome = try carryOut(plan, by: session)
        writtenStores.append(session.storeName)
        complete(plan, outcome, &notice)
        if let failure = outcome.failure { throw failure }
      } catch {
        throw writtenStores.isEmpty ? error : Self.tell(error, ofStores: writtenStores)
      }
    }
    journal.closeSave()
    return notice
  }

  private func carryOut(_ plan: SavePlan, by session: any StoreSession) throws -> SaveOutcome {
    saving.beginWriting(plan)
    noteHearing()
    defer {
      saving.endWriting()
      noteHearing()
    }
    do {
      var outcome = try session.save(plan)
      if let failure = plan.failure {
        if !saving.isAutosaving { failures.closeRead() }
        outcome.failure = failure
      }
      return outcome
    } catch {
      guard let failure = plan.failure else { throw error }
      if !saving.isAutosaving { failures.closeRead() }
      throw failure
    }
  }

  /// Adds to an error that some stores have written their part.
  private static func tell(_ error: any Error, ofStores names: [String]) -> any Error {
    switch error {
    case var failure as StoreFailure:
      failure.savedStores = names
      return failure
    case let error as SwiftDataError:
      var details = error.details ?? SwiftDataError.Details()
      details.savedStores = names
      return error.with(details)
    default:
      return SwiftDataError.modelValidationFailure.with(
        SwiftDataError.Details(
          message: "A part of the changes was saved, and the rest was not.", underlyingError: error, savedStores: names)
      )
    }
  }

  private func plan(forSession index: Int) -> SavePlan {
    func belongs(_ model: any PersistentModel) -> Bool {
      sessions.count == 1 || model._$withState { $0.binding?.sessionIndex == index }
    }
    var inserts: [any PersistentModel] = []
    var runs: [SavePlan.Run] = []
    var revivedKeys: [Int: Int64] = [:]
    // Mostly each model's position is its own.
    let isWhole = sessions.count == 1 && journal.inserted.count == journal.inserted.placeCount
    var indices: [Int32] = isWhole ? [] : Array(repeating: -1, count: journal.inserted.placeCount)
    inserts.reserveCapacity(journal.inserted.count)
    journal.inserted.visit { position, model in
      guard belongs(model), let ordinal = model._$withState({ $0.withBinding { $0.ordinal } }) else { return }
      if !isWhole { indices[position] = Int32(inserts.count) }
      if runs.last?.entity != ordinal { runs.append(SavePlan.Run(entity: ordinal, start: inserts.count)) }
      inserts.append(model)
      runs[runs.count - 1].end = inserts.count
      if let key = journal.revivedKey(of: model) { revivedKeys[inserts.count - 1] = key }
    }
    var memberships: [SavePlan.Membership] = []
    for run in runs where bindingsByOrdinal[run.entity].hasToMany {
      for model in inserts[run.positions] { addMemberships(of: model, nil, to: &memberships) }
    }
    var updates: [SavePlan.Update] = []
    journal.changed.visit { _, model in
      guard belongs(model) else { return }
      let (status, changes) = model._$withState { ($0.status, $0.changes) }
      guard let changes else { return }
      if status == .deleted { addRemovals(of: model, changes, to: &memberships) }
      guard status == .registered else { return }
      updates.append(SavePlan.Update(model: model, dirty: changes.dirty))
      addMemberships(of: model, changes, to: &memberships)
    }
    return SavePlan(
      graph: UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()), editingState: editingState, inserts: inserts,
      insertRuns: runs, insertIndices: isWhole ? nil : indices, revivedKeys: revivedKeys, updates: updates,
      deletes: journal.deleted.isEmpty ? [] : journal.deleted.models.filter(belongs),
      deletedRows: journal.deletedRows.isEmpty
        ? [] : journal.deletedRows.keys { bindingsByOrdinal[$0].sessionIndex == index },
      memberships: memberships)
  }

  /// Has one-way relationships lead no more to what was deleted before it was ever saved, and may be in another context by
  /// now: a snapshot would name it.
  private func dropDismissed(inSession index: Int) {
    if !journal.hasDismissed { return }
    for model in journal.inserted.models + journal.changedModels {
      guard let binding = model._$withState({ $0.binding }), binding.sessionIndex == index else { continue }
      for rule in binding.relationshipRules where rule.isOneWay {
        for target in rule.property.loadedTargets(of: model)
        where target._$withState({ $0.status == .plain || $0.isLive && !$0.belongs(to: self) }) {
          rule.property.replace(target, by: nil, in: model)
          rule.property.noteChange(of: model)
        }
      }
    }
  }

  /// Makes the targets that to-ones led to when they were last saved count as changed where they lose a member that
  /// way, though nobody has read their members yet.
  private func settleOtherSides(inSession index: Int) throws {
    for model in journal.changedModels {
      let (binding, changes) = model._$withState { ($0.binding, $0.changes) }
      guard let binding, binding.sessionIndex == index, let changes else { continue }
      for rule in binding.relationshipRules where !rule.isToMany {
        guard let former = changes.formerTarget(rule.property.index), former.target == nil, former.key > 0,
          let inverse = rule.property.inverse(for: model), inverse.isToMany,
          let destination = self.binding(for: rule.property.destinationType)
        else { continue }
        // Reading the members finds the one that left.
        if let target = try find(former.key, destination) { _ = try inverse.targets(of: target) }
      }
    }
  }

  /// - Parameter changes: The entries about a saved model; nil for a new one, whose members are all new.
  private func addMemberships(
    of model: any PersistentModel, _ changes: ObjectChanges?, to memberships: inout [SavePlan.Membership]
  ) {
    guard hasToMany(model) else { return }
    for property in ModelRuntime.of(model).relationships where property.isToMany {
      if let changes, changes.members(property.index) == nil { continue }
      let change = property.membership(of: model)
      if !change.isEmpty {
        memberships.append(SavePlan.Membership(owner: model, property: property, change: change))
      }
    }
  }

  /// Adds what a deleted model gave up before: a link that denies the deletion has to go, and no other may.
  private func addRemovals(
    of model: any PersistentModel, _ changes: ObjectChanges, to memberships: inout [SavePlan.Membership]
  ) {
    for rule in model._$withState({ $0.binding })?.relationshipRules ?? [] where rule.deleteRule == .deny {
      guard rule.isToMany, changes.members(rule.property.index) != nil else { continue }
      let removed = rule.property.membership(of: model).removed
      if removed.isEmpty { continue }
      memberships.append(
        SavePlan.Membership(owner: model, property: rule.property, change: MembershipChange(removed: removed)))
    }
  }

  /// Makes the context agree with what a store wrote.
  private func complete(_ plan: SavePlan, _ outcome: SaveOutcome, _ notice: inout ChangeNotice) {
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
    for update in plan.updates {
      let (key, ordinal) = update.model._$withState { ($0.key, $0.withBinding { $0.ordinal }) }
      journal.closeChanges(of: update.model)
      settle(update.model, dirty: update.dirty)
      if let ordinal { notice.updated.add(key, of: ordinal, properties: update.dirty) }
    }
    var absorbed: [(model: any PersistentModel, row: RowKey)] = []
    var keyless = Set<Int>()
    let hasRevived = !plan.revivedKeys.isEmpty
    var displaced: Set<Int> = []
    for (index, model) in plan.inserts.enumerated() {
      journal.closeInsertion(of: model)
      let key = outcome.keys[index]
      // Not counted: this graph has its bindings.
      guard let binding = model._$withState({ $0.bindingReference }) else { continue }
      if key == 0 {
        keyless.insert(binding._withUnsafeGuaranteedRef(\.ordinal))
        retire(model)
        continue
      }
      if hasRevived, plan.revivedKeys[index] == key, outcome.merged[index] == nil {
        notice.revived.add(key, of: binding._withUnsafeGuaranteedRef(\.ordinal))
        let ordinal = binding._withUnsafeGuaranteedRef { makePlace(forRevived: key, $0) }
        if let ordinal { displaced.insert(ordinal) }
      }
      let row = binding._withUnsafeGuaranteedRef { place(model, key, $0, mergedInto: outcome.merged[index], &notice) }
      if let row { absorbed.append((model, row)) }
    }
    if !absorbed.isEmpty { absorb(absorbed, among: plan) }
    if !keyless.isEmpty { forgetKeyless(of: keyless, among: plan) }
    if hasRevived {
      releaseLinks(to: displaced, includingMutual: true)
      rereadSources(ofRevived: notice.revived)
    }
    for row in outcome.affected {
      let binding = bindingsByOrdinal[row.entity]
      notice.updated.add(row.key, of: row.entity)
      if let model = binding.map.model(row.key) { reread(model, row.key, binding) }
    }
  }

  /// Has whatever stood for a row that was gone leave the key to the model that brought the row back.
  ///
  /// - Returns: The entity of what has left.
  private func makePlace(forRevived key: Int64, _ binding: EntityBinding) -> Int? {
    guard let other = binding.map.model(key) else { return nil }
    let ordinal = other._$withState { $0.withBinding { $0.ordinal } }
    forget(other)
    return ordinal
  }

  private func rereadSources(ofRevived rows: KeysByEntity) {
    rows.visit { entry in
      let keys = Set(entry.keys)
      for model in sources(ofRevived: entry.entity, includingLoaded: false, where: keys.contains) {
        let (key, binding) = model._$withState { ($0.key, $0.binding) }
        if let binding { reread(model, key, binding) }
      }
    }
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
    if let entity {
      notice.updated.add(key, of: entity)
      // What has the row already, or what alone can have it, takes the place of the model.
      if holder != nil || entity != binding.ordinal { return RowKey(key: key, entity: entity) }
    } else {
      notice.inserted.add(key, of: binding.ordinal)
    }
    binding.map.insert(model, key)
    model._$withState { state in
      state.key = key
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

  private func hasToMany(_ model: any PersistentModel) -> Bool {
    model._$withState { $0.withBinding { $0.hasToMany } } ?? false
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
        willHold(model)
        model._$withState { state in
          state.key = row.key
          state.leave(.gone)
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

extension SavePlan {
  var isEmpty: Bool {
    inserts.isEmpty && updates.isEmpty && deletes.isEmpty && deletedRows.isEmpty
  }
}
