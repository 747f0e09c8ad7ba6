import Logging
import Relational
import Support

/// Finds the calls of a database that block one of Swift's threads, and warns of them.
final class BlockingWatch: Sendable {
  /// What is known of a call in progress.
  private struct Call {
    var longest: StatementReport?
  }

  private let store: String
  private let threshold: Duration
  private let logger: Logger
  /// The calls by their threads.
  private let calls = Mutex<[UInt: Call]>([:])

  init(store: String, threshold: Duration, logger: Logger) {
    self.store = store
    self.threshold = threshold
    self.logger = logger
  }

  /// Runs a call. A nested call is part of the outer one.
  func run<Result>(_ operation: String, _ call: () throws -> Result) rethrows -> Result {
    guard CooperativeThread.isCurrent, begin() else { return try call() }
    let start = ContinuousClock.Instant.now
    defer { end(operation, start.duration(to: .now)) }
    return try call()
  }

  /// Records a statement on the thread that ran it.
  func record(_ statement: StatementReport) {
    let thread = CurrentThread.number
    calls.withLock { calls in
      guard let call = calls[thread], statement.duration >= call.longest?.duration ?? .zero else { return }
      calls[thread] = Call(longest: statement)
    }
  }

  /// - Returns: Whether the call is not nested.
  private func begin() -> Bool {
    let thread = CurrentThread.number
    return calls.withLock { calls in
      if calls[thread] != nil { return false }
      calls[thread] = Call()
      return true
    }
  }

  private func end(_ operation: String, _ duration: Duration) {
    let thread = CurrentThread.number
    let call = calls.withLock { $0.removeValue(forKey: thread) }
    guard duration >= threshold else { return }
    var metadata: Logger.Metadata = [
      "store": "\(store)", "operation": "\(operation)", "milliseconds": "\(duration.milliseconds)",
    ]
    if let statement = call?.longest {
      metadata["statement"] = "\(statement.sql.cut(to: ModelConfiguration.StatementLogging.lengthLimit))"
    }
    logger.warning(
      "One of the threads that Swift runs tasks on was blocked. Use ModelContainer.perform or a ModelActor.",
      metadata: metadata)
  }
}
