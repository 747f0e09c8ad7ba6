import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("Membership in lists of any length")
struct MembershipTests {
  private let x = Expression.column(table: "t", name: "x")

  @Test("No value is in an empty list")
  func emptyList() {
    #expect(SQLiteDialect().render(.isIn(x, [])) == RenderedStatement(sql: "0", parameters: []))
  }

  @Test("A short list is written as separate parameters")
  func shortList() {
    let statement = SQLiteDialect().render(.isIn(x, [.integer(1), .text("b")]))
    #expect(statement == RenderedStatement(sql: #""t"."x" IN (?, ?)"#, parameters: [.integer(1), .text("b")]))
  }

  @Test("Null is in a list that contains it")
  func nullInList() {
    #expect(SQLiteDialect().render(.isIn(x, [.null])).sql == #""t"."x" IS NULL"#)
    let statement = SQLiteDialect().render(.binary(.and, .value(.integer(1)), .isIn(x, [.null, .integer(1)])))
    #expect(statement.sql == #"? AND ("t"."x" IN (?) OR "t"."x" IS NULL)"#)
  }

  @Test("A long list of keys is one parameter, and uses an index")
  func longList() throws {
    let statement = SQLiteDialect().render(.isIn(x, (0...200).map { .integer($0) }))
    #expect(statement.sql == #""t"."x" IN (SELECT value FROM swiftdata_list(?))"#)
    #expect(statement.parameters.count == 1)
    let database = try SQLiteDatabase.inMemory()
    try database.execute("CREATE TABLE t (x INTEGER); CREATE INDEX i ON t (x)")
    var plan = ""
    try database.read {
      try $0.forEachRow("EXPLAIN QUERY PLAN SELECT * FROM t WHERE \(statement.sql)", statement.parameters) {
        plan += $0.text(3) + "\n"
      }
    }
    #expect(plan.contains("SEARCH t USING COVERING INDEX i (x=?)"))
  }

  static let samples: [[Value]] = [
    [.integer(.min), .integer(.max), .integer(0), .integer(-1)],
    [.text(""), .text("\"\\/\u{8}\n\u{1F}\u{7F}"), .text("a\0b"), .text("é👍\u{10FFFF}"), .text("12")],
    [.real(0.1), .real(.infinity), .real(-.leastNonzeroMagnitude), .real(1e300)],
    [.blob(Data()), .blob(Data([0, 255])), .blob(Data("a".utf8))],
  ]

  @Test("Exactly the values of a list are found in it, whatever its length", arguments: samples, [0, 300])
  func anyLength(values: [Value], padding: Int) throws {
    let database = try SQLiteDatabase.inMemory()
    let all = Self.samples.flatMap { $0 }
    try database.write { connection in
      try connection.execute("CREATE TABLE t (x)")
      for value in all { try connection.run("INSERT INTO t VALUES (?)", [value]) }
    }
    let list = values + (0..<padding).map { .text("padding \($0)") }
    let statement = SQLiteDialect().render(.isIn(x, list))
    let found = try database.read { try $0.rows("SELECT x FROM t WHERE \(statement.sql)", statement.parameters) }
    #expect(Set(found) == Set(values))
    #expect(found.count == values.count)
  }

  @Test("A list of a hundred thousand values of all types is one parameter")
  func manyValues() throws {
    let list = (0..<25_000).flatMap { number -> [Value] in
      [.integer(number), .real(Double(number) + 0.5), .text("\(number)\0"), .blob(Data("\(number)".utf8))]
    }
    let statement = SQLiteDialect().render(.unary(.not, .isIn(x, list)))
    #expect(statement.sql == #"NOT ("t"."x" IN (SELECT value FROM swiftdata_list(?)))"#)
    #expect(statement.parameters.count == 1)
    let database = try SQLiteDatabase.inMemory()
    try database.write { connection in
      try connection.execute("CREATE TABLE t (x)")
      for value in list.prefix(400) + [.text("1"), .integer(-1)] {
        try connection.run("INSERT INTO t VALUES (?)", [value])
      }
    }
    let others = try database.read { try $0.rows("SELECT x FROM t WHERE \(statement.sql)", statement.parameters) }
    #expect(others == [.text("1"), .integer(-1)])
  }

  @Test("A value that is no list has no rows", arguments: [Value.null, .integer(1), .text("abc"), .blob(Data())])
  func noList(value: Value) throws {
    let database = try SQLiteDatabase.inMemory()
    let rows = try database.read { try $0.rows("SELECT value FROM swiftdata_list(?)", [value]) }
    #expect(rows.isEmpty)
  }

  @Test("A truncated list has the complete values before the cut")
  func truncatedLists() throws {
    let first: [Value] = [.integer(1), .text("text"), .real(0.5), .blob(Data([1, 2]))]
    let list = first + Array(repeating: .integer(2), count: 300)
    let statement = SQLiteDialect().render(.isIn(x, list))
    guard case .blob(let bytes)? = statement.parameters.first else {
      Issue.record("The list is no blob")
      return
    }
    let database = try SQLiteDatabase.inMemory()
    for count in 0..<60 {
      let rows = try database.read {
        try $0.rows("SELECT value FROM swiftdata_list(?)", [.blob(bytes.prefix(count))])
      }
      #expect(rows == Array(list.prefix(rows.count)))
      #expect(rows.count < 7)
    }
  }

  @Test("A list that differs for each row is decoded for each row")
  func listsOfRows() throws {
    let database = try SQLiteDatabase.inMemory()
    func bytes(_ numbers: Range<Int64>) -> Value? {
      SQLiteDialect().render(.isIn(x, numbers.map { .integer($0) })).parameters.first
    }
    let (first, second) = (try #require(bytes(0..<201)), try #require(bytes(500..<703)))
    let sums = try database.read {
      try $0.rows(
        """
        WITH lists (given) AS (VALUES (?), (NULL), (?))
        SELECT (SELECT sum(value) FROM swiftdata_list(given)) FROM lists
        """, [first, second])
    }
    #expect(sums == [.integer(20_100), .null, .integer((500..<703).reduce(0, +))])
  }

  @Test(
    "A prefix finds the texts that begin with it, byte by byte",
    arguments: ["", "a", "ab", "a\0", "é", "\u{10FFFF}", "a%", "a_", "A"])
  func prefix(prefix: String) throws {
    let texts = ["", "a", "ab", "abc", "a\0", "a\0b", "b", "é", "éa", "e\u{301}", "\u{10FFFF}z", "a%", "a_", "AB"]
    let database = try SQLiteDatabase.inMemory()
    try database.write { connection in
      try connection.execute("CREATE TABLE t (x TEXT)")
      try connection.run("INSERT INTO t VALUES (NULL)")
      for text in texts { try connection.run("INSERT INTO t VALUES (?)", [.text(text)]) }
    }
    let statement = SQLiteDialect().render(.hasPrefix(x, .text(prefix)))
    let found = try database.read { try $0.rows("SELECT x FROM t WHERE \(statement.sql)", statement.parameters) }
    #expect(found == texts.filter { Array($0.utf8).starts(with: prefix.utf8) }.map { .text($0) })
  }

  @Test("A prefix test is a range, and one operand in an expression")
  func prefixRange() {
    let statement = SQLiteDialect().render(.binary(.or, .isNull(x), .hasPrefix(x, .text("ab"))))
    #expect(statement.sql == #""t"."x" IS NULL OR ("t"."x" >= ? AND "t"."x" < ?)"#)
    #expect(statement.parameters == [.text("ab"), .text("ac")])
    #expect(SQLiteDialect().render(.hasPrefix(x, .text(""))).sql == #""t"."x" IS NOT NULL"#)
    #expect(SQLiteDialect().render(.hasPrefix(x, .null)).sql == "0")
  }
}
