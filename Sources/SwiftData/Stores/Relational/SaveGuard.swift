import Synchronization

/// Refuses access to the store from code that runs during a save, such as a value's own coding: it would see uncommitted
/// changes, and a failure of the save would undo its own saves. Code that selects the rows of an update may read, but not
/// write, and so may all code while a stage of a migration uses the previous version of the store.
///
/// `@unchecked Sendable` because only the thread that saves reads and writes `refusal`.
final class SaveGuard: @unchecked Sendable {
  /// The thread that saves; zero if none does.
  private let thread = Atomic<UInt>(0)
  private var refusal: SwiftDataError?
  private var allowsReads = false
  /// Whether the store has a newer version, and only its previous state is read.
  private let isLeft = Atomic<Bool>(false)

  private var isMine: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

  /// Runs `body`, which writes with the only writing connection.
  ///
  /// - Parameter allowsReads: Whether code called by `body` may read.
  func saving<Result>(allowsReads: Bool = false, _ body: () throws -> Result) rethrows -> Result {
    thread.store(CurrentThread.number, ordering: .relaxed)
    self.allowsReads = allowsReads
    defer {
      refusal = nil
      thread.store(0, ordering: .relaxed)
    }
    return try body()
  }

  /// Runs `body` while no thread can write to the store.
  func leaving<Result>(_ body: () throws -> Result) rethrows -> Result {
    isLeft.store(true, ordering: .relaxed)
    defer { isLeft.store(false, ordering: .relaxed) }
    return try body()
  }

  /// - Parameter isReading: Whether the store is only to be read.
  /// - Throws: A `SwiftDataError` on a thread that saves.
  func check(isReading: Bool = false) throws {
    if !isReading, isLeft.load(ordering: .relaxed) {
      throw SwiftDataError.modelValidationFailure.with(
        message: "A stage of a migration cannot save models of the older version after the tables have changed.",
        hint: "Save the context of the newer version, or change models of the older one in willMigrate.")
    }
    guard isMine, !isReading || !allowsReads else { return }
    if allowsReads {
      throw SwiftDataError.modelValidationFailure.with(
        message: "Code that selects the rows of an update has written to the store.",
        hint: "Save other contexts before the update or after it.")
    }
    let refusal = SwiftDataError.modelValidationFailure.with(
      message: "A value's own coding has used the store during a save.",
      hint: "Read what the coding needs before the save, and save other contexts before it or after it.")
    self.refusal = refusal
    throw refusal
  }

  /// - Throws: The error that `check` has thrown since `body` began: the written values may depend on it.
  func checkUnused() throws {
    if let refusal { throw refusal }
  }
}
