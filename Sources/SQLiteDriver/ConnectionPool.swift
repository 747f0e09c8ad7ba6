import Dispatch
import Foundation
import Relational
import Synchronization

/// The connections of one database, each handed to one caller at a time.
///
/// A file has one connection that writes and several that read; memory has one for everything. GRDB's own pool would do
/// the same, but asks for the version of the schema before each read, which takes longer than to read a row.
final class ConnectionPool: Sendable {
  private let writer: OpenConnection
  /// Opens another connection that reads; nil where the writer has to.
  private let openReader: (@Sendable () throws -> OpenConnection)?
  private let freeReaders: DispatchSemaphore
  /// Signalled when the last borrower has left a pool that is to be closed.
  private let isIdle = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  private struct State {
    var idleReaders: [OpenConnection] = []
    /// Which thread has which connection, those that it got last at the end.
    var loans: [(thread: pthread_t, connection: OpenConnection)] = []
    /// How many threads have a connection or wait for one.
    var borrowers = 0
    var isClosed = false
  }

  init(path: String?, configuration: SQLiteConfiguration) throws {
    writer = try OpenConnection(path: path, configuration: configuration, isReader: configuration.isReadOnly)
    if let path {
      openReader = { try OpenConnection(path: path, configuration: configuration, isReader: true) }
    } else {
      openReader = nil
    }
    freeReaders = DispatchSemaphore(value: max(1, configuration.maximumReaderCount))
  }

  deinit {
    // Nothing is lent: whoever borrows a connection holds the pool. The writer closes last, see `close()`.
    state.withLock { $0.idleReaders = [] }
  }

  /// Lends a connection that reads: on a thread that has a connection already, the one it got last.
  func withReader<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard let openReader else { return try withWriter(body) }
    if let current = try enter(reusing: { _ in true }) { return try current.lend(body) }
    defer { leave() }
    freeReaders.wait()
    defer { freeReaders.signal() }
    let reader = try state.withLock { $0.idleReaders.popLast() } ?? openReader()
    defer { state.withLock { $0.idleReaders.append(reader) } }
    return try lend(reader, body)
  }

  /// Lends the connection that writes.
  func withWriter<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    if let current = try enter(reusing: { $0 === writer }) { return try current.lend(body) }
    defer { leave() }
    return try lend(writer, body)
  }

  /// Waits until no connection is lent and closes all of them.
  func close() throws {
    let (isFirst, isBusy) = state.withLock { state in
      defer { state.isClosed = true }
      return (!state.isClosed, state.borrowers > 0)
    }
    guard isFirst else { return }
    if isBusy { isIdle.wait() }
    // The writer closes last, as only a connection that writes can fold the log into the file.
    state.withLock { $0.idleReaders = [] }
    try writer.close()
  }

  /// Lends `connection` and remembers to whom, so that a call inside `body` finds it.
  private func lend<Result>(
    _ connection: OpenConnection, _ body: (SQLiteConnection) throws -> Result
  ) rethrows -> Result {
    let thread = pthread_self()
    state.withLock { $0.loans.append((thread, connection)) }
    defer {
      state.withLock { state in
        let loan = state.loans.lastIndex { $0.connection === connection && pthread_equal($0.thread, thread) != 0 }
        if let loan { state.loans.remove(at: loan) }
      }
    }
    return try connection.lend(body)
  }

  /// Announces a borrower, unless its thread has a connection that will do.
  private func enter(reusing isSuitable: (OpenConnection) -> Bool) throws -> OpenConnection? {
    let thread = pthread_self()
    return try state.withLock { state in
      let loan = state.loans.last { pthread_equal($0.thread, thread) != 0 && isSuitable($0.connection) }
      if let loan { return loan.connection }
      if state.isClosed { throw DatabaseError.closed }
      state.borrowers += 1
      return nil
    }
  }

  private func leave() {
    state.withLock { state in
      state.borrowers -= 1
      if state.isClosed && state.borrowers == 0 { isIdle.signal() }
    }
  }
}
