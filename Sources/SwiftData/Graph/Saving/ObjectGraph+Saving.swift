import Foundation

extension ObjectGraph {
  /// Saves all changes; see ``ModelContext/save()``.
  func save() throws {
    // Retained to the end: a graph without a context has nothing to save.
    let context = context
    defer { withExtendedLifetime(context) {} }
    defer { if saving.isInTransaction { renewLocks() } }
    if let notice = try saveSilently(context) { post { postDidSave(notice) } }
  }

  /// Saves like `save()`.
  ///
  /// - Returns: The tokens of the save in the histories of the stores.
  func saveReturningTokens() throws -> [String: any HistoryToken] {
    let context = context
    defer { withExtendedLifetime(context) {} }
    guard let notice = try saveSilently(context) else { return [:] }
    post { postDidSave(notice) }
    return notice.tokensByStore
  }

  /// Saves all changes without posting `didSave`, which the caller posts.
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
    let notice = try resolvingConflicts {
      // Observers may have caused a failed read, and have set something that depends on it.
      try throwAccessFailure()
      return try SaveOperation(graph: self).run()
    }
    closeAutosaveFailure()
    return notice
  }

  /// Runs `body`, which writes. Unless the merge policy is `lastWriterWins`, no other context or process can write
  /// meanwhile, and all their earlier changes are merged.
  private func resolvingConflicts<Result>(_ body: () throws -> Result) throws -> Result {
    if mergePolicy == .lastWriterWins { return try exclusively(body) }
    func resolveAndWrite() throws -> Result {
      try withoutUndo { try ConflictResolution(graph: self).run() }
      return try body()
    }
    // A transaction has merged the changes of others at its beginning.
    if saving.isInTransaction { return try exclusively(resolveAndWrite) }
    return try holdingLocks(from: 0) {
      try exclusively {
        try refreshChangedModels()
        return try resolveAndWrite()
      }
    }
  }

  /// - Throws: An error if code that a store calls while it writes starts another save.
  func checkNotWriting() throws {
    guard saving.isWriting else { return }
    saving.disturb()
    throw SavePlan.disturbance
  }

  /// Posts notifications. Saves of their observers are not part of an autosave, so that they throw their failures.
  func post(_ body: () -> Void) {
    let wasAutosaving = saving.setAutosaving(false)
    defer { _ = saving.setAutosaving(wasAutosaving) }
    body()
  }
}

extension ObjectGraph {
  /// Runs `block` and saves, while no other context can save; see ``ModelContext/transaction(block:)``.
  func transaction(_ block: () throws -> Void) throws {
    // A nested transaction is a part of the outer one.
    if saving.isInTransaction { return try block() }
    let context = context
    defer { withExtendedLifetime(context) {} }
    try exclusively(checkNotWriting)
    let notice = try saveInTransaction(context, block)
    // Other contexts can save again, and so can observers.
    if let notice { post { postDidSave(notice) } }
  }

  /// - Returns: What was saved; nil when there was nothing to save.
  private func saveInTransaction(_ context: ModelContext, _ block: () throws -> Void) throws -> ChangeNotice? {
    // Posts the notifications that were held in the transaction.
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
        // An autosave that was due meanwhile was left to this save.
        scheduleAutosaveIfNeeded()
        throw error
      }
    }
  }

  /// Takes the locks in the order of the stores, so that contexts cannot deadlock.
  func holdingLocks<Result>(from index: Int, _ body: () throws -> Result) throws -> Result {
    if index == sessions.count { return try body() }
    let graph = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    guard let session = sessions[index].lockable else { return try holdingLocks(from: index + 1, body) }
    return try session.holdingLock(for: graph) { try holdingLocks(from: index + 1, body) }
  }

  /// Merges the changes of other contexts and processes, which cannot save meanwhile.
  private func comeUpToDate() throws {
    // Checked first: announced changes are in the inbox.
    let missed = sessionsWithMissedChanges(of: .all)
    if !missed.isEmpty {
      let unknown = bindingsByOrdinal.filter { missed.contains($0.sessionIndex) && mayBeOutOfDate($0) }
      // The notice stays in the inbox if it cannot be merged now.
      if !unknown.isEmpty { inbox.post(ChangeNotice(unknown: Set(unknown.map(\.ordinal)))) }
    }
    try processInbox()
  }

  /// Merges changes for the models that are about to be saved.
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

  /// Takes the locks again that a save inside a transaction has released. If that fails, the next call that can throw does,
  /// and the transaction writes nothing more.
  func renewLocks() {
    attempt("taking the lock of a transaction again after a save") {
      do {
        try exclusively {
          let sessions = sessions.compactMap(\.lockable)
          guard sessions.contains(where: \.lacksLock) else { return }
          // All of them, in the order in which each context takes them.
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
    // An observer that saves finds none, and makes a new one.
    var info = saving.takeInfo()
    for (indices, keys) in changes where !keys.isEmpty { info.set(identifiers(of: keys), at: indices) }
    if !notice.historyTokens.isEmpty { info.setTokens(of: notice) }
    NotificationCenter.default.post(name: ModelContext.didSave, object: context, userInfo: info.values)
    for (indices, keys) in changes where !keys.isEmpty { info.set([], at: indices) }
    if !notice.historyTokens.isEmpty { info.removeTokens() }
    saving.giveBack(info)
  }

  /// Posts that all rows of some models may have changed; the context has merged the changes.
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
