import Synchronization

/// Keeps code that runs while a save is written, such as a value's own coding, away from the store: it would see what
/// is not committed yet, and what it saves itself would be undone if this save failed.
///
/// `@unchecked Sendable` because only the thread that saves reads and writes `refusal`.
final class SaveGuard: @unchecked Sendable {
  /// The thread that saves; zero when none does.
  private let thread = Atomic<UInt>(0)
  @exclusivity(unchecked) private var refusal: SwiftDataError?

  private var isMine: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

  /// Runs `body`, which writes, and which has the only connection that writes.
  func saving(_ body: () throws -> Void) rethrows {
    thread.store(CurrentThread.number, ordering: .relaxed)
    defer {
      refusal = nil
      thread.store(0, ordering: .relaxed)
    }
    try body()
  }

  /// - Throws: A `SwiftDataError` on a thread that is saving.
  func check() throws {
    guard isMine else { return }
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
