import Relational
import Support
public import SwiftData

/// Makes calls of a store's database fail, to test how an application handles the errors.
///
/// Open the container inside ``open(_:)``, and choose with ``fail(_:number:count:with:)`` which call fails:
///
/// ```swift
/// let faults = FaultInjection()
/// let container = try faults.open {
///   try ModelContainer(for: Shelf.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
/// }
/// faults.fail(.commit, with: .diskFull)
/// #expect(throws: (any Error).self) { try save(in: container) }
/// ```
///
/// The library handles these failures like failures of SQLite. Only stores of a `ModelConfiguration` can fail, also when a
/// `DefaultStore` opens them. Such a store is not notified of saves of other processes. Backups of a store do not fail, and
/// a read fails at its start or not at all, never after its first row.
public final class FaultInjection: Sendable {
  /// A kind of call to the database.
  public enum Call: Hashable, Sendable, CaseIterable {
    /// A query. Saves run queries too.
    case read
    /// A statement that inserts, updates or deletes rows or changes tables, or a batch of rows that it writes.
    case write
    /// The end of a transaction that writes.
    case commit
  }

  /// The reason why a call fails.
  public enum Failure: Hashable, Sendable, CaseIterable {
    /// Another connection holds the lock for longer than the store waits.
    case busy
    /// The disk is full.
    case diskFull
    /// The file system reports an error while it reads or writes.
    case inputOutput
    /// The file became read-only.
    case readOnly
    /// The database finds a damaged page in its file.
    case corrupt

    fileprivate var error: (reason: DatabaseError.Reason, message: String) {
      switch self {
      case .busy: (.busy, "database is locked")
      case .diskFull: (.diskFull, "database or disk is full")
      case .inputOutput: (.other, "disk I/O error")
      case .readOnly: (.readOnly, "attempt to write a readonly database")
      case .corrupt: (.corrupt, "database disk image is malformed")
      }
    }
  }

  private struct Rule {
    var call: Call
    var skipped: Int
    var remaining: Int
    var failure: Failure
  }

  private struct State {
    var rules: [Rule] = []
    var counts: [Call: Int] = [:]
    var failureCount = 0
  }

  private let configuration: ModelConfiguration?
  private let state = Mutex(State())

  /// Makes rules for one store, or for all stores that are opened inside ``open(_:)``.
  ///
  /// - Parameter configuration: The configuration of the store whose calls fail; nil for all stores.
  public init(for configuration: ModelConfiguration? = nil) {
    self.configuration = configuration
  }

  /// Runs a closure that opens containers, whose stores get the rules of this object.
  ///
  /// The rules apply, and calls are counted, while the containers are opened and for as long as they are open. Calls can be
  /// nested: a store gets the rules of each object whose `open` runs.
  ///
  /// - Parameter body: Opens containers.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of the closure.
  public func open<Result>(_ body: () throws -> Result) rethrows -> Result {
    try DatabaseInterception.$wrapStore.withValue(wrapper(in: DatabaseInterception.wrapStore), operation: body)
  }

  /// Runs an asynchronous closure that opens containers, whose stores get the rules of this object.
  ///
  /// The rules apply as with the synchronous method. A detached task of the closure opens stores without them.
  ///
  /// - Parameters:
  ///   - isolation: The isolation of the caller, in which the closure runs.
  ///   - body: Opens containers.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of the closure.
  public func open<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await DatabaseInterception.$wrapStore.withValue(
      wrapper(in: DatabaseInterception.wrapStore), operation: body)
  }

  /// Returns a closure that gives a store the rules of an outer call, and then those of this object.
  private func wrapper(
    in outer: (@Sendable (any Database, ModelConfiguration) -> any Database)?
  ) -> @Sendable (any Database, ModelConfiguration) -> any Database {
    let failures = CallFailures { [self] in error(for: $0, $1) }
    return { [configuration] database, opened in
      let database = outer?(database, opened) ?? database
      if let configuration, configuration.url != opened.url || configuration.name != opened.name { return database }
      return failures.wrap(database)
    }
  }

  /// Makes calls of one kind fail. The count of the calls begins now.
  ///
  /// Several rules can apply at once. A call that fails has no effect on the store.
  ///
  /// - Parameters:
  ///   - call: The kind of the calls.
  ///   - number: The number of the first call that fails. A number below 1 means 1.
  ///   - count: The number of successive calls that fail; `Int.max` for all until ``stop()``. A number below 1 means 1.
  ///   - failure: The reason for the failures.
  public func fail(_ call: Call, number: Int = 1, count: Int = 1, with failure: Failure) {
    let rule = Rule(call: call, skipped: max(1, number) - 1, remaining: max(1, count), failure: failure)
    state.withLock { $0.rules.append(rule) }
  }

  /// Removes all rules, so that no further call fails, and sets all counts to zero.
  public func stop() {
    state.withLock { $0 = State() }
  }

  /// Returns the number of calls of a kind since the object was made or stopped, including failed calls.
  ///
  /// - Parameter call: The kind of the calls.
  public func count(of call: Call) -> Int {
    state.withLock { $0.counts[call, default: 0] }
  }

  /// The number of calls that have failed since the object was made or stopped.
  public var failureCount: Int {
    state.withLock { $0.failureCount }
  }

  private func error(for call: CallFailures.Call, _ sql: String?) -> DatabaseError? {
    guard let call = Call(call, sql) else { return nil }
    return state.withLock { state in
      state.counts[call, default: 0] += 1
      var failure: Failure?
      for index in state.rules.indices where state.rules[index].call == call && state.rules[index].remaining > 0 {
        if state.rules[index].skipped > 0 {
          state.rules[index].skipped -= 1
        } else {
          state.rules[index].remaining -= state.rules[index].remaining == .max ? 0 : 1
          failure = failure ?? state.rules[index].failure
        }
      }
      guard let failure else { return nil }
      state.failureCount += 1
      let (reason, message) = failure.error
      return DatabaseError(reason: reason, message: "\(message) (injected)", sql: sql)
    }
  }
}

extension FaultInjection.Call {
  /// - Returns: Nil for a statement that has not begun, or that neither reads nor writes rows.
  fileprivate init?(_ call: CallFailures.Call, _ sql: String?) {
    let verb = sql?.prefix { $0.isLetter }.lowercased() ?? ""
    switch call {
    case .commit: self = .commit
    case .prepare where ["select", "with", "values"].contains(verb): self = .read
    case .step where ["insert", "update", "delete", "replace", "create", "alter", "drop"].contains(verb): self = .write
    default: return nil
    }
  }
}
