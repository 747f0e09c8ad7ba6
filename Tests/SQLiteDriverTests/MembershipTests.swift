import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("Membership in lists of any length")
struct MembershipTests {
  private let x = Expression.column(table: "t", name: "x")

  @Test("No value is in an empty list")
  func valueEmptyList() {
    #expect(SQLiteDialect().render(.isIn(x, [])) == RenderedStatement(sql: "0", parameters: []))
  }

  @Test("A short list is written out")
  func shortListWritten() {
    let statement = SQLiteDialect().render(.isIn(x, [.integer(1), .text("b")]))
    #expect(statement == RenderedStatement(sql: #""t"."x" IN (?, ?)"#, parameters: [.integer(1), .text("b")]))
  }

  @Test("Null is in a list that holds it")
  func nullListHolds() {
    #expect(SQLiteDialect().render(.isIn(x, [.null])).sql == #""t"."x" IS NULL"#)
    let statement = SQLiteDialect().render(.binary(.and, .value(.integer(1)), .isIn(x, [.null, .integer(1)])))
    #expect(statement.sql == #"? AND ("t"."x" IN (?) OR "t"."x" IS NULL)"#)
  }

  @Test("A long list of keys is one parameter and uses an index")
  func longListKeys() throws {
    let statement = SQLiteDialect().render(.isIn(x, (0...200).map { .integer($0) }))
    #expect(statement.sql == #""t"."x" IN (SELECT value FROM json_each(?))"#)
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

  @Test("Each value is found in a list of any length, and no other", arguments: samples, [0, 300])
  func eachValueFound(values: [Value], padding: Int) throws {
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

  @Test("More blobs than a statement has parameters are written as several lists")
  func moreBlobsThan() throws {
    let blobs = (0..<40_000).map { Value.blob(Data("\($0)".utf8)) }
    let statement = SQLiteDialect().render(.unary(.not, .isIn(x, blobs)))
    #expect(statement.parameters == blobs)
    #expect(statement.sql.components(separatedBy: " IN (").count == 3)
    #expect(statement.sql.hasPrefix(#"NOT (("t"."x" IN (?"#))
  }

  @Test(
    "A prefix finds the texts that begin with it, byte for byte",
    arguments: ["", "a", "ab", "a\0", "é", "\u{10FFFF}", "a%", "a_", "A"])
  func prefixFindsTexts(prefix: String) throws {
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

  @Test("A prefix test is a range, and one condition to its neighbours")
  func prefixTestRange() {
    let statement = SQLiteDialect().render(.binary(.or, .isNull(x), .hasPrefix(x, .text("ab"))))
    #expect(statement.sql == #""t"."x" IS NULL OR ("t"."x" >= ? AND "t"."x" < ?)"#)
    #expect(statement.parameters == [.text("ab"), .text("ac")])
    #expect(SQLiteDialect().render(.hasPrefix(x, .text(""))).sql == #""t"."x" IS NOT NULL"#)
    #expect(SQLiteDialect().render(.hasPrefix(x, .null)).sql == "0")
  }
}
