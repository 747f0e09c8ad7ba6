package import Relational
import Support

/// Which calls of a database fail.
///
/// Calls are counted from zero: each statement that is asked for, each of its steps, and each end of a write transaction.
package final class CallFailures: Sendable {
  /// What a call does.
  package enum Call: Sendable {
    case prepare, step, commit
  }

  private struct State {
    var count = 0
    var failingCalls: ClosedRange<Int>?
    var reason = DatabaseError.Reason.other
    var failureCount = 0
    /// How many copies still take the place of their databases; nil where all do.
    var remainingRevisions: Int?
  }

  private let state = Mutex(State())
  /// Decides on each call, where calls are not counted.
  private let rule: (@Sendable (Call, String?) -> DatabaseError?)?

  package init(rule: (@Sendable (Call, String?) -> DatabaseError?)? = nil) {
    self.rule = rule
  }

  /// Makes calls fail, counted from now on.
  package func fail(_ calls: ClosedRange<Int>, with reason: DatabaseError.Reason = .other) {
    state.withLock { $0 = State(failingCalls: calls, reason: reason) }
  }

  /// Makes all calls fail from now on.
  package func failAll(with reason: DatabaseError.Reason = .other) {
    fail(0...Int.max, with: reason)
  }

  /// Makes all calls fail once so many copies have taken the place of their databases.
  package func failAll(afterRevisions count: Int) {
    state.withLock { $0 = State(remainingRevisions: count) }
  }

  /// Ends the failing.
  ///
  /// - Returns: How many calls have failed.
  @discardableResult
  package func stop() -> Int {
    state.withLock { state in
      defer { state = State() }
      return state.failureCount
    }
  }

  /// A database of which these calls fail.
  package func wrap(_ database: any Database) -> any Database {
    FaultyDatabase(database, self)
  }

  package var failureCount: Int { state.withLock { $0.failureCount } }

  /// A copy is about to take the place of its database.
  func recordRevision() {
    state.withLock { state in
      guard let remaining = state.remainingRevisions else { return }
      if remaining == 0 { state.failingCalls = 0...Int.max }
      state.remainingRevisions = max(0, remaining - 1)
    }
  }

  func check(_ call: Call, _ sql: String?) throws {
    if let rule {
      if let error = rule(call, sql) { throw error }
      return
    }
    let reason = state.withLock { state -> DatabaseError.Reason? in
      defer { state.count += 1 }
      guard state.failingCalls?.contains(state.count) == true else { return nil }
      state.failureCount += 1
      return state.reason
    }
    if let reason { throw DatabaseError(reason: reason, message: "made to fail", sql: sql) }
  }
}
