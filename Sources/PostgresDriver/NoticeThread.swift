import Dispatch
import Foundation
import Relational
import Support
import SystemPostgres

/// A thread with a connection of its own, which listens to channels and notifies others.
///
/// A transaction with a notice takes a lock on the whole database when it commits. So notices are never part of a save, and are
/// collected for a short time.
final class NoticeThread: Sendable {
  private struct State {
    var observers: [Int: (channel: String, call: @Sendable () -> Void)] = [:]
    var nextIdentifier = 0
    /// The channels to notify.
    var pending: Set<String> = []
    var isRunning = false
    var isStopped = false
  }

  private let configuration: PostgresConfiguration
  private let state = Mutex(State())
  private let wakeup = Wakeup()

  init(_ configuration: PostgresConfiguration) {
    self.configuration = configuration
  }

  func listen(_ channel: String, _ body: @escaping @Sendable () -> Void) -> NoticeObservation {
    change { state in
      state.nextIdentifier += 1
      let observation = NoticeObservation(self, state.nextIdentifier, body)
      state.observers[state.nextIdentifier] = (channel, { @Sendable [weak observation] in observation?.call() })
      return observation
    }
  }

  func remove(_ identifier: Int) {
    state.withLock { _ = $0.observers.removeValue(forKey: identifier) }
    wakeup.signal()
  }

  func notify(_ channel: String) {
    // The thread still has to send an earlier notice of the channel.
    if state.withLock({ $0.pending.contains(channel) }) { return }
    change { _ = $0.pending.insert(channel) }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    wakeup.signal()
  }

  /// Changes what the thread has to do, and starts it if necessary.
  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, starts) = state.withLock { state in
      let result = body(&state)
      defer { state.isRunning = true }
      return (result, !state.isRunning && !state.isStopped)
    }
    if starts { Thread.detachNewThread { [self] in run() } }
    wakeup.signal()
    return result
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  // MARK: The thread

  private enum Interval {
    /// Milliseconds between notices of this process.
    static let notices: Int32 = 20
    /// Milliseconds between calls without a notice: a process may have ended before it sent one, or a pooler receives them.
    static let polls: Int32 = 1000
    static let firstRetry: Int32 = 50
    static let longestRetry: Int32 = 5000
  }

  private func run() {
    var retry = Interval.firstRetry
    while !isStopped {
      do {
        let session = try NoticeSession(configuration)
        // What happened before was not noticed.
        callObservers(nil)
        try serve(session) { retry = Interval.firstRetry }
      } catch {
        // Everybody reconnects after a restart of the server, not all at once.
        wakeup.wait(on: -1, milliseconds: Int32.random(in: (retry / 2)...retry))
        retry = min(2 * retry, Interval.longestRetry)
      }
    }
  }

  /// Listens and notifies until the thread has to stop.
  ///
  /// - Parameter succeeded: Called when the server has accepted the commands: one that cannot be written refuses them.
  /// - Throws: An error when the connection is lost.
  private func serve(_ session: NoticeSession, succeeded: () -> Void) throws {
    let isPolling = !configuration.preparedStatements
    while !isStopped {
      let channels = state.withLock { Set($0.observers.values.map(\.channel)) }
      if !isPolling, try session.listen(to: channels) { callObservers(nil) }
      try sendPending(session)
      succeeded()
      // libpq has read what arrived with the answers, and the socket does not wake up the thread for it.
      let early = try session.notices()
      let isIdle = early.isEmpty && state.withLock { $0.pending.isEmpty }
      let timeout = isIdle ? Interval.polls : 0
      let isWoken = wakeup.wait(on: session.socket, milliseconds: timeout)
      let noticed = early.union(try session.notices())
      if !noticed.isEmpty { callObservers(noticed) }
      if !isWoken, timeout > 0 { callObservers(nil) }
    }
  }

  private func sendPending(_ session: NoticeSession) throws {
    let channels = state.withLock { $0.pending }
    guard !channels.isEmpty else { return }
    // A commit that comes later notifies again.
    state.withLock { $0.pending.subtract(channels) }
    do {
      try session.notify(channels)
    } catch {
      state.withLock { $0.pending.formUnion(channels) }
      throw error
    }
    Thread.sleep(forTimeInterval: Double(Interval.notices) / 1000)
  }

  /// - Parameter channels: Nil for all.
  private func callObservers(_ channels: Set<String>?) {
    let callbacks = state.withLock { state in
      state.observers.values.filter { channels?.contains($0.channel) ?? true }.map(\.call)
    }
    for call in callbacks { call() }
  }
}

/// The connection of a `NoticeThread`, which is its only user.
private final class NoticeSession {
  private let connection: OpaquePointer
  private var channels: Set<String> = []

  init(_ configuration: PostgresConfiguration) throws {
    connection = try PostgresConnector(configuration: configuration).connect()
  }

  deinit {
    PQfinish(connection)
  }

  var socket: Int32 { PQsocket(connection) }

  /// Listens to these channels only.
  ///
  /// - Returns: Whether there are new ones, whose earlier notices were missed.
  func listen(to wanted: Set<String>) throws -> Bool {
    let added = wanted.subtracting(channels)
    for channel in channels.subtracting(wanted) { try run("UNLISTEN \(name(channel))") }
    for channel in added { try run("LISTEN \(name(channel))") }
    channels = wanted
    return !added.isEmpty
  }

  func notify(_ channels: Set<String>) throws {
    for channel in channels { try run("NOTIFY \(name(channel))") }
  }

  /// A channel has a name of at most 63 bytes.
  private func name(_ channel: String) -> String { PostgresDialect().quoted(channel) }

  /// The channels from which notices of other connections have arrived.
  func notices() throws -> Set<String> {
    guard PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else { throw loss }
    var noticed: Set<String> = []
    while let notice = PQnotifies(connection) {
      defer { PQfreemem(notice) }
      if notice.pointee.be_pid == PQbackendPID(connection) { continue }
      let name = String(cString: notice.pointee.relname)
      noticed.formUnion(channels.filter { PostgresDialect().shortened($0) == name })
    }
    return noticed
  }

  private func run(_ sql: String) throws {
    let result = PQexec(connection, sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw loss }
  }

  private var loss: DatabaseError { .disconnected(Pipeline.message(of: connection)) }
}

/// Wakes up a thread that waits for a socket.
private final class Wakeup: Sendable {
  private let reader: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // Without a pipe, for lack of file descriptors, the thread wakes up at its next timeout.
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    if reader >= 0 { close(reader) }
    if writer >= 0 { close(writer) }
  }

  func signal() {
    var byte: UInt8 = 0
    // A full pipe wakes up the thread as well.
    _ = write(writer, &byte, 1)
  }

  /// Waits for a signal, for input from a socket, or for the timeout.
  ///
  /// - Returns: Whether it was not the timeout.
  @discardableResult
  func wait(on socket: Int32, milliseconds: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: reader, events: Int16(POLLIN), revents: 0), pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
    ]
    // Without a pipe the thread must not sleep for ever.
    let limit = reader < 0 ? (milliseconds < 0 ? 1000 : min(milliseconds, 1000)) : milliseconds
    let count = poll(&descriptors, 2, limit)
    var bytes = [UInt8](repeating: 0, count: 64)
    while reader >= 0, read(reader, &bytes, bytes.count) > 0 {}
    return count > 0
  }
}
