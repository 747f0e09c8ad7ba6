extension ObjectGraph {
  /// Runs `block` and saves, while nobody else can save; see ``ModelContext/transaction(block:)``.
  func transaction(_ block: () throws -> Void) throws {
    // One inside another is a part of it.
    if saving.isInTransaction { return try block() }
    let context = context
    defer { withExtendedLifetime(context) {} }
    try alone(checkNotWriting)
    let notice = try saveInTransaction(context, block)
    // Others can save again, and so can those who are told.
    if let notice { post { postDidSave(notice) } }
  }

  /// - Returns: What was saved; nil when there was nothing to save.
  private func saveInTransaction(_ context: ModelContext, _ block: () throws -> Void) throws -> ChangeNotice? {
    // Observers hear at the end of what was kept from them inside.
    defer { alone {} }
    return try holdingLocks(from: 0) {
      saving.beginTransaction()
      defer { saving.endTransaction() }
      do {
        try alone {
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
    return try sessions[index].holdingLock(for: graph) { try holdingLocks(from: index + 1, body) }
  }

  /// Takes in what others saved, whoever they are. They cannot save meanwhile.
  private func comeUpToDate() throws {
    // Asked first: what is announced is in the inbox.
    let missed = sessions.indices.filter { sessions[$0].hasMissedChanges(of: .all) }
    if !missed.isEmpty {
      let unknown = bindingsByOrdinal.filter { missed.contains($0.sessionIndex) && mayBeOutOfDate($0) }
      // There it stays when it cannot be taken in now.
      if !unknown.isEmpty { inbox.post(ChangeNotice(unknown: Set(unknown.map(\.ordinal)))) }
    }
    try processInbox()
  }

  /// The same for the models that are about to be saved.
  func bringChangesUpToDate() throws {
    let missed = sessions.indices.filter { sessions[$0].hasMissedChanges(of: .changed) }
    try processInbox()
    if !missed.isEmpty { try reread(journal.changedModels + journal.deleted.models, inSessions: Set(missed)) }
  }

  private func mayBeOutOfDate(_ binding: EntityBinding) -> Bool {
    !binding.map.isEmpty || !journal.deletedRows.isEmpty
  }

  /// Takes the locks again that a save inside a transaction has given up. When that fails, the next call that can throw
  /// does, and nothing more is written in the transaction.
  func renewLocks() {
    attempt("taking the lock of a transaction again after a save") {
      do {
        try alone {
          guard sessions.contains(where: \.lacksLock) else { return }
          // All of them, in the order in which everybody takes them.
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
