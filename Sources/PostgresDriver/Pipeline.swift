import Foundation
import Relational
import SystemPostgres

/// A connection on which commands are sent before the answers to earlier ones have arrived.
///
/// The server runs the commands in order. After one that fails it skips all others up to the next synchronization. The socket
/// does not block: while commands are written, answers are read, so that neither side waits for the other with full buffers.
final class Pipeline {
  private enum Entry {
    case request(Request)
    case synchronization
  }

  private let connection: OpaquePointer
  /// What was sent and is not answered yet, from `firstEntry` on.
  private var entries: [Entry] = []
  private var firstEntry = 0
  /// The number of entries that were ever sent.
  private var sentCount = 0
  /// The value of `sentCount` at the last wait.
  private var awaitedCount = 0
  /// The error because of which the server skips commands.
  private var abortion: DatabaseError?
  private var wasCancelled = false
  private var isFinished = false
  /// Why the connection cannot be used any more.
  private(set) var loss: DatabaseError?
  /// The first error of a request whose caller does not wait.
  private var unthrown: DatabaseError?
  /// How often a wait had to wait for something that was sent after the wait before.
  private(set) var roundTrips = 0
  /// Whether a cancelled task cancels the statement for which it waits.
  var isCancellable = false
  /// Whether nothing that was sent since the start of the loan can have had an effect. When the connection is lost, the pool
  /// runs the call again on another one then.
  var isRepeatable = true

  /// - Parameter connection: An established connection, which the pipeline closes.
  init(_ connection: OpaquePointer) throws {
    self.connection = connection
    guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
      let message = Self.message(of: connection)
      close()
      throw DatabaseError.disconnected("the connection cannot be used: \(message)")
    }
  }

  deinit {
    close()
  }

  func close() {
    if isFinished { return }
    isFinished = true
    lose(.closed)
    PQfinish(connection)
  }

  /// Whether commands were sent that no synchronization follows.
  var isUnsynchronized: Bool {
    if case .request = entries.last { true } else { false }
  }

  /// Whether the server has not closed the connection. It does not wait.
  func isAlive() -> Bool {
    while loss == nil {
      guard poll(Int16(POLLIN), timeout: 0) != 0 else { return true }
      if PQconsumeInput(connection) == 0 || PQstatus(connection) == CONNECTION_BAD { lose() }
    }
    return false
  }

  // MARK: Sending

  func send(_ sql: String, _ types: [Oid], _ parameters: ParameterBuffer, _ request: Request) {
    enqueue(request) {
      parameters.withParameters { count, values, lengths, formats in
        PQsendQueryParams(connection, sql, count, types, values, lengths, formats, 1)
      }
    }
  }

  func send(prepared name: String, _ parameters: ParameterBuffer, _ request: Request) {
    enqueue(request) {
      parameters.withParameters { count, values, lengths, formats in
        PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
      }
    }
  }

  /// Sends a statement without parameters.
  func send(_ sql: String, _ request: Request) {
    enqueue(request) { PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1) }
  }

  func prepare(_ sql: String, as name: String, _ types: [Oid], _ request: Request) {
    enqueue(request) { PQsendPrepare(connection, name, sql, Int32(types.count), types) }
  }

  func describe(prepared name: String, _ request: Request) {
    enqueue(request) { PQsendDescribePrepared(connection, name) }
  }

  private func enqueue(_ request: Request, _ send: () -> Int32) {
    if loss == nil, send() == 1 {
      sentCount += 1
      entries.append(.request(request))
      return
    }
    let error = loss ?? lose()
    request.fail(error)
    record(request)
    request.finish()
  }

  /// Ends the commands that one failure affects.
  func synchronize() {
    guard loss == nil else { return }
    guard PQpipelineSync(connection) == 1 else {
      lose()
      return
    }
    sentCount += 1
    entries.append(.synchronization)
  }

  /// Writes what was sent, without waiting for answers.
  func flush() {
    while loss == nil {
      let rest = PQflush(connection)
      if rest == 0 { return }
      if rest < 0 { return discoverLoss() }
      if poll(Int16(POLLIN | POLLOUT), timeout: -1) & Int16(POLLIN) != 0, PQconsumeInput(connection) == 0 {
        lose()
      }
    }
  }

  // MARK: Receiving

  /// Waits for the answers to everything that was sent.
  ///
  /// - Throws: The first error of a request that was sent without being awaited.
  func wait() throws {
    if isUnsynchronized { synchronize() }
    waitForAnswers()
    defer { unthrown = nil }
    if let unthrown { throw unthrown }
  }

  private func waitForAnswers() {
    if firstEntry < entries.count, sentCount > awaitedCount { roundTrips += 1 }
    awaitedCount = sentCount
    while firstEntry < entries.count { readAnswer() }
    entries.removeAll(keepingCapacity: true)
    firstEntry = 0
    wasCancelled = false
  }

  private func readAnswer() {
    waitForInput()
    if loss != nil { return }
    let result = PQgetResult(connection)
    let status = PQresultStatus(result)
    switch entries[firstEntry] {
    case .synchronization:
      if let result, status != PGRES_PIPELINE_SYNC { take(result, for: nil) }
      if status == PGRES_PIPELINE_SYNC {
        PQclear(result)
        firstEntry += 1
        abortion = nil
      } else if result == nil {
        missedAnswer()
      }
    case .request(let request):
      if let result {
        take(result, for: request)
      } else if request.result != nil || request.error != nil {
        firstEntry += 1
        record(request)
        request.finish()
      } else {
        missedAnswer()
      }
    }
    if PQstatus(connection) == CONNECTION_BAD { lose() }
  }

  /// Called when libpq expects no answer. It must be the end of the connection, or else the count of answers is wrong.
  private func missedAnswer() {
    if PQstatus(connection) != CONNECTION_BAD { lose(.disconnected("an answer of the server is missing")) }
  }

  /// Notes what a finished request means for the callers.
  private func record(_ request: Request) {
    if let error = request.error {
      if request.role == .sent, unthrown == nil { unthrown = error }
    } else if request.role == .awaited {
      isRepeatable = false
    }
  }

  /// - Parameter request: Nil for an answer to no request.
  private func take(_ result: OpaquePointer, for request: Request?) {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      guard let request else { return PQclear(result) }
      request.keep(result)
    case PGRES_PIPELINE_ABORTED:
      PQclear(result)
      request?.fail(abortion ?? .other("an earlier statement failed", sql: request?.sql))
    case PGRES_FATAL_ERROR:
      let (error, state) = failure(result, request)
      PQclear(result)
      if abortion == nil { abortion = error }
      request?.fail(error, state: state)
      if error.reason == .disconnected { lose(error) }
    default:
      // COPY, for which a statement cannot be used.
      PQclear(result)
      lose(.other("the statement is not supported", sql: request?.sql))
    }
  }

  private func failure(_ result: OpaquePointer, _ request: Request?) -> (error: DatabaseError, state: String) {
    let state = Self.field(result, "C") ?? ""
    let message = Self.field(result, "M") ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
    if state == "22012", let error = request?.divisionError { return (error, state) }
    if state.isEmpty { return (.disconnected(message.trimmingCharacters(in: .whitespacesAndNewlines)), state) }
    let error = DatabaseError(state: state, message: message, sql: request?.sql, wasCancelled: wasCancelled)
    return (error, state)
  }

  private static func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
    PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
  }

  static func message(of connection: OpaquePointer) -> String {
    PQerrorMessage(connection).map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
  }

  /// Waits until libpq has a whole answer.
  private func waitForInput() {
    while loss == nil {
      let rest = PQflush(connection)
      if rest < 0 { return discoverLoss() }
      if PQisBusy(connection) == 0 { return }
      let events = poll(Int16(rest > 0 ? POLLIN | POLLOUT : POLLIN), timeout: isCancellable ? Self.interval : -1)
      if events & Int16(truncatingIfNeeded: POLLIN | POLLHUP | POLLERR) != 0, PQconsumeInput(connection) == 0 {
        return discoverLoss()
      }
      if isCancellable, !wasCancelled, Task.isCancelled { cancel() }
    }
  }

  /// The number of milliseconds between checks for cancellation.
  private static let interval: Int32 = 20

  /// - Returns: The events that have occurred; zero after the timeout.
  private func poll(_ events: Int16, timeout: Int32) -> Int16 {
    var descriptor = pollfd(fd: PQsocket(connection), events: events, revents: 0)
    let count = Foundation.poll(&descriptor, 1, timeout)
    return count > 0 ? descriptor.revents : 0
  }

  /// Asks the server to cancel the statement that it runs.
  private func cancel() {
    guard let request = PQgetCancel(connection) else { return }
    defer { PQfreeCancel(request) }
    var message = [CChar](repeating: 0, count: 256)
    wasCancelled = PQcancel(request, &message, Int32(message.count)) == 1
  }

  /// Called when libpq reports a failed read or write: the server may have said why before it closed the connection.
  private func discoverLoss() {
    var lastError: (DatabaseError, Request)?
    while PQisBusy(connection) == 0, let result = PQgetResult(connection) {
      if firstEntry < entries.count, case .request(let request) = entries[firstEntry],
        PQresultStatus(result) == PGRES_FATAL_ERROR
      {
        let (error, state) = failure(result, request)
        if !state.isEmpty { lastError = (error, request) }
      }
      PQclear(result)
      if PQstatus(connection) == CONNECTION_BAD { break }
    }
    if let (error, request) = lastError {
      lose(.disconnected(error.message, sql: request.sql))
    } else {
      lose()
    }
  }

  /// Gives up the connection: all requests fail.
  @discardableResult
  private func lose(_ error: DatabaseError? = nil) -> DatabaseError {
    if let loss { return loss }
    let message = isFinished ? "" : Self.message(of: connection)
    let loss = error ?? .disconnected(message.isEmpty ? "the connection to the server was lost" : message)
    self.loss = loss
    let lost = entries[firstEntry...]
    entries.removeAll()
    firstEntry = 0
    for case .request(let request) in lost {
      request.fail(loss)
      record(request)
      request.finish()
    }
    return loss
  }

  // MARK: Scripts

  /// Runs one or more statements that the server parses itself.
  func run(script: String) throws -> Int {
    try wait()
    if let loss { throw loss }
    guard PQexitPipelineMode(connection) == 1, PQsendQuery(connection, script) == 1 else { throw lose() }
    roundTrips += 1
    isRepeatable = false
    var failed: DatabaseError?
    var count = 0
    let request = Request(script, .awaited)
    while loss == nil {
      waitForInput()
      guard loss == nil, let result = PQgetResult(connection) else { break }
      switch PQresultStatus(result) {
      case PGRES_FATAL_ERROR:
        let (error, _) = failure(result, request)
        if failed == nil { failed = error }
        if error.reason == .disconnected { lose(error) }
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: lose(.other("COPY is not supported", sql: script))
      default: count = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
      }
      PQclear(result)
    }
    wasCancelled = false
    if loss == nil, PQenterPipelineMode(connection) != 1 { lose() }
    if let error = failed ?? loss { throw error }
    return count
  }
}
