import Foundation
import PostgresDriver
import Relational
import Support
import Testing

@Suite("Pipelined statements", .needsServer)
struct PipelineTests {
  private let schema: TestSchema
  private var database: PostgresDatabase { schema.database }

  init() throws {
    schema = try TestSchema()
    try database.execute("CREATE TABLE t (_id bigint PRIMARY KEY, name text)")
  }

  /// The round trips of a transaction, with its commit.
  private func roundTrips(_ body: (any Connection) throws -> Void) throws -> Int {
    try database.withoutTransaction { connection in
      let before = connection.roundTrips
      try database.write(body)
      return connection.roundTrips - before
    }
  }

  private func insertMany(_ connection: any Connection, _ keys: Range<Int>) throws {
    let statement = try connection.statement("INSERT INTO t VALUES ($1, $2)")
    for key in keys {
      statement.bind(Int64(key), at: 1)
      statement.bind("row \(key)", at: 2)
      try statement.send()
    }
  }

  @Test("A transaction of sent statements takes one round trip")
  func oneRoundTrip() throws {
    _ = try roundTrips { try insertMany($0, 0..<1) }
    #expect(try roundTrips { try insertMany($0, 1..<1000) } == 1)
    #expect(try database.integer("SELECT count(*) FROM t") == 1000)
  }

  @Test("The lock and sent statements travel with the first statement that waits")
  func twoRoundTrips() throws {
    _ = try roundTrips { try insertMany($0, 0..<1) }
    _ = try database.integer("SELECT count(*) FROM t WHERE _id > $1", [.integer(0)])
    let count = try roundTrips { connection in
      try insertMany(connection, 1..<100)
      try connection.forEachRow("SELECT count(*) FROM t WHERE _id > $1", [.integer(0)]) { #expect($0.integer(0) == 99) }
    }
    #expect(count == 2)
  }

  @Test("A read transaction takes a round trip for each statement")
  func reading() throws {
    for _ in 0..<3 {
      try database.read { connection in
        let before = connection.roundTrips
        try connection.forEachRow("SELECT 1") { _ in }
        try connection.forEachRow("SELECT 2") { _ in }
        #expect(connection.roundTrips - before == 2)
      }
    }
  }

  @Test("Started statements share a round trip, and are read in any order")
  func started() throws {
    try database.readStatement(preferring: nil) { connection in
      for sql in ["SELECT $1::bigint", "SELECT 2 * $1::bigint"] { try connection.run(sql, [.integer(0)]) }
      let before = connection.roundTrips
      let first = try connection.statement("SELECT $1::bigint")
      first.bind(Int64(21), at: 1)
      try first.start()
      let second = try connection.statement("SELECT 2 * $1::bigint")
      second.bind(Int64(21), at: 1)
      try second.start()
      #expect(try second.step())
      #expect(second.integer(0) == 42)
      #expect(try first.step())
      #expect(first.integer(0) == 21)
      #expect(connection.roundTrips - before == 1)
    }
  }

  @Test("A started statement that fails does not affect others")
  func startedFailure() throws {
    try database.readStatement(preferring: nil) { connection in
      let first = try connection.statement("SELECT 1 / (random() * 0)::int")
      try first.start()
      let second = try connection.statement("SELECT 7")
      #expect(try second.step())
      let error = #expect(throws: DatabaseError.self) { try first.step() }
      #expect(error?.reason == .tooComplex)
      #expect(try connection.rows("SELECT 8") == [[.integer(8)]])
    }
  }

  @Test("Other statements run while rows are read, even the same one")
  func nested() throws {
    try database.write { try insertMany($0, 0..<10) }
    var pairs = 0
    try database.read { connection in
      try connection.forEachRow("SELECT _id FROM t ORDER BY _id") { outer in
        let key = outer.integer(0)
        try connection.forEachRow("SELECT _id FROM t ORDER BY _id") { inner in pairs += outer.integer(0) == key ? 1 : 0
        }
      }
    }
    #expect(pairs == 100)
  }

  @Test("The error of a sent statement is thrown by the next wait, with its own SQL", arguments: [true, false])
  func sentFailure(waits: Bool) throws {
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        try insertMany(connection, 0..<2)
        try insertMany(connection, 0..<2)
        if waits { try connection.run("SELECT 1") }
      }
    }
    #expect(error?.reason == .uniqueViolation)
    #expect(error?.sql == "INSERT INTO t VALUES ($1, $2)")
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("A caller that ignores an error does not commit")
  func ignoredFailure() throws {
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        try insertMany(connection, 0..<2)
        try? connection.run("INSERT INTO t VALUES (0, NULL)")
        try? connection.run("INSERT INTO t VALUES (9, NULL)")
      }
    }
    #expect(error?.reason == .uniqueViolation)
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("Large messages in both directions do not block each other")
  func fullBuffers() throws {
    let text = String(repeating: "x", count: 100_000)
    let length = try database.read { connection in
      var statements: [Statement] = []
      for index in 0..<200 {
        let statement = try connection.statement("SELECT $1::text || \(index)")
        statement.bind(text, at: 1)
        try statement.start()
        statements.append(statement)
      }
      return try statements.reduce(0) { sum, statement in
        let hasRow = try statement.step()
        #expect(hasRow)
        return sum + statement.text(0).utf8.count
      }
    }
    #expect(length == 200 * 100_000 + 10 + 180 + 300)
  }

  @Test("More statements than the cache holds")
  func eviction() throws {
    try database.readStatement(preferring: nil) { connection in
      for round in 0..<2 {
        for index in 0..<600 {
          #expect(
            try connection.rows("SELECT $1::bigint + \(index)", [.integer(Int64(round))]) == [
              [.integer(Int64(round + index))]
            ])
        }
      }
      var kept: Int64 = 0
      try connection.forEachRow("SELECT count(*) FROM pg_prepared_statements") { kept = $0.integer(0) }
      #expect(kept <= 257)
    }
  }

  @Test("A statement whose table was changed is prepared again")
  func changedTable() throws {
    let other = try schema.reopened()
    try database.write { try insertMany($0, 0..<1) }
    try database.readStatement(preferring: nil) { connection in
      #expect(try connection.rows("SELECT * FROM t WHERE _id = $1", [.integer(0)]) == [[.integer(0), .text("row 0")]])
      try other.execute("ALTER TABLE t ADD COLUMN extra bigint; ALTER TABLE t ALTER COLUMN _id TYPE integer")
      #expect(
        try connection.rows("SELECT * FROM t WHERE _id = $1", [.integer(0)]) == [[.integer(0), .text("row 0"), .null]])
    }
    try other.close()
  }

  @Test("A parameter is sent in the type that its column has now")
  func changedType() throws {
    try database.execute("CREATE TABLE u (x integer)")
    let sql = "INSERT INTO u VALUES ($1)"
    try database.write { connection in
      let statement = try connection.statement(sql)
      statement.bind(Int64(1), at: 1)
      _ = try statement.step()
      try connection.execute("ALTER TABLE u ALTER COLUMN x TYPE text")
      statement.bind("two", at: 1)
      try statement.send()
      try connection.run(sql, [.text("three")])
    }
    #expect(try database.rows("SELECT x FROM u") == [[.text("1")], [.text("two")], [.text("three")]])
  }

  @Test("Observers see each statement once, with values where they ask for them", arguments: [true, false])
  func observers(includesValues: Bool) throws {
    let reports = Reports()
    let schema = try TestSchema(name: nil, createsLock: false) { configuration in
      configuration.statementObserver = StatementObserver(
        ended: { report in reports.add(report) }, includesValues: includesValues)
    }
    _ = try schema.database.rows("SELECT $1::text, '$1', $2::bigint", [.text("it's"), .integer(5)])
    #expect(throws: DatabaseError.self) { try schema.database.rows("SELECT nothing") }
    let expected = includesValues ? "SELECT 'it''s'::text, '$1', 5::bigint" : "SELECT $1::text, '$1', $2::bigint"
    let found = reports.all.filter { $0.sql == expected }
    #expect(found.count == 1)
    #expect(found.first?.rowCount == 1)
    #expect(reports.all.filter { $0.error != nil }.map(\.sql) == ["SELECT nothing"])
  }
}

private final class Reports: Sendable {
  private let reports = Mutex<[StatementReport]>([])

  func add(_ report: StatementReport) { reports.withLock { $0.append(report) } }
  var all: [StatementReport] { reports.withLock { $0 } }
}
