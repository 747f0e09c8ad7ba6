import Dispatch
import Foundation
import Relational
import Support

/// The connections of one database. The pool lends each to one thread at a time.
///
/// A file has one writing connection and several reading ones; a database in memory has one connection for everything. A call
/// stays on its thread: changing threads would take longer than reading a row.
final class ConnectionPool: Sendable {
  private let writer: OpenConnection
  private let writerTurn = DispatchSemaphore(value: 1)
  /// Opens another reading connection.
  private let openReader: @Sendable () throws -> OpenConnection
  /// Zero when the writer also reads, as for a database in memory.
  private let maximumReaderCount: Int
  /// How many seconds to wait for another thread that writes.
  private let timeout: Double
  private let waitObserver: WaitObserver?
  /// Signalled for each returned reader while a thread waits for one.
  private let readerIsBack = DispatchSemaphore(value: 0)
  /// Signalled when the last borrower has left a pool that is being closed.
  private let isIdle = DispatchSemaphore(value: 0)
  /// Entered by the thread that closes the pool, until it is closed.
  private let closing = DispatchGroup()
  private let state = Mutex(State())

  /// An unretained reference to a connection that `writer` or `State.readers` retains. The pool releases connections only when
  /// none is lent; counting references would take as long as the rest of the loan.
  private typealias Held = Unmanaged<OpenConnection>

  private struct State {
    /// All open readers.
    var readers: [OpenConnection] = []
    /// The open readers that are not lent.
    var idleReaders: [Held] = []
    /// The number of readers that are being opened.
    var openingCount = 0
    /// The number of threads that wait for a reader.
    var waiterCount = 0
    /// The loans of all threads, in the order in which they began.
    var loans: [(thread: pthread_t, connection: Held)] = []
    /// The number of threads that have a connection or wait for one.
    var borrowers = 0
    var isClosed = false
    /// The thread that is closing the pool.
    var closer: pthread_t?

    func connection(of thread: pthread_t) -> Held? {
      loans.last { pthread_equal($0.thread, thread) != 0 }?.connection
    }

    func isLent(_ connection: Held, to thread: pthread_t) -> Bool {
      loans.contains { $0.connection.toOpaque() == connection.toOpaque() && pthread_equal($0.thread, thread) != 0 }
    }

    mutating func takeReader(_ preference: Int?) -> Held? {
      if let preference,
        let index = idleReaders.lastIndex(where: { $0._withUnsafeGuaranteedRef { $0.serial == preference } })
      {
        idleReaders.swapAt(index, idleReaders.count - 1)
      }
      return idleReaders.popLast()
    }

    mutating func endLoan(of connection: Held, to thread: pthread_t) {
      let loan = loans.lastIndex {
        $0.connection.toOpaque() == connection.toOpaque() && pthread_equal($0.thread, thread) != 0
      }
      guard let loan else { return }
      if loan == loans.count - 1 { loans.removeLast() } else { loans.remove(at: loan) }
    }

    /// Registers a reader that was just opened for a thread.
    mutating func add(_ reader: OpenConnection, lentTo thread: pthread_t) -> Held {
      openingCount -= 1
      readers.append(reader)
      let loan = Held.passUnretained(reader)
      loans.append((thread, loan))
      return loan
    }

    /// Closes a lent reader; another one is about to be opened as its replacement.
    mutating func discard(_ reader: Held, lentTo thread: pthread_t) {
      endLoan(of: reader, to: thread)
      readers.removeAll { Held.passUnretained($0).toOpaque() == reader.toOpaque() }
      openingCount += 1
    }

    /// Closes all readers, none of which may be lent.
    mutating func closeReaders() {
      idleReaders = []
      readers = []
    }
  }

  /// How a thread gets a connection.
  private enum Access {
    /// The thread has one already.
    case joined(Held)
    case lent(Held)
    case opening
    case waiting
  }

  init(path: String?, configuration: SQLiteConfiguration) throws {
    let writer = try OpenConnection.open(
      path: path, configuration: configuration, isReader: configuration.isReadOnly)
    self.writer = writer
    let location = writer.location
    openReader = {
      try OpenConnection.open(path: path, configuration: configuration, isReader: true, location: location)
    }
    timeout = configuration.busyTimeout.asWait
    waitObserver = configuration.waitObserver
    maximumReaderCount = path == nil ? 0 : max(1, configuration.maximumReaderCount)
  }

  deinit {
    // No connection is lent, because each borrower retains the pool. The writer closes last, see `close()`.
    state.withLock { $0.closeReaders() }
  }

  /// Lends a reading connection. A thread that already has connections gets its most recent one.
  ///
  /// - Parameter preference: The serial number of the connection to lend if it is free.
  func withReader<Result>(preferring preference: Int?, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
    if maximumReaderCount == 0 { return try withWriter(body) }
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
        return try connection._withUnsafeGuaranteedRef { try $0.lend(body) }
      case .lent(let reader):
        if reader._withUnsafeGuaranteedRef({ $0.isOutdated }) {
          state.withLock { $0.discard(reader, lentTo: thread) }
          access = .opening
          continue
        }
        defer { giveBack(reader, from: thread) }
        return try reader._withUnsafeGuaranteedRef { try $0.lend(body) }
      case .opening:
        do {
          let reader = try openReader()
          access = .lent(state.withLock { $0.add(reader, lentTo: thread) })
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
      state.loans.append((thread, reader))
      return .lent(reader)
    }
    if state.readers.count + state.openingCount < maximumReaderCount {
      state.openingCount += 1
      return .opening
    }
    state.waiterCount += 1
    return .waiting
  }

  /// - Parameter reader: The lent reader; nil when it could not be opened.
  private func giveBack(_ reader: Held?, from thread: pthread_t) {
    let (isAwaited, isLast) = state.withLock { state in
      if let reader {
        state.endLoan(of: reader, to: thread)
        state.idleReaders.append(reader)
      } else {
        state.openingCount -= 1
      }
      let isAwaited = state.waiterCount > 0
      if isAwaited { state.waiterCount -= 1 }
      return (isAwaited, leave(&state))
    }
    if isAwaited { readerIsBack.signal() }
    if isLast { isIdle.signal() }
  }

  /// Lends the writing connection.
  ///
  /// - Parameter seconds: How long to wait for another thread that writes; nil for the configured timeout.
  func withWriter<Result>(
    waiting seconds: Double? = nil, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    let thread = pthread_self()
    let loan = Held.passUnretained(writer)
    let isJoined = try state.withLock { state in
      if state.isLent(loan, to: thread) { return true }
      if state.isClosed { throw DatabaseError.closed }
      state.borrowers += 1
      return false
    }
    if isJoined { return try writer.lend(body) }
    // Without reading the clock, because the connection is mostly free.
    if writerTurn.wait(timeout: Self.past) != .success { try waitForTurn(seconds ?? timeout) }
    state.withLock { $0.loans.append((thread, loan)) }
    defer {
      let isLast = state.withLock { state in
        state.endLoan(of: loan, to: thread)
        return leave(&state)
      }
      writerTurn.signal()
      if isLast { isIdle.signal() }
    }
    return try writer.lend(body)
  }

  private static let past = DispatchTime(uptimeNanoseconds: 1)

  /// Waits for the writing connection.
  private func waitForTurn(_ seconds: Double) throws {
    let deadline = DispatchTime.now() + seconds
    if let waitObserver, Double(waitObserver.threshold) < seconds * 1e9 {
      if writerTurn.wait(timeout: .now() + .nanoseconds(Int(waitObserver.threshold))) == .success { return }
      waitObserver.notify(.otherThread)
    }
    if writerTurn.wait(timeout: deadline) == .success { return }
    if state.withLock({ leave(&$0) }) { isIdle.signal() }
    throw DatabaseError(
      reason: .busy, message: "another thread has kept this one from writing for \(seconds) seconds")
  }

  /// - Returns: whether `close()` waits for this borrower, which was the last.
  private func leave(_ state: inout State) -> Bool {
    state.borrowers -= 1
    return state.isClosed && state.borrowers == 0
  }

  /// Waits until no connection is lent and closes all of them, or until another thread has done so.
  func close() throws {
    let thread = pthread_self()
    let (isFirst, isBusy) = try state.withLock { state in
      if state.connection(of: thread) != nil {
        throw DatabaseError(reason: .busy, message: "this thread is using the database; close it afterwards")
      }
      if state.isClosed { return (false, state.closer.map { pthread_equal($0, thread) == 0 } ?? false) }
      state.isClosed = true
      state.closer = thread
      closing.enter()
      return (true, state.borrowers > 0)
    }
    guard isFirst else {
      if isBusy { closing.wait() }
      return
    }
    defer {
      state.withLock { $0.closer = nil }
      closing.leave()
    }
    if isBusy { isIdle.wait() }
    // The writer closes last, because only a writing connection can checkpoint the log.
    state.withLock { $0.closeReaders() }
    writer.emptyLog()
    try writer.close()
  }
}
