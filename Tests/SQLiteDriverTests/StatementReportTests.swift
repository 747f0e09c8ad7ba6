import Relational
import SQLiteDriver
import Support
import Testing

@Suite("Statement reports")
struct StatementReportTests {
  private final class Reports: Sendable {
    private let reports = Mutex<[StatementReport]>([])

    func add(_ report: StatementReport) {
      reports.withLock { $0.append(report) }
    }

    func take() -> [StatementReport] {
      reports.withLock { reports in
        defer { reports.removeAll() }
        return reports
      }
    }
  }

  private func database(_ reports: Reports, includesValues: Bool = false) throws -> SQLiteDatabase {
    let database = try SQLiteDatabase.inMemory {
      $0.statementObserver = StatementObserver(ended: { reports.add($0) }, includesValues: includesValues)
    }
    try database.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1), (2), (3)")
    return database
  }

  @Test("A report counts the returned rows, or else the changed rows")
  func rowCounts() throws {
    let reports = Reports()
    let database = try database(reports)
    let made = reports.take()
    #expect(made.map(\.rowCount) == [0, 0, 3, 0])
    #expect(made.first?.sql == "BEGIN IMMEDIATE" && made.last?.sql == "COMMIT")
    try database.write { connection in
      try connection.forEachRow("SELECT a FROM t") { _ in }
      try connection.run("UPDATE t SET a = a + 10 WHERE a > ?", [.integer(1)])
      try connection.run("UPDATE t SET a = a WHERE a > 100")
      try connection.execute("CREATE TABLE u (b)")
      try connection.run("DELETE FROM t")
    }
    #expect(reports.take().map(\.rowCount) == [0, 3, 2, 0, 0, 3, 0])
  }

  @Test("A statement abandoned before its last row is reported once, with the rows so far")
  func givenUp() throws {
    let reports = Reports()
    let database = try database(reports)
    _ = reports.take()
    try database.readStatement(preferring: nil) { connection in
      for _ in 0..<2 {
        let statement = try connection.statement("SELECT a FROM t")
        _ = try statement.step()
        statement.reset()
        statement.reset()
      }
    }
    #expect(reports.take().map(\.rowCount) == [1, 1])
  }

  @Test("A failed statement is reported with its error, however it is run")
  func failures() throws {
    let reports = Reports()
    let database = try database(reports)
    _ = reports.take()
    #expect(throws: DatabaseError.self) { try database.write { try $0.run("INSERT INTO t VALUES (1)") } }
    #expect(throws: DatabaseError.self) { try database.execute("INSERT INTO t VALUES (2)") }
    let failed = reports.take().filter { $0.error != nil }
    #expect(failed.map(\.sql) == ["INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2)"])
    #expect(failed.map { $0.error?.reason } == [.uniqueViolation, .uniqueViolation])
  }

  @Test("Values appear in the reported SQL only if requested", arguments: [true, false])
  func values(includesValues: Bool) throws {
    let reports = Reports()
    let database = try database(reports, includesValues: includesValues)
    _ = reports.take()
    try database.readStatement(preferring: nil) { connection in
      try connection.forEachRow("SELECT a FROM t WHERE a = ? OR a = ?", [.text("it's"), .integer(7)]) { _ in }
    }
    let values = includesValues ? ["'it''s'", "7"] : ["?", "?"]
    let expected = "SELECT a FROM t WHERE a = \(values[0]) OR a = \(values[1])"
    #expect(reports.take().map(\.sql) == [expected])
  }

  @Test("The duration of a statement excludes the time in the row callback")
  func durations() throws {
    let reports = Reports()
    let database = try database(reports)
    _ = reports.take()
    var outside = Duration.zero
    let clock = ContinuousClock()
    let whole = try clock.measure {
      try database.readStatement(preferring: nil) { connection in
        try connection.forEachRow("SELECT a FROM t") { _ in
          outside += clock.measure { _ = (0..<20_000).reduce(0) { $0 ^ $1 } }
        }
      }
    }
    let report = try #require(reports.take().first)
    #expect(report.duration > .zero)
    #expect(report.duration <= whole - outside)
  }
}
