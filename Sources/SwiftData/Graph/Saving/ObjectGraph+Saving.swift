extension ObjectGraph {
  /// Writes everything pending; see ``ModelContext/save()``.
  func save() throws {
    // Held to the end: a graph without a context has nothing to save.
    let context = context
    defer { withExtendedLifetime(context) {} }
    defer { if saving.isInTransaction { renewLocks() } }
    if let notice = try saveSilently(context) { post { postDidSave(notice) } }
  }

  /// Does what `save()` does.
  ///
  /// - Returns: The place of the save in the histories of the stores.
  func saveTellingTokens() throws -> [String: any HistoryToken] {
    let context = context
    defer { withExtendedLifetime(context) {} }
    guard let notice = try saveSilently(context) else { return [:] }
    post { postDidSave(notice) }
    return notice.tokensByStore
  }

  /// Writes everything pending. Whoever waits for the end of the save is to be told of it.
  ///
  /// - Returns: What was saved; nil when there was nothing to save.
  func saveSilently(_ context: ModelContext) throws -> ChangeNotice? {
    try alone {
      try checkNotWriting()
      for session in sessions { session.noteHearing() }
      try processInbox()
      try throwAccessFailure()
      try saving.checkLock()
    }
    guard hasChanges else {
      closeAutosaveFailure()
      return nil
    }
    postWillSave(context)
    let notice = try settlingConflicts {
      // Observers may have read something in vain, and set something by it.
      try throwAccessFailure()
      return try write()
    }
    closeAutosaveFailure()
    return notice
  }

  /// Runs `body`, which writes. Where the last writer does not simply win, nobody else can write meanwhile, and what others
  /// have written before is known.
  private func settlingConflicts<Result>(_ body: () throws -> Result) throws -> Result {
    if mergePolicy == .lastWriterWins { return try alone(body) }
    func settleAndWrite() throws -> Result {
      try withoutUndo(settleConflicts)
      return try body()
    }
    // A transaction has come up to date at its beginning.
    if saving.isInTransaction { return try alone(settleAndWrite) }
    return try holdingLocks(from: 0) {
      try alone {
        try bringChangesUpToDate()
        return try settleAndWrite()
      }
    }
  }

  /// - Throws: Where code that a store has called while it writes asks for another save.
  func checkNotWriting() throws {
    guard saving.isWriting else { return }
    saving.disturb()
    throw SavePlan.disturbance
  }

  /// Lets observers run, who are told of what they ask for themselves.
  func post(_ body: () -> Void) {
    let wasAutosaving = saving.setAutosaving(false)
    defer { _ = saving.setAutosaving(wasAutosaving) }
    body()
  }

  private func write() throws -> ChangeNotice {
    try withoutUndo(writeStores)
  }

  private func writeStores() throws -> ChangeNotice {
    defer { checkInvariants() }
    try SaveValidation(graph: self).run()
    try throwAccessFailure()
    var notices: [ChangeNotice] = []
    var writtenStores: [String] = []
    for (index, session) in sessions.enumerated() {
      do {
        if session.keepsBothSides {
          dropDismissed(inSession: index)
          try settleOtherSides(inSession: index)
        }
        var plan = plan(forSession: index)
        if session.keepsBothSides, !plan.deletedRows.isEmpty, plan.batchDeletion == nil {
          // There is more to save, so that the store is given the models.
          try loadRows(plan.deletedRows)
          plan = self.plan(forSession: index)
        }
        guard !plan.isEmpty else { continue }
        let written: Written
        do {
          written = try carryOut(plan, by: session)
        } catch let error as DataStoreError {
          if plan.batchDeletion == nil { throw error }
          // It cannot delete by this predicate.
          journal.closeBatchDeletions(bySession: index)
          try loadRows(plan.deletedRows)
          plan = self.plan(forSession: index)
          written = try carryOut(plan, by: session)
        }
        writtenStores.append(session.storeName)
        notices.append(written.notice)
        complete(written)
        journal.closeBatchDeletions(bySession: index)
        if let failure = written.outcome.failure { throw failure }
      } catch {
        throw writtenStores.isEmpty ? error : Self.tell(error, ofStores: writtenStores)
      }
    }
    journal.closeSave()
    noteHearing()
    var notice = notices.first ?? ChangeNotice()
    for other in notices.dropFirst() { notice.add(other) }
    return notice
  }

  /// What one store has written, of which other contexts are told already.
  struct Written {
    let plan: SavePlan
    fileprivate(set) var outcome = SaveOutcome(keys: [])
    fileprivate(set) var notice = ChangeNotice()
    /// What the plan changes without a word of it.
    let untold: [UntoldSide]

    fileprivate init(_ plan: SavePlan) {
      self.plan = plan
      untold = UntoldSide.sides(of: plan.memberships)
    }
  }

  private func carryOut(_ plan: SavePlan, by session: any StoreSession) throws -> Written {
    var written = Written(plan)
    saving.beginWriting(plan)
    noteHearing()
    defer {
      saving.endWriting()
      noteHearing()
    }
    do {
      written.outcome = try session.save(plan) { outcome in
        written.notice = notice(of: plan, outcome, written.untold, by: session)
        core.broadcast(written.notice, from: inbox)
      }
      if let failure = plan.failure {
        if !saving.isAutosaving { failures.closeRead() }
        written.outcome.failure = failure
      }
      return written
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
    }
    var memberships: [SavePlan.Membership] = []
    for run in runs where bindingsByOrdinal[run.entity].hasToMany {
      for model in inserts[run.positions] { addMemberships(of: model, nil, to: &memberships) }
    }
    var updates: [SavePlan.Update] = []
    updates.reserveCapacity(journal.changed.count)
    journal.changed.visit { _, model in
      guard belongs(model) else { return }
      let (status, key, dirty) = model._$withState { ($0.status, $0.key, $0.dirty) }
      let place = model._$withState { $0.withBinding { ($0.ordinal, isLinked: !$0.ruleReferences.isEmpty) } }
      guard let (entity, isLinked) = place, model._$withState({ $0.changesReference != nil }) else { return }
      if status == .registered {
        updates.append(SavePlan.Update(model: model, key: key, entity: entity, dirty: dirty))
      }
      guard isLinked, let changes = model._$withState({ $0.changes }) else { return }
      if status == .deleted { addRemovals(of: model, changes, to: &memberships) }
      guard status == .registered else { return }
      addMemberships(of: model, changes, to: &memberships)
    }
    let deletes = journal.deleted.isEmpty ? [] : journal.deleted.models.filter(belongs)
    let deletedRows =
      journal.deletedRows.isEmpty ? [] : journal.deletedRows.keys { bindingsByOrdinal[$0].sessionIndex == index }
    let isDeletion = inserts.isEmpty && updates.isEmpty
    return SavePlan(
      graph: UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()), editingState: editingState, inserts: inserts,
      insertRuns: runs, insertIndices: isWhole ? nil : indices, updates: updates, deletes: deletes,
      deletedRows: deletedRows, memberships: memberships,
      batchDeletion: isDeletion ? batchDeletion(of: deletes, deletedRows, bySession: index) : nil,
      allowsUpserts: allowsUpserts)
  }

  /// The deletion by a predicate that selected all of these and nothing else.
  private func batchDeletion(
    of models: [any PersistentModel], _ rows: [(entity: Int, keys: [Int64])], bySession index: Int
  ) -> BatchDeletion? {
    if journal.batchDeletions.isEmpty { return nil }
    var deleted = Set(rows.flatMap { entity, keys in keys.map { RowKey(key: $0, entity: entity) } })
    for model in models {
      let (key, entity) = model._$withState { ($0.key, $0.withBinding { $0.ordinal }) }
      if let entity { deleted.insert(RowKey(key: key, entity: entity)) }
    }
    return deleted.isEmpty ? nil : journal.batchDeletions.last { $0.session == index && $0.rows == deleted }
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

  private func hasToMany(_ model: any PersistentModel) -> Bool {
    model._$withState { $0.withBinding { $0.hasToMany } } ?? false
  }
}

extension SavePlan {
  var isEmpty: Bool {
    inserts.isEmpty && updates.isEmpty && deletes.isEmpty && deletedRows.isEmpty
  }
}
