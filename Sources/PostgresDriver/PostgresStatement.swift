package import Relational
import SystemPostgres

/// A statement of PostgreSQL. The whole result is in memory before the first row is read.
///
/// It is used only inside the call to which its connection is lent.
package final class PostgresStatement: Statement {
  package let sql: String
  private let connection: PostgresConnection
  private var prepared: PreparedStatement
  // Unchecked, because no access to these re-enters the statement.
  @exclusivity(unchecked) private var values: [BoundValue] = []
  private var boundBatch: RowBatch?
  /// The run whose rows no call has waited for.
  private var started: Request?
  /// The result that is read.
  @exclusivity(unchecked) private var result: OpaquePointer?
  @exclusivity(unchecked) private var rowCount: Int32 = 0
  private let row: UnsafeMutablePointer<ResultRow>

  init(_ prepared: PreparedStatement, _ connection: PostgresConnection) {
    sql = prepared.sql
    self.prepared = prepared
    self.connection = connection
    row = .allocate(capacity: 1)
    row.initialize(to: ResultRow(connection.shared.configuration.decimals))
  }

  deinit {
    PQclear(result)
    row.pointee.deallocate()
    row.deinitialize(count: 1)
    row.deallocate()
  }

  // MARK: Running

  package override func step() throws -> Bool {
    if result == nil { try begin() }
    if row.pointee.index + 1 < rowCount {
      row.pointee.index += 1
      if row.pointee.index & Self.cancellationMask == Self.cancellationMask, connection.isCancellable, Task.isCancelled
      {
        throw DatabaseError(reason: .interrupted, message: "the task was cancelled", sql: sql)
      }
      return true
    }
    reset()
    return false
  }

  /// A task is looked at in every 256th row: all rows have arrived, so nothing else ends the reading of a cancelled fetch.
  private static let cancellationMask: Int32 = 255

  /// Waits for the result.
  private func begin() throws {
    let request = try answered()
    connection.changeCount = request.rowCount
    guard let result = request.takeResult() else { return }
    do {
      try row.pointee.begin(result)
    } catch let refusal as ParameterBuffer.Refusal {
      PQclear(result)
      row.pointee.end()
      throw DatabaseError.other(refusal.message, sql: sql)
    }
    self.result = result
    rowCount = PQntuples(result)
  }

  /// A request whose answer has arrived.
  private func answered() throws -> Request {
    if let started {
      self.started = nil
      try connection.wait(for: started)
      return started
    }
    let request = try queue(.awaited)
    do {
      try connection.wait(for: request)
      return request
    } catch  where request.hasOutdatedPlan && !connection.isInTransaction {
      // Another connection has changed the columns of a table since the statement was prepared.
      let request = try queue(.awaited)
      try connection.wait(for: request)
      return request
    }
  }

  package override func send() throws {
    guard connection.isInTransaction else { return try super.send() }
    reset()
    _ = try queue(.sent)
  }

  package override func start() throws {
    reset()
    started = try queue(.awaited)
    connection.endOfStarted()
  }

  private func queue(_ role: Request.Role) throws -> Request {
    if prepared.isOutdated { prepared = connection.prepared(sql) }
    let request = Request(sql, role)
    try connection.queue(prepared, request, values) { buffer, types in
      if let boundBatch { return try fill(&buffer, with: boundBatch, as: types) }
      for (index, type) in types.enumerated() {
        try buffer.append(index < values.count ? values[index] : BoundValue(), as: type)
      }
    }
    return request
  }

  /// Binds arrays as parameters, until the next reset.
  package override func bind(_ batch: RowBatch) {
    reset()
    boundBatch = batch
  }

  private func fill(
    _ buffer: inout ParameterBuffer, with batch: RowBatch, as types: [Oid]
  ) throws {
    try batch.lend { contents in
      guard types.count == contents.width + 1 else {
        throw ParameterBuffer.Refusal(message: "the statement is not for a batch of \(contents.width) columns")
      }
      try buffer.append(contents.keys, as: types[0])
      for column in 0..<contents.width { try buffer.append(contents, column: column, as: types[column + 1]) }
    }
  }

  /// Runs the statement with arrays as parameters.
  ///
  /// Where it is possible the statement is sent with a calculation around it that fails in the server when rows are missing, so
  /// that the caller does not wait for the count.
  package override func run(_ batch: RowBatch) throws {
    guard batch.count > 0 else { return }
    reset()
    let missing = DatabaseError(reason: .missingRows, message: "rows of a batch do not exist", sql: sql)
    // An insertion that cannot write a row fails by itself.
    let isInsertion = sql.hasPrefix("INSERT INTO ")
    let checkedSQL = isInsertion ? sql : Self.checking(sql)
    let request = Request(sql, checkedSQL != nil && connection.isInTransaction ? .sent : .awaited)
    if !isInsertion { request.divisionError = missing }
    try connection.queue(connection.prepared(checkedSQL ?? sql), request, []) { buffer, types in
      try fill(&buffer, with: batch, as: types)
    }
    if request.role == .sent { return }
    try connection.wait(for: request)
    guard checkedSQL != nil || request.rowCount == batch.count else { throw connection.failed(missing) }
  }

  /// A statement that fails with a division by zero unless it writes as many rows as its first parameter has elements; nil for
  /// one that returns something already.
  private static func checking(_ sql: String) -> String? {
    if sql.uppercased().contains("RETURNING") { return nil }
    return """
      WITH written AS (\(sql) RETURNING 1) \
      SELECT 1 / (count(*) = cardinality($1::bigint[]))::integer FROM written
      """
  }

  package override func reset() {
    started = nil
    boundBatch = nil
    guard let result else { return }
    row.pointee.end()
    rowCount = 0
    PQclear(result)
    self.result = nil
  }

  package override func clear() {
    reset()
    for index in values.indices { values[index].set(.null) }
  }

  // MARK: Binding

  private func at(_ position: Int32) -> Int {
    while values.count < position { values.append(BoundValue()) }
    return Int(position) - 1
  }

  package override func bindNull(at position: Int32) {
    values[at(position)].set(.null)
  }

  package override func bind(_ value: Int64, at position: Int32) {
    values[at(position)].set(.integer, value)
  }

  package override func bind(_ value: Double, at position: Int32) {
    values[at(position)].set(.real, Int64(bitPattern: value.bitPattern))
  }

  package override func bind(_ value: String, at position: Int32) {
    var value = value
    value.withUTF8 { values[at(position)].set(.text, UnsafeRawBufferPointer($0)) }
  }

  package override func bind(_ value: UnsafeRawBufferPointer, at position: Int32) {
    values[at(position)].set(.blob, value)
  }

  // MARK: Reading

  /// The number of columns of the current row.
  package var columnCount: Int32 { PQnfields(result) }

  package override var access: RowAccess { ResultRow.access(row) }

  package override func type(of column: Int32) -> ColumnType { row.pointee.kind(column) }
  package override func isNull(_ column: Int32) -> Bool { row.pointee.isNull(column) }
  package override func integer(_ column: Int32) -> Int64 { row.pointee.integer(column) }
  package override func real(_ column: Int32) -> Double { row.pointee.real(column) }
  package override func textIfPresent(_ column: Int32) -> String? { row.pointee.text(column) }

  package override func withBlob<Result>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try row.pointee.withBlob(column, body)
  }
}
