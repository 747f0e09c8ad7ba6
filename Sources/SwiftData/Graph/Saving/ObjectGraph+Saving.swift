import Foundation

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
  func saveReturningTokens() throws -> [String: any HistoryToken] {
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
    try exclusively {
      try checkNotWriting()
      for session in sessions { session.lockable?.updateChangeReporting() }
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
      return try SaveOperation(graph: self).run()
    }
    closeAutosaveFailure()
    return notice
  }

  /// Runs `body`, which writes. Where the last writer does not simply win, nobody else can write meanwhile, and what others
  /// have written before is known.
  private func settlingConflicts<Result>(_ body: () throws -> Result) throws -> Result {
    if mergePolicy == .lastWriterWins { return try exclusively(body) }
    func resolveAndWrite() throws -> Result {
      try withoutUndo { try ConflictResolution(graph: self).run() }
      return try body()
    }
    // A transaction has come up to date at its beginning.
    if saving.isInTransaction { return try exclusively(resolveAndWrite) }
    return try holdingLocks(from: 0) {
      try exclusively {
        try refreshChangedModels()
        return try resolveAndWrite()
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
}

extension ObjectGraph {
  /// Runs `block` and saves, while no other context can save; see ``ModelContext/transaction(block:)``.
  func transaction(_ block: () throws -> Void) throws {
    // One inside another is a part of it.
    if saving.isInTransaction { return try block() }
    let context = context
    defer { withExtendedLifetime(context) {} }
    try exclusively(checkNotWriting)
    let notice = try saveInTransaction(context, block)
    // Others can save again, and so can those who are told.
    if let notice { post { postDidSave(notice) } }
  }

  /// - Returns: What was saved; nil when there was nothing to save.
  private func saveInTransaction(_ context: ModelContext, _ block: () throws -> Void) throws -> ChangeNotice? {
    // Observers hear at the end of what was kept from them inside.
    defer { exclusively {} }
    return try holdingLocks(from: 0) {
      saving.beginTransaction()
      defer { saving.endTransaction() }
      do {
        try exclusively {
          try comeUpToDate()
          try throwAccessFailure()
        }
        try block()
        return try saveSilently(context)
      } catch {
        // One that came in between was left to this save.
        scheduleAutosaveIfNeeded()
        throw error
      }
    }
  }

  /// The locks are taken in the order of the stores, so that two contexts do not wait for each other.
  func holdingLocks<Result>(from index: Int, _ body: () throws -> Result) throws -> Result {
    if index == sessions.count { return try body() }
    let graph = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    guard let session = sessions[index].lockable else { return try holdingLocks(from: index + 1, body) }
    return try session.holdingLock(for: graph) { try holdingLocks(from: index + 1, body) }
  }

  /// Merges what other contexts and processes have saved. None of them can save meanwhile.
  private func comeUpToDate() throws {
    // Asked first: what is announced is in the inbox.
    let missed = sessionsWithMissedChanges(of: .all)
    if !missed.isEmpty {
      let unknown = bindingsByOrdinal.filter { missed.contains($0.sessionIndex) && mayBeOutOfDate($0) }
      // There it stays when it cannot be taken in now.
      if !unknown.isEmpty { inbox.post(ChangeNotice(unknown: Set(unknown.map(\.ordinal)))) }
    }
    try processInbox()
  }

  /// The same for the models that are about to be saved.
  func refreshChangedModels() throws {
    let missed = sessionsWithMissedChanges(of: .changed)
    try processInbox()
    if !missed.isEmpty { try reread(journal.changedModels + journal.deleted.models, inSessions: Set(missed)) }
  }

  private func sessionsWithMissedChanges(of models: UntrackedRows) -> [Int] {
    sessions.indices.filter { sessions[$0].lockable?.hasMissedChanges(of: models) == true }
  }

  private func mayBeOutOfDate(_ binding: EntityBinding) -> Bool {
    !binding.map.isEmpty || !journal.deletedRows.isEmpty
  }

  /// Takes the locks again that a save inside a transaction has given up. When that fails, the next call that can throw
  /// does, and nothing more is written in the transaction.
  func renewLocks() {
    attempt("taking the lock of a transaction again after a save") {
      do {
        try exclusively {
          let sessions = sessions.compactMap(\.lockable)
          guard sessions.contains(where: \.lacksLock) else { return }
          // All of them, in the order in which every context takes them.
          for session in sessions { session.giveLockBack() }
          for session in sessions { try session.renewLock() }
          try comeUpToDate()
        }
      } catch {
        saving.loseLock(error)
        throw error
      }
    }
  }
}

extension ObjectGraph {
  func postWillSave(_ context: ModelContext) {
    post { NotificationCenter.default.post(name: ModelContext.willSave, object: context) }
  }

  func postDidSave(_ notice: ChangeNotice) {
    let changes = [
      (SaveInfo.inserted, notice.inserted), (SaveInfo.updated, notice.updated), (SaveInfo.deleted, notice.deleted),
    ]
    // An observer that saves finds none, and makes its own.
    var info = saving.takeInfo()
    for (places, keys) in changes where !keys.isEmpty { info.set(identifiers(of: keys), at: places) }
    if !notice.historyTokens.isEmpty { info.setTokens(of: notice) }
    NotificationCenter.default.post(name: ModelContext.didSave, object: context, userInfo: info.values)
    for (places, keys) in changes where !keys.isEmpty { info.set([], at: places) }
    if !notice.historyTokens.isEmpty { info.removeTokens() }
    saving.giveBack(info)
  }

  /// Tells that all rows of some models may have changed, which the context has taken in.
  func postInvalidation(of identifiers: [PersistentIdentifier]) {
    let context = context
    post {
      NotificationCenter.default.post(
        name: ModelContext.didSave, object: context, userInfo: SaveInfo.invalidation(of: identifiers))
    }
  }

  private func identifiers(of changes: KeysByEntity) -> [PersistentIdentifier] {
    var identifiers: [PersistentIdentifier] = []
    changes.visit { entry in
      let binding = bindingsByOrdinal[entry.entity]
      identifiers.reserveCapacity(identifiers.count + entry.keys.count)
      for key in entry.keys { identifiers.append(binding.identifier(of: key)) }
    }
    return identifiers
  }
}
