/// The state of a graph's saves.
struct SaveState: ~Copyable {
  /// The plan that a store is writing.
  private var plan: SavePlan?
  /// Whether the save is an autosave, whose error the program does not see.
  private(set) var isAutosaving = false
  /// Whether an autosave is scheduled for the end of the turn.
  private(set) var isAutosaveScheduled = false
  /// Why the last autosave failed; nil when the context has saved or rolled back since.
  var autosaveFailure: (any Error)?
  /// Whether the context holds the locks of a transaction, and saves at its end.
  private(set) var isInTransaction = false
  /// Why the locks of the transaction were lost, so that other contexts can save.
  private var lockFailure: (any Error)?
  /// The user info of the last save, emptied for reuse.
  private var info: SaveInfo?

  /// Whether an autosave is scheduled or has failed: see `PendingAutosaves`.
  var isAwaited: Bool { isAutosaveScheduled || autosaveFailure != nil }

  /// Whether a store is writing, so that calls of the context come from code that the store has called.
  var isWriting: Bool { plan != nil }

  // MARK: Writing

  mutating func beginWriting(_ plan: SavePlan) {
    self.plan = plan
  }

  mutating func endWriting() {
    plan = nil
  }

  /// Records that the context was changed while a plan is written: the plan is out of date.
  func disturb() {
    plan?.isDisturbed = true
  }

  /// Records a failed read, on which the plan that is written may depend.
  func recordFailure(_ failure: any Error) {
    if let plan { plan.failure = plan.failure ?? failure }
  }

  // MARK: Transactions

  mutating func beginTransaction() {
    isInTransaction = true
  }

  mutating func endTransaction() {
    isInTransaction = false
    lockFailure = nil
  }

  mutating func loseLock(_ failure: any Error) {
    lockFailure = lockFailure ?? failure
  }

  /// - Throws: An error if the transaction has lost its locks: other contexts may have changed what it has read.
  func checkLock() throws {
    if let lockFailure { throw lockFailure }
  }

  // MARK: Autosaves

  mutating func scheduleAutosave() {
    isAutosaveScheduled = true
  }

  /// - Returns: Whether an autosave was scheduled, which the caller makes now.
  mutating func takeSchedule() -> Bool {
    defer { isAutosaveScheduled = false }
    return isAutosaveScheduled
  }

  /// - Returns: The previous value.
  mutating func setAutosaving(_ isAutosaving: Bool) -> Bool {
    defer { self.isAutosaving = isAutosaving }
    return self.isAutosaving
  }

  // MARK: Notifications

  /// The user info to fill; a save during its use gets a new one.
  mutating func takeInfo() -> SaveInfo {
    info.take() ?? SaveInfo()
  }

  mutating func giveBack(_ info: SaveInfo) {
    self.info = info
  }
}
