package import Relational
import Support

/// The rules by which calls of a database fail.
///
/// Calls are counted from zero: each prepared statement, each of its steps, and each commit of a write transaction.
package final class CallFailures: Sendable {
  /// A kind of call.
  package enum Call: Sendable {
    case prepare, step, commit
  }

  private struct State {
    var count = 0
    var failingCalls: ClosedRange<Int>?
    var reason = DatabaseError.Reason.other
    var failureCount = 0
    /// The number of copies that can still replace their databases; nil for no limit.
    var remainingRevisions: Int?
  }

  private let state = Mutex(State())
  /// Returns the error of a call. If it is set, calls are not counted.
  private let rule: (@Sendable (Call, String?) -> DatabaseError?)?

  package init(rule: (@Sendable (Call, String?) -> DatabaseError?)? = nil) {
    self.rule = rule
  }

  /// Makes calls fail by their numbers, counted from now on.
  package func fail(_ calls: ClosedRange<Int>, with reason: DatabaseError.Reason = .other) {
    state.withLock { $0 = State(failingCalls: calls, reason: reason) }
  }

  /// Makes all calls fail from now on.
  package func failAll(with reason: DatabaseError.Reason = .other) {
    fail(0...Int.max, with: reason)
  }

  /// Makes all calls fail after a number of copies have replaced their databases.
  package func failAll(afterRevisions count: Int) {
    state.withLock { $0 = State(remainingRevisions: count) }
  }

  /// Removes all rules.
  ///
  /// - Returns: The number of calls that have failed.
  @discardableResult
  package func stop() -> Int {
    state.withLock { state in
      defer { state = State() }
      return state.failureCount
    }
  }

  /// Wraps a database so that its calls fail by these rules.
  package func wrap(_ database: any Database) -> any Database {
    FaultyDatabase(database, self)
  }

  package var failureCount: Int { state.withLock { $0.failureCount } }

  /// Counts a copy that is about to replace its database.
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
