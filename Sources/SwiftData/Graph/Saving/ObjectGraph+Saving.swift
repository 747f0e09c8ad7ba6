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
      return try SaveOperation(graph: self).run()
    }
    closeAutosaveFailure()
    return notice
  }

  /// Runs `body`, which writes. Where the last writer does not simply win, nobody else can write meanwhile, and what others
  /// have written before is known.
  private func settlingConflicts<Result>(_ body: () throws -> Result) throws -> Result {
    if mergePolicy == .lastWriterWins { return try alone(body) }
    func settleAndWrite() throws -> Result {
      try withoutUndo { try ConflictSettlement(graph: self).run() }
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
}
