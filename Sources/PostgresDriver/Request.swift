import Foundation
import Relational
import SystemPostgres

/// A command that was sent to the server, and its answer.
final class Request {
  /// What becomes of an error.
  enum Role {
    /// The caller waits for the answer.
    case awaited
    /// A later wait throws the error.
    case sent
    /// It is ignored.
    case silent
  }

  /// The SQL that errors show.
  let sql: String
  let role: Role
  /// The error that stands for a division by zero: see `PostgresStatement.run(_:)`.
  var divisionError: DatabaseError?
  /// Called with the successful request.
  var succeeded: ((Request) -> Void)?
  /// Called with the failed or aborted request.
  var failed: ((Request) -> Void)?
  var report: RunReport?
  fileprivate(set) var result: OpaquePointer?
  private(set) var error: DatabaseError?
  /// The SQLSTATE of the error.
  private(set) var state = ""
  private(set) var isDone = false

  init(_ sql: String, _ role: Role) {
    self.sql = sql
    self.role = role
  }

  deinit {
    PQclear(result)
  }

  /// The number of rows that the statement inserted, updated or deleted, or else returned.
  var rowCount: Int {
    guard let result, let digits = PQcmdTuples(result) else { return 0 }
    return strtol(digits, nil, 10)
  }

  /// The name of the command that was run, which is ROLLBACK for the COMMIT of a failed transaction.
  var command: String {
    guard let result, let text = PQcmdStatus(result) else { return "" }
    return String(cString: text)
  }

  /// The bytes of a column of the first row, in binary format; nil for null, and without a row.
  func firstValue(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard let result, PQntuples(result) > 0, PQgetisnull(result, 0, column) == 0,
      let start = PQgetvalue(result, 0, column)
    else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, 0, column)))
  }

  /// Whether the server refused to run a prepared statement because its columns have changed.
  var hasOutdatedPlan: Bool { state == "0A000" }

  /// Takes the ownership of the result.
  func takeResult() -> OpaquePointer? {
    defer { result = nil }
    return result
  }

  /// Keeps a result; the last one counts.
  func keep(_ result: OpaquePointer) {
    PQclear(self.result)
    self.result = result
  }

  func fail(_ error: DatabaseError, state: String = "") {
    if self.error != nil { return }
    self.error = error
    self.state = state
  }

  func finish() {
    isDone = true
    report?.end(rowCount: result.map { max(rowCount, Int(PQntuples($0))) } ?? 0, error)
    (error == nil ? succeeded : failed)?(self)
    (succeeded, failed) = (nil, nil)
  }
}

/// Reports one run of a statement to an observer.
final class RunReport {
  private let observer: StatementObserver
  private let sql: String
  private let start = ContinuousClock.now

  init(_ observer: StatementObserver, _ sql: String, _ values: [BoundValue] = []) {
    self.observer = observer
    self.sql = observer.ended != nil && observer.includesValues ? BoundValue.expand(sql, values) : sql
    observer.began?(sql)
  }

  func end(rowCount: Int, _ error: DatabaseError?) {
    observer.ended?(
      StatementReport(
        sql: sql, duration: start.duration(to: .now), rowCount: error == nil ? rowCount : 0, error: error))
  }
}
