import Foundation
import Relational
import SQLiteDriver
import Support
import Testing

@Suite("Statements")
struct StatementTests {
  private let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT i FROM n"

  @Test("A statement is prepared once and reused")
  func reuse() throws {
    try SQLiteDatabase.inMemory().read { connection in
      let first = ObjectIdentifier(try connection.statement("SELECT 1"))
      let second = ObjectIdentifier(try connection.statement("SELECT 1"))
      #expect(first == second)
    }
  }

  @Test("More statements than the cache holds return their own rows, including the first ones")
  func manyStatements() throws {
    try SQLiteDatabase.inMemory().read { connection throws in
      for _ in 0..<2 {
        for number in 0..<600 {
          #expect(try connection.rows("SELECT \(number)") == [.integer(Int64(number))])
          // A statement in constant use stays in the cache.
          #expect(try connection.rows("SELECT ?", [.integer(Int64(number))]) == [.integer(Int64(number))])
        }
      }
    }
  }

  @Test("A statement in use is not reused")
  func inUse() throws {
    try SQLiteDatabase.inMemory().read { connection in
      var pairs: [[Int64]] = []
      try connection.forEachRow(numbers, [.integer(3)]) { outer in
        try connection.forEachRow(numbers, [.integer(2)]) { inner in
          pairs.append([outer.integer(0), inner.integer(0)])
        }
      }
      #expect(pairs == [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2]])
    }
  }

  @Test("A reused statement has none of the previous values")
  func clearedBindings() throws {
    try SQLiteDatabase.inMemory().read { connection throws in
      #expect(try connection.rows("SELECT ?", [.integer(1)]) == [.integer(1)])
      #expect(try connection.rows("SELECT ?") == [.null])
    }
  }

  @Test("Bindings outlive a reset")
  func bindingsAfterReset() throws {
    try SQLiteDatabase.inMemory().read { connection in
      let statement = try connection.statement("SELECT ?")
      statement.bind(Int64(7), at: 1)
      for _ in 0..<2 {
        #expect(try statement.step())
        #expect(statement.integer(0) == 7)
        #expect(try !statement.step())
        statement.reset()
      }
    }
  }

  @Test("Texts of any length are bound unchanged, row after row")
  func textLengths() throws {
    try SQLiteDatabase.inMemory().read { connection in
      let statement = try connection.statement("SELECT ?, ?, ?, ?")
      for length in [0, 1, 15, 16, 900, 1_365, 1_366, 4_095, 4_096, 4_097, 50_000, 3] {
        let texts = (0..<4).map { String(repeating: "\($0)ä", count: length) }
        for (index, text) in texts.enumerated() { statement.bind(text, at: Int32(index + 1)) }
        #expect(try statement.step())
        #expect((0..<4).map { statement.text(Int32($0)) } == texts)
        statement.clear()
        #expect(try statement.step())
        #expect((0..<4).allSatisfy { statement.isNull(Int32($0)) })
        statement.reset()
      }
    }
  }

  @Test("Binding a text repeatedly does not affect other bindings")
  func rebinding() throws {
    try SQLiteDatabase.inMemory().read { connection in
      let statement = try connection.statement("SELECT ?, ?")
      statement.bind("first", at: 1)
      for number in 0..<2_000 {
        statement.bind("number \(number)", at: 2)
        #expect(try statement.step())
        #expect(statement.text(0) == "first" && statement.text(1) == "number \(number)")
        statement.reset()
      }
    }
  }

  @Test("A statement that left the cache still works")
  func evictedStatement() throws {
    try SQLiteDatabase.inMemory().read { connection in
      let statement = try connection.statement("SELECT 42")
      for index in 0..<600 { try connection.run("SELECT \(index)") }
      #expect(try statement.step())
      #expect(statement.integer(0) == 42)
    }
  }

  @Test("A statement adapts to a changed table")
  func changedTable() throws {
    let database = try SQLiteDatabase.inMemory()
    try database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(try database.read { try $0.rows("SELECT * FROM t") } == [.integer(1)])
    try database.execute("ALTER TABLE t ADD COLUMN b DEFAULT 2")
    try database.read { connection in
      try connection.forEachRow("SELECT * FROM t") { #expect($0.integer(1) == 2) }
    }
  }

  @Test("Using a statement after closing is an error, not a crash")
  func useAfterClosing() throws {
    let folder = try TemporaryFolder()
    let database = try folder.database()
    var kept: Statement?
    try database.withoutTransaction { kept = try $0.statement("SELECT 1") }
    try database.close()
    let statement = try #require(kept)
    #expect(throws: DatabaseError.self) { try statement.step() }
    #expect(statement.integer(0) == 0)
    #expect(statement.text(0) == "")
    statement.bind("x", at: 1)
    statement.reset()
  }

  @Test("Several statements run as one text, including comments")
  func severalStatements() throws {
    let database = try SQLiteDatabase.inMemory()
    try database.execute(
      """
      -- one
      CREATE TABLE t (a);; INSERT INTO t VALUES ('é;'); /* two */
      INSERT INTO t VALUES (2); -- end
      """)
    #expect(try database.read { try $0.rows("SELECT a FROM t") } == [.text("é;"), .integer(2)])
  }

  @Test(
    "Invalid SQL is an error that shows the SQL",
    arguments: ["SELEC 1", "SELECT * FROM missing", "SELECT \"missing\"", "", "-- nothing"])
  func invalidSQL(sql: String) throws {
    let database = try SQLiteDatabase.inMemory()
    let error = #expect(throws: DatabaseError.self) { try database.read { try $0.run(sql) } }
    #expect(error?.sql == sql)
  }

  @Test("The rows that a statement changed are counted")
  func changedRows() throws {
    try SQLiteDatabase.inMemory().write { connection in
      try connection.execute("CREATE TABLE t (a)")
      try connection.run("INSERT INTO t \(numbers)", [.integer(5)])
      #expect(connection.changeCount == 5)
      try connection.run("DELETE FROM t WHERE a > 3")
      #expect(connection.changeCount == 2)
    }
  }

  @Test("An observer sees each run of a statement once, and no transaction statements")
  func observer() throws {
    let log = Log()
    let database = try SQLiteDatabase.inMemory { $0.statementObserver = StatementObserver(began: { log.append($0) }) }
    try database.write { connection in
      try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
      for _ in 0..<2 { try connection.run("SELECT a FROM t") }
    }
    #expect(
      log.lines == ["CREATE TABLE t (a);", " INSERT INTO t VALUES (1), (2)", "SELECT a FROM t", "SELECT a FROM t"])
  }

  @Test("Functions receive and return every type of value")
  func functionValues() throws {
    let log = Log()
    let echo = ScalarFunction(name: "echo", argumentCount: 1) { arguments in
      log.append("called")
      return arguments[0]
    }
    let count = ScalarFunction(name: "argument_count", argumentCount: -1) { .integer(Int64($0.count)) }
    let database = try SQLiteDatabase.inMemory { $0.functions = [echo, count] }
    let values: [Value] = [
      .null, .integer(.min), .real(-0.5), .text(""), .text("a\0é"), .blob(Data()), .blob(Data([1, 0])),
    ]
    for value in values {
      #expect(try database.read { try $0.rows("SELECT echo(?)", [value]) } == [value])
    }
    #expect(try database.integer("SELECT argument_count(1, 2, 3)") == 3)
    #expect(log.lines.count == values.count)
  }

  @Test("Functions are deterministic enough for an index, and available in every connection")
  func functionsInIndexes() throws {
    let folder = try TemporaryFolder()
    let double = ScalarFunction(name: "double", argumentCount: 1) { arguments in
      guard case .integer(let integer)? = arguments.first else { return .null }
      return .integer(integer * 2)
    }
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(location: .file(folder.file()), functions: [double]))
    try database.execute("CREATE TABLE t (a); CREATE INDEX i ON t (double(a)); INSERT INTO t VALUES (21)")
    #expect(try database.integer("SELECT a FROM t WHERE double(a) = 42") == 21)
    #expect(try database.withoutTransaction { try $0.integer("SELECT double(a) FROM t") } == 42)
  }
}

/// Lines from any thread.
private final class Log: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func append(_ line: String) { state.withLock { $0.append(line) } }
}
