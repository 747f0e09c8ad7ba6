package import Relational
import Support
import Synchronization
import SystemPostgres

/// One connection to a PostgreSQL server.
///
/// The connection and the statements that it prepared refer to each other until `invalidate()`.
///
/// `@unchecked Sendable` because only the call to which a connection is lent uses it, and the pool lends it to one call at a
/// time. Closing, the exception, waits until no connection is lent.
package final class PostgresConnection: Connection, @unchecked Sendable {
  let shared: SharedState
  let pipeline: Pipeline
  package let serial = nextSerial.wrappingAdd(1, ordering: .relaxed).newValue
  private static let nextSerial = Atomic<Int>(0)
  private var cache = PreparedStatements(capacity: 256)
  private var nextName = 0
  /// The names of statements that the server keeps and that are not used any more.
  private var droppedNames: [String] = []
  private var buffer: ParameterBuffer
  private var loans = 0
  var transactions = TransactionState()
  package internal(set) var changeCount = 0
  package var writesOutOfPlace = false

  init(_ pipeline: Pipeline, _ shared: SharedState) {
    self.pipeline = pipeline
    self.shared = shared
    buffer = ParameterBuffer(shared.configuration.decimals)
  }

  /// Closes the connection. Statements that callers retain fail from now on.
  func invalidate() {
    cache.removeAll()
    pipeline.close()
  }

  // MARK: Loans

  /// Lends the connection for the duration of `body`. A nested call is part of the same loan.
  func lend<Result>(_ body: (PostgresConnection) throws -> Result) rethrows -> Result {
    if loans == 0 { pipeline.isRepeatable = true }
    loans += 1
    defer {
      loans -= 1
      if loans == 0 { endLoan() }
    }
    return try body(self)
  }

  /// Ends a transaction that the borrower left open.
  private func endLoan() {
    if transactions.depth > 0 { rollback() }
    pipeline.isCancellable = false
    if pipeline.isUnsynchronized { pipeline.synchronize() }
    pipeline.flush()
  }

  var isUsable: Bool { pipeline.loss == nil }

  package var isInPlace: Bool { true }
  package var dataVersion: UInt32? { nil }
  package var seesDataVersion: Bool { false }
  package var runsLater: Bool { true }
  package var roundTrips: Int { pipeline.roundTrips }

  package var isCancellable: Bool {
    get { pipeline.isCancellable }
    set { pipeline.isCancellable = newValue }
  }

  // MARK: Statements

  package func statement(_ sql: String) throws -> Statement {
    let prepared = prepared(sql)
    if prepared.statement != nil, isKnownUniquelyReferenced(&prepared.statement), let statement = prepared.statement {
      statement.clear()
      return statement
    }
    // A caller that still holds the other statement may be in the middle of its rows.
    let statement = PostgresStatement(prepared, self)
    prepared.statement = statement
    return statement
  }

  func prepared(_ sql: String) -> PreparedStatement {
    if let known = cache.statement(sql) { return known }
    nextName += 1
    let name = shared.configuration.preparedStatements ? "s\(nextName)" : nil
    let prepared = PreparedStatement(sql: sql, name: name)
    prepared.types = prepared.types ?? shared.parameterTypes.withLock { $0[sql] }
    if let oldest = cache.keep(prepared) { drop(oldest) }
    return prepared
  }

  private func drop(_ prepared: PreparedStatement) {
    prepared.statement = nil
    prepared.isOutdated = true
    if let name = prepared.name, prepared.state == .known { droppedNames.append(name) }
  }

  /// Forgets a statement whose tables have changed.
  private func forget(_ prepared: PreparedStatement) {
    shared.parameterTypes.withLock { $0[prepared.sql] = nil }
    cache.remove(prepared)
    drop(prepared)
  }

  private func deallocateDropped() {
    // A transaction that has failed on the server would refuse it.
    guard !droppedNames.isEmpty, transactions.failure == nil else { return }
    let names = droppedNames
    droppedNames = []
    for name in names {
      let request = Request("DEALLOCATE \(name)", .silent)
      request.failed = { [weak self] request in
        // The server does not know a statement whose preparation it skipped.
        if request.state != "26000" { self?.droppedNames.append(name) }
      }
      pipeline.send(request.sql, request)
    }
  }

  /// Sends a statement.
  ///
  /// - Parameter fill: Appends the parameters, of the given types.
  func queue(
    _ prepared: PreparedStatement, _ request: Request, _ values: [BoundValue],
    _ fill: (inout ParameterBuffer, [Oid]) throws -> Void
  ) throws {
    if let failure = transactions.failure { throw failure }
    if let loss = pipeline.loss { throw loss }
    var prepared = prepared
    var types = try types(of: prepared)
    do {
      buffer.removeAll()
      do {
        try fill(&buffer, types)
      } catch is ParameterBuffer.Refusal {
        // The columns may have other types since the statement was described.
        (prepared, types) = try describedAgain(prepared)
        buffer.removeAll()
        try fill(&buffer, types)
      }
    } catch let refusal as ParameterBuffer.Refusal {
      // The server has given a parameter another type than its value has: the caller can evaluate a query itself.
      throw DatabaseError(
        reason: request.sql.hasPrefix("SELECT") ? .tooComplex : .other, message: refusal.message, sql: request.sql)
    }
    deallocateDropped()
    let described = prepared
    request.failed = { [weak self] request in
      if request.hasOutdatedPlan || request.state.hasPrefix("42") { self?.forget(described) }
    }
    request.report = shared.configuration.statementObserver.map { RunReport($0, request.sql, values) }
    beginStatement()
    guard let name = prepared.name else { return pipeline.send(prepared.sql, types, buffer, request) }
    if prepared.state == .unknown { prepare(prepared, as: name, types, request.sql) }
    pipeline.send(prepared: name, buffer, request)
  }

  /// Sends a statement without parameters that transactions consist of. Observers do not see it.
  func send(prepared sql: String, _ request: Request) {
    let prepared = prepared(sql)
    guard let name = prepared.name else { return pipeline.send(sql, request) }
    if prepared.state == .unknown { prepare(prepared, as: name, [], sql) }
    buffer.removeAll()
    pipeline.send(prepared: name, buffer, request)
  }

  private func describedAgain(_ prepared: PreparedStatement) throws -> (PreparedStatement, [Oid]) {
    forget(prepared)
    let fresh = self.prepared(prepared.sql)
    return (fresh, try types(of: fresh))
  }

  private func prepare(_ prepared: PreparedStatement, as name: String, _ types: [Oid], _ sql: String) {
    let request = Request(sql, .silent)
    prepared.state = .sent
    request.succeeded = { [weak self] _ in
      prepared.state = .known
      // It was dropped before the answer arrived.
      if prepared.isOutdated { self?.droppedNames.append(name) }
    }
    request.failed = { _ in prepared.state = .unknown }
    pipeline.prepare(prepared.sql, as: name, types, request)
  }

  /// The types of a statement's parameters, for which the first connection that uses the statement waits.
  private func types(of prepared: PreparedStatement) throws -> [Oid] {
    if let types = prepared.types { return types }
    beginStatement()
    let name = prepared.name ?? ""
    prepare(prepared, as: name, [], prepared.sql)
    let description = Request(prepared.sql, .awaited)
    pipeline.describe(prepared: name, description)
    try wait(for: description)
    let result = description.result
    let types = (0..<PQnparams(result)).map { PQparamtype(result, $0) }
    prepared.types = types
    shared.parameterTypes.withLock { $0[prepared.sql] = types }
    return types
  }

  /// Makes the settings of the connection valid where another program may have used the server's connection.
  private func beginStatement() {
    if shared.configuration.preparedStatements || isInTransaction { return }
    sendSettings()
  }

  func sendSettings() {
    let settings = SessionSettings(shared.configuration).sql(isLocal: true)
    pipeline.send(settings, Request(settings, .silent))
  }

  /// Makes the server answer a started statement.
  func endOfStarted() {
    pipeline.synchronize()
    pipeline.flush()
  }

  /// Waits for the answer to a request, and for all before.
  func wait(for request: Request) throws {
    do {
      if !request.isDone || pipeline.isUnsynchronized { try pipeline.wait() }
      if let error = request.error { throw error }
    } catch let error as DatabaseError {
      throw failed(error)
    }
  }

  /// Notes an error that ends the transaction, if there is one.
  func failed(_ error: DatabaseError) -> DatabaseError {
    if transactions.depth > 0, transactions.failure == nil { transactions.failure = error }
    return transactions.failure ?? error
  }

  package func execute(_ sql: String) throws {
    if let failure = transactions.failure { throw failure }
    let report = shared.configuration.statementObserver.map { RunReport($0, sql) }
    do {
      changeCount = try pipeline.run(script: scriptSettings + sql)
      report?.end(rowCount: changeCount, nil)
    } catch let error as DatabaseError {
      var error = error
      if error.sql != nil { error.sql = sql }
      report?.end(rowCount: 0, error)
      throw failed(error)
    }
  }

  private var scriptSettings: String {
    if shared.configuration.preparedStatements || isInTransaction { return "" }
    return SessionSettings(shared.configuration).sql(isLocal: true) + "; "
  }
}
