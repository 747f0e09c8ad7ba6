import Foundation
import Relational
import Testing

@testable import SQLiteDriver

@Suite("Aggregate functions written in Swift")
struct AggregateFunctionTests {
  /// Joins texts, and throws at the text "bad".
  private final class Joining: Accumulator {
    struct Refusal: Error, CustomStringConvertible {
      let description = "a bad text"
    }

    private var texts: [String] = []

    func add(_ value: Value) {
      if case .text(let text) = value { texts.append(text) }
    }

    func result() throws -> Value {
      if texts.contains("bad") { throw Refusal() }
      return .text(texts.joined(separator: "+"))
    }
  }

  private func makeDatabase() throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(
        location: .memory, aggregateFunctions: [AggregateFunction(name: "joined") { Joining() }]))
    try database.write { connection in
      try connection.execute("CREATE TABLE t (k INTEGER, v TEXT)")
      try connection.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (1, 'c'), (2, NULL), (3, NULL), (4, 'bad')")
    }
    return database
  }

  private func texts(_ sql: String) throws -> [String] {
    try makeDatabase().read { connection in
      var texts: [String] = []
      try connection.forEachRow(sql) { texts.append($0.text(0)) }
      return texts
    }
  }

  @Test("An aggregate keeps the values of each group separate")
  func groups() throws {
    #expect(try texts("SELECT joined(v) FROM t WHERE k < 4 GROUP BY k ORDER BY k") == ["a+c", "b", ""])
  }

  @Test("An aggregate has a result for no rows too")
  func noRows() throws {
    #expect(try texts("SELECT joined(v) FROM t WHERE k > 9") == [""])
    #expect(try texts("SELECT joined(v) FROM t WHERE k > 9 GROUP BY k") == [])
  }

  @Test("An aggregate with DISTINCT takes equal values once")
  func distinct() throws {
    #expect(try texts("SELECT joined(DISTINCT v) FROM (SELECT 'x' AS v UNION ALL SELECT 'x')") == ["x"])
  }

  @Test("An aggregate that throws makes the statement fail")
  func failure() throws {
    let error = try #require(throws: DatabaseError.self) { try texts("SELECT joined(v) FROM t GROUP BY k") }
    #expect(error.message.contains("a bad text"))
  }
}
