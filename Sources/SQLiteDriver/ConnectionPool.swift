import Dispatch
import Foundation
import Relational
import Synchronization

/// The connections of one database, each handed to one caller at a time, who uses it on a thread of its own.
///
/// A file has one connection that writes and several that read; memory has one for everything. GRDB's own pool would do
/// the same, but asks for the version of the schema before each read and changes threads, which takes longer than to read
/// a row.
final class ConnectionPool: Sendable {
  private let writer: OpenConnection
  private let writerTurn = DispatchSemaphore(value: 1)
  /// Opens another connection that reads; nil where the writer has to.
  private let openReader: (@Sendable () throws -> OpenConnection)?
  private let maximumReaderCount: Int
  /// Signalled for each reader that comes back while somebody waits for one.
  private let readerIsBack = DispatchSemaphore(value: 0)
  /// Signalled when the last borrower has left a pool that is to be closed.
  private let isIdle = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  private struct State {
    var idleReaders: [OpenConnection] = []
    /// How many readers are open, or about to be.
    var readerCount = 0
    /// How many threads wait for a reader.
    var waiterCount = 0
    /// Which thread has which connection, those that it got last at the end. Who has one holds it.
    var loans: [(thread: pthread_t, connection: Unmanaged<OpenConnection>)] = []
    /// How many threads have a connection or wait for one.
    var borrowers = 0
    var isClosed = false

    func connection(of thread: pthread_t) -> OpenConnection? {
      loans.last { pthread_equal($0.thread, thread) != 0 }?.connection.takeUnretainedValue()
    }

    func isLent(_ connection: OpenConnection, to thread: pthread_t) -> Bool {
      loans.contains { $0.connection == connection && pthread_equal($0.thread, thread) != 0 }
    }

    mutating func lend(_ connection: OpenConnection, to thread: pthread_t) {
      loans.append((thread, .passUnretained(connection)))
    }

    mutating func takeReader(_ preference: Int?) -> OpenConnection? {
      if let preference, let index = idleReaders.lastIndex(where: { $0.serial == preference }) {
        idleReaders.swapAt(index, idleReaders.count - 1)
      }
      return idleReaders.popLast()
    }

    mutating func endLoan(of connection: OpenConnection, to thread: pthread_t) {
      let loan = loans.lastIndex { $0.connection == connection && pthread_equal($0.thread, thread) != 0 }
      guard let loan else { return }
      if loan == loans.count - 1 { loans.removeLast() } else { loans.remove(at: loan) }
    }
  }

  /// How a thread comes by a connection.
  private enum Access {
    /// It has one already.
    case joined(OpenConnection)
    case lent(OpenConnection)
    case opening
    case waiting
  }

  init(path: String?, configuration: SQLiteConfiguration) throws {
    writer = try OpenConnection(path: path, configuration: configuration, isReader: configuration.isReadOnly)
    if let path {
      openReader = { try OpenConnection(path: path, configuration: configuration, isReader: true) }
    } else {
      openReader = nil
    }
    maximumReaderCount = max(1, configuration.maximumReaderCount)
  }

  deinit {
    // Nothing is lent: whoever borrows a connection holds the pool. The writer closes last, see `close()`.
    state.withLock { $0.idleReaders = [] }
  }

  /// Lends a connection that reads: on a thread that has a connection already, the one it got last.
  ///
  /// - Parameter preference: The serial number of the one to lend if it is free.
  func withReader<Result>(preferring preference: Int?, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
    if openReader == nil { return try withWriter(body) }
    let thread = pthread_self()
    var access = try state.withLock { state -> Access in
      if let current = state.connection(of: thread) { return .joined(current) }
      if state.isClosed { throw DatabaseError.closed }
      state.borrowers += 1
      return claim(from: &state, for: thread, preference)
    }
    while true {
      switch access {
      case .joined(let connection):
        return try connection.lend(body)
      case .lent(let reader):
        defer { giveBack(reader, from: thread) }
        return try reader.lend(body)
      case .opening:
        do {
          guard let reader = try openReader?() else { throw DatabaseError.closed }
          state.withLock { $0.lend(reader, to: thread) }
          access = .lent(reader)
        } catch {
          giveBack(nil, from: thread)
          throw error
        }
      case .waiting:
        readerIsBack.wait()
        access = state.withLock { claim(from: &$0, for: thread, preference) }
      }
    }
  }

  private func claim(from state: inout State, for thread: pthread_t, _ preference: Int?) -> Access {
    if let reader = state.takeReader(preference) {
      state.lend(reader, to: thread)
      return .lent(reader)
    }
    if state.readerCount < maximumReaderCount {
      state.readerCount += 1
      return .opening
    }
    state.waiterCount += 1
    return .waiting
  }

  /// - Parameter reader: The reader that was lent; nil for one that could not be opened.
  private func giveBack(_ reader: OpenConnection?, from thread: pthread_t) {
    let (isAwaited, isLast) = state.withLock { state in
      if let reader {
        state.endLoan(of: reader, to: thread)
        state.idleReaders.append(reader)
      } else {
        state.readerCount -= 1
      }
      let isAwaited = state.waiterCount > 0
      if isAwaited { state.waiterCount -= 1 }
      return (isAwaited, leave(&state))
    }
    if isAwaited { readerIsBack.signal() }
    if isLast { isIdle.signal() }
  }

  /// Lends the connection that writes.
  func withWriter<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    let thread = pthread_self()
    let isJoined = try state.withLock { state in
      if state.isLent(writer, to: thread) { return true }
      if state.isClosed { throw DatabaseError.closed }
      state.borrowers += 1
      return false
    }
    if isJoined { return try writer.lend(body) }
    writerTurn.wait()
    state.withLock { $0.lend(writer, to: thread) }
    defer {
      let isLast = state.withLock { state in
        state.endLoan(of: writer, to: thread)
        return leave(&state)
      }
      writerTurn.signal()
      if isLast { isIdle.signal() }
    }
    return try writer.lend(body)
  }

  /// - Returns: whether somebody waits for the borrower to leave who does so now.
  private func leave(_ state: inout State) -> Bool {
    state.borrowers -= 1
    return state.isClosed && state.borrowers == 0
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
}

/// Whether a loan is of a connection.
private func == (loan: Unmanaged<OpenConnection>, connection: OpenConnection) -> Bool {
  loan.toOpaque() == Unmanaged.passUnretained(connection).toOpaque()
}
