/// What is under way of the saves of one graph.
struct SaveState: ~Copyable {
  /// What a store is writing just now.
  private var plan: SavePlan?
  /// Whether nobody hears of what the save throws: it was made by itself.
  private(set) var isAutosaving = false
  /// Whether an autosave is to be made at the end of the turn.
  private(set) var isAutosaveScheduled = false
  /// Why the last autosave failed; nil when the context has saved or rolled back since.
  var autosaveFailure: (any Error)?
  /// Whether the context keeps others from saving, to save at the end of what it does.
  private(set) var isInTransaction = false
  /// Why others can save although the context is in a transaction.
  private var lockFailure: (any Error)?
  /// The user info of the last save, emptied for the next.
  private var info: SaveInfo?

  /// Whether the context has something to save by itself, now or when the program ends: see `PendingAutosaves`.
  var isAwaited: Bool { isAutosaveScheduled || autosaveFailure != nil }

  /// Whether a store is writing, so that what is asked of the context now comes from code that the store has called.
  var isWriting: Bool { plan != nil }

  // MARK: Writing

  mutating func beginWriting(_ plan: SavePlan) {
    self.plan = plan
  }

  mutating func endWriting() {
    plan = nil
  }

  /// Notes that the context was changed: the plan that is being written, if one is, does not say any more what it has.
  func disturb() {
    plan?.isDisturbed = true
  }

  /// Notes that something was read in vain, from which what is being written may come.
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

  /// - Throws: Where nothing may be written in this transaction any more: others can have changed what it has read.
  func checkLock() throws {
    if let lockFailure { throw lockFailure }
  }

  // MARK: Autosaves

  mutating func scheduleAutosave() {
    isAutosaveScheduled = true
  }

  /// - Returns: Whether an autosave was scheduled, which is to be made now.
  mutating func takeSchedule() -> Bool {
    defer { isAutosaveScheduled = false }
    return isAutosaveScheduled
  }

  /// - Returns: What it was before.
  mutating func setAutosaving(_ isAutosaving: Bool) -> Bool {
    defer { self.isAutosaving = isAutosaving }
    return self.isAutosaving
  }

  // MARK: The notification

  /// The user info to be filled; who saves while it is out gets one of their own.
  mutating func takeInfo() -> SaveInfo {
    info.take() ?? SaveInfo()
  }

  mutating func giveBack(_ info: SaveInfo) {
    self.info = info
  }
}
