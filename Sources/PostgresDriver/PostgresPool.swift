import Dispatch
import Foundation
import Relational
import Support

/// The connections of one database. The pool lends each to one thread at a time, the last used one first.
///
/// Writers wait for each other here before they wait in the server. A call stays on its thread.
final class PostgresPool: Sendable {
  private let shared: SharedState
  private let writerTurn = DispatchSemaphore(value: 1)
  /// Signalled when the last borrower has left a pool that is being closed.
  private let isIdle = DispatchSemaphore(value: 0)
  /// Entered by the thread that closes the pool, until it is closed.
  private let closing = DispatchGroup()
  private let state = Mutex(State())

  private struct Loan {
    var thread: pthread_t
    var connection: PostgresConnection
    var isWriter: Bool
  }

  /// A thread that waits for a connection.
  private final class Waiter: Sendable {
    let isWriter: Bool
    let semaphore = DispatchSemaphore(value: 0)
    init(isWriter: Bool) { self.isWriter = isWriter }
  }

  private struct State {
    /// The open connections that are not lent, the last used one last.
    var idle: [(connection: PostgresConnection, since: ContinuousClock.Instant)] = []
    /// The loans of all threads, in the order in which they began.
    var loans: [Loan] = []
    /// The number of connections that are being opened, and how many of them for writers.
    var openingReaders = 0
    var openingWriters = 0
    var waiters: [Waiter] = []
    /// The number of threads that have a connection or wait for one.
    var borrowers = 0
    var isSweepPlanned = false
    /// The connection that wrote last, which has the statements of writers.
    var lastWriter: Int?
    var isClosed = false

    func loan(of thread: pthread_t, isWriter: Bool) -> Loan? {
      loans.last { pthread_equal($0.thread, thread) != 0 && ($0.isWriter || !isWriter) }
    }

    /// Whether another connection may be lent.
    func allows(_ maximum: Int, isWriter: Bool) -> Bool {
      let readers = loans.count { !$0.isWriter } + openingReaders
      let all = loans.count + openingReaders + openingWriters
      return all < maximum && (isWriter || readers < max(1, maximum - 1))
    }

    mutating func takeIdle(
      _ preference: Int?
    ) -> (connection: PostgresConnection, since: ContinuousClock.Instant)? {
      if let preference, let index = idle.lastIndex(where: { $0.connection.serial == preference }) {
        return idle.remove(at: index)
      }
      return idle.popLast()
    }

    /// The first waiter that can have a connection now.
    mutating func nextWaiter(_ maximum: Int) -> Waiter? {
      let index = waiters.firstIndex { allows(maximum, isWriter: $0.isWriter) }
      return index.map { waiters.remove(at: $0) }
    }
  }

  init(_ shared: SharedState) {
    self.shared = shared
  }

  deinit {
    for (connection, _) in state.withLock({ $0.idle }) { connection.invalidate() }
  }

  /// For how long an idle connection counts as open. A server that closes it in this time may as well close it in use.
  private static let unquestionedTime = Duration.milliseconds(1)

  private var maximum: Int { max(1, shared.configuration.maximumConnections) }
  private var timeout: Double { min(max(0, shared.configuration.busyTimeout), 1e6) }

  // MARK: Lending

  /// Lends a connection for reading. A thread that already has connections gets its most recent one.
  ///
  /// - Parameter preference: The serial number of the connection to lend if it is free.
  func withReader<Result>(
    preferring preference: Int? = nil, _ body: (PostgresConnection) throws -> Result
  ) throws -> Result {
    let thread = pthread_self()
    if let loan = try enter(thread, isWriter: false) { return try loan.connection.lend(body) }
    defer { leave() }
    return try lending(preference, thread, isWriter: false, body)
  }

  /// Lends the connection of the writer, which is the only one in the process.
  func withWriter<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
    let thread = pthread_self()
    if let loan = try enter(thread, isWriter: true) { return try loan.connection.lend(body) }
    defer { leave() }
    if writerTurn.wait(timeout: .now() + timeout) != .success {
      throw DatabaseError(
        reason: .busy, message: "another thread has kept this one from writing for \(timeout) seconds")
    }
    defer { writerTurn.signal() }
    return try lending(state.withLock { $0.lastWriter }, thread, isWriter: true, body)
  }

  /// - Returns: The loan that the thread already has.
  private func enter(_ thread: pthread_t, isWriter: Bool) throws -> Loan? {
    try state.withLock { state in
      if let loan = state.loan(of: thread, isWriter: isWriter) { return loan }
      if state.isClosed { throw DatabaseError.closed }
      state.borrowers += 1
      return nil
    }
  }

  private func leave() {
    let isLast = state.withLock { state in
      state.borrowers -= 1
      return state.isClosed && state.borrowers == 0
    }
    if isLast { isIdle.signal() }
  }

  private func lending<Result>(
    _ preference: Int?, _ thread: pthread_t, isWriter: Bool, _ body: (PostgresConnection) throws -> Result
  ) throws -> Result {
    let (connection, isNew) = try take(preference, thread, isWriter: isWriter)
    do {
      defer { giveBack(connection, thread, isWriter: isWriter) }
      return try connection.lend(body)
    } catch let error as DatabaseError
      where error.reason == .disconnected && !isNew && !connection.isUsable && connection.pipeline.isRepeatable
    {
      // The server had closed the unused connection, and nothing was done on it.
    }
    let other = try takeNew(thread, isWriter: isWriter)
    defer { giveBack(other, thread, isWriter: isWriter) }
    return try other.lend(body)
  }

  /// Takes a connection for a thread.
  ///
  /// - Returns: Whether it was opened just now.
  private func take(
    _ preference: Int?, _ thread: pthread_t, isWriter: Bool
  ) throws -> (connection: PostgresConnection, isNew: Bool) {
    try waitForPermission(isWriter: isWriter)
    while let (idle, since) = state.withLock({ $0.takeIdle(preference) }) {
      // Asking the system takes longer than all else here.
      guard ContinuousClock.now - since < Self.unquestionedTime || idle.pipeline.isAlive() else {
        idle.invalidate()
        continue
      }
      record(idle, thread, isWriter: isWriter)
      return (idle, false)
    }
    return (try open(thread, isWriter: isWriter), true)
  }

  private func takeNew(_ thread: pthread_t, isWriter: Bool) throws -> PostgresConnection {
    try waitForPermission(isWriter: isWriter)
    return try open(thread, isWriter: isWriter)
  }

  /// Waits until another connection may be lent, and counts it as one that is being opened.
  private func waitForPermission(isWriter: Bool) throws {
    let deadline = DispatchTime.now() + timeout
    let waiter = Waiter(isWriter: isWriter)
    while true {
      let isAllowed = state.withLock { state in
        // A wakeup that came too late may have left the waiter in the list.
        let isListed = state.waiters.contains { $0 === waiter }
        guard state.allows(maximum, isWriter: isWriter) else {
          if !isListed { state.waiters.append(waiter) }
          return false
        }
        if isListed { state.waiters.removeAll { $0 === waiter } }
        if isWriter { state.openingWriters += 1 } else { state.openingReaders += 1 }
        return true
      }
      if isAllowed { return }
      if waiter.semaphore.wait(timeout: deadline) == .success { continue }
      let wasPassedOver = state.withLock { state in
        let index = state.waiters.firstIndex { $0 === waiter }
        if let index { state.waiters.remove(at: index) }
        return index != nil
      }
      // The thread that removed the waiter allows it to try once more.
      guard wasPassedOver else { continue }
      throw DatabaseError(
        reason: .busy, message: "all \(maximum) connections have been in use for \(timeout) seconds")
    }
  }

  private func open(_ thread: pthread_t, isWriter: Bool) throws -> PostgresConnection {
    do {
      // Idle connections count for the server.
      closeOldest()
      let connection = try PostgresConnector.open(shared)
      record(connection, thread, isWriter: isWriter)
      return connection
    } catch {
      let waiter = state.withLock { state in
        if isWriter { state.openingWriters -= 1 } else { state.openingReaders -= 1 }
        return state.nextWaiter(maximum)
      }
      waiter?.semaphore.signal()
      throw error
    }
  }

  /// Closes an idle connection where one more would be too many.
  private func closeOldest() {
    let oldest = state.withLock { state -> PostgresConnection? in
      let count = state.loans.count + state.openingReaders + state.openingWriters + state.idle.count
      return count > maximum && !state.idle.isEmpty ? state.idle.removeFirst().connection : nil
    }
    oldest?.invalidate()
  }

  private func record(_ connection: PostgresConnection, _ thread: pthread_t, isWriter: Bool) {
    state.withLock { state in
      if isWriter { state.openingWriters -= 1 } else { state.openingReaders -= 1 }
      state.loans.append(Loan(thread: thread, connection: connection, isWriter: isWriter))
      if isWriter { state.lastWriter = connection.serial }
    }
  }

  private func giveBack(_ connection: PostgresConnection, _ thread: pthread_t, isWriter: Bool) {
    let isUsable = connection.isUsable
    if !isUsable { connection.invalidate() }
    let (waiter, plansSweep) = state.withLock { state in
      state.loans.removeAll { $0.connection === connection }
      if isUsable { state.idle.append((connection: connection, since: .now)) }
      let plansSweep = isUsable && !state.isSweepPlanned
      if plansSweep { state.isSweepPlanned = true }
      return (state.nextWaiter(maximum), plansSweep)
    }
    waiter?.semaphore.signal()
    if plansSweep { planSweep() }
  }

  // MARK: Closing

  /// Plans to close the connections that are unused for the configured time.
  private func planSweep() {
    let timeout = min(max(0.05, shared.configuration.idleTimeout), 1e6)
    DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak self] in self?.sweep(timeout) }
  }

  private func sweep(_ timeout: Double) {
    let oldest = ContinuousClock.now - .seconds(timeout)
    let (unused, isRest) = state.withLock { state in
      let unused = state.idle.filter { $0.since <= oldest }.map(\.connection)
      state.idle.removeAll { $0.since <= oldest }
      let isRest = !state.idle.isEmpty || !state.loans.isEmpty
      state.isSweepPlanned = isRest
      return (unused, isRest)
    }
    for connection in unused { connection.invalidate() }
    if isRest { planSweep() }
  }

  /// Waits until no connection is lent and closes all of them, or until another thread has done so.
  func close() throws {
    let thread = pthread_self()
    let (isFirst, isBusy) = try state.withLock { state -> (Bool, Bool) in
      if state.loan(of: thread, isWriter: false) != nil {
        throw DatabaseError(reason: .busy, message: "this thread is using the database; close it afterwards")
      }
      if state.isClosed { return (false, false) }
      state.isClosed = true
      closing.enter()
      return (true, state.borrowers > 0)
    }
    guard isFirst else { return closing.wait() }
    if isBusy { isIdle.wait() }
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle.map(\.connection)
    }
    for connection in idle { connection.invalidate() }
    closing.leave()
  }
}
