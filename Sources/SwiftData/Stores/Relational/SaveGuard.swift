import Synchronization

/// Keeps code that runs while a save is written, such as a value's own coding, away from the store: it would see what
/// is not committed yet, and what it saves itself would be undone if this save failed. Code that selects the rows of an
/// update has to read, and is kept from writing only; so is everybody while a stage of a migration has the store as it was.
///
/// `@unchecked Sendable` because only the thread that saves reads and writes `refusal`.
final class SaveGuard: @unchecked Sendable {
  /// The thread that saves; zero when none does.
  private let thread = Atomic<UInt>(0)
  private var refusal: SwiftDataError?
  private var allowsReads = false
  /// Whether the store has come to a newer version, and is only read as it was.
  private let isLeft = Atomic<Bool>(false)

  private var isMine: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

  /// Runs `body`, which writes, and which has the only connection that writes.
  ///
  /// - Parameter allowsReads: Whether code that it calls may read.
  func saving<Result>(allowsReads: Bool = false, _ body: () throws -> Result) rethrows -> Result {
    thread.store(CurrentThread.number, ordering: .relaxed)
    self.allowsReads = allowsReads
    defer {
      refusal = nil
      thread.store(0, ordering: .relaxed)
    }
    return try body()
  }

  /// Runs `body`, while no thread can write to the store.
  func leaving<Result>(_ body: () throws -> Result) rethrows -> Result {
    isLeft.store(true, ordering: .relaxed)
    defer { isLeft.store(false, ordering: .relaxed) }
    return try body()
  }

  /// - Parameter isReading: Whether the store is only to be read.
  /// - Throws: A `SwiftDataError` on a thread that is saving.
  func check(isReading: Bool = false) throws {
    if !isReading, isLeft.load(ordering: .relaxed) {
      throw SwiftDataError.modelValidationFailure.with(
        message: "A stage of a migration was about to save models of the older version, after the tables have changed.",
        hint: "Save the context of the newer version, or change models of the older one in willMigrate.")
    }
    guard isMine, !isReading || !allowsReads else { return }
    if allowsReads {
      throw SwiftDataError.modelValidationFailure.with(
        message: "The store was written to by what selects the rows of an update.",
        hint: "Save other contexts before the update or after it.")
    }
    let refusal = SwiftDataError.modelValidationFailure.with(
      message: "The store was used by a value's own coding while it was being saved to.",
      hint: "Read before the save what a value needs to be encoded, and save other contexts before it or after it.")
    self.refusal = refusal
    throw refusal
  }

  /// - Throws: What `check` has thrown since `body` began: what is written may come of it.
  func checkUnused() throws {
    if let refusal { throw refusal }
  }
}
