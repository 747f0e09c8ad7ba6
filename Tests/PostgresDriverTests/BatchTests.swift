import Foundation
import PostgresDriver
import Relational
import Testing

@Suite("Batches in PostgreSQL", .needsServer)
struct BatchTests {
  private let schema: TestSchema
  private var database: PostgresDatabase { schema.database }

  init() throws {
    schema = try TestSchema()
    try database.execute(
      """
      CREATE TABLE t (_id bigint PRIMARY KEY, name text, number bigint UNIQUE);
      INSERT INTO t SELECT i, 'old', -i FROM generate_series(1, 100) AS i
      """)
  }

  private func batch(_ rows: [(key: Int64, name: Value, number: Value)]) -> RowBatch {
    let batch = RowBatch(width: 2)
    for row in rows {
      batch.addRow(row.key)
      batch.bind(row.name, at: 1)
      batch.bind(row.number, at: 2)
    }
    return batch
  }

  private let update = """
    UPDATE t SET name = batch.name, number = batch.number
    FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS batch(key, name, number) WHERE t._id = batch.key
    """

  @Test("Texts of different lengths and nulls are written")
  func jagged() throws {
    let texts: [Value] = ["", "a", "\0", String(repeating: "é", count: 100_000), "last"].map(Value.text) + [.null]
    let rows = texts.enumerated().map {
      (key: Int64($0 + 1), name: $1, number: $0 % 2 == 0 ? Value.null : .integer(Int64($0)))
    }
    try database.write { try $0.statement(update).run(batch(rows)) }
    #expect(
      try database.rows("SELECT name, number FROM t WHERE _id <= 6 ORDER BY _id") == rows.map { [$0.name, $0.number] })
    #expect(try database.integer("SELECT count(*) FROM t WHERE name = 'old'") == 94)
  }

  @Test("A batch of many rows is inserted by one statement")
  func insertion() throws {
    let rows = (1000..<2024).map { (key: Int64($0), name: Value.text("row \($0)"), number: Value.integer(Int64($0))) }
    try database.write { connection in
      let sql = "INSERT INTO t SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])"
      try connection.statement(sql).run(batch(rows))
    }
    #expect(try database.integer("SELECT count(*) FROM t WHERE _id >= 1000 AND name = 'row ' || number") == 1024)
  }

  @Test("Missing rows are an error at the latest at the commit, and nothing is written", arguments: [true, false])
  func missing(waits: Bool) throws {
    let rows = (99...101).map { (key: Int64($0), name: Value.text("new"), number: Value.null) }
    let sql = update
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        try connection.statement(sql).run(batch(rows))
        if waits { try connection.run("SELECT 1") }
      }
    }
    #expect(error?.reason == .missingRows)
    #expect(error?.sql == sql)
    #expect(try database.integer("SELECT count(*) FROM t WHERE name = 'new'") == 0)
  }

  @Test("Missing rows are an error of a statement that returns rows, and outside of a transaction")
  func missingOtherwise() throws {
    let rows = (99...101).map { (key: Int64($0), name: Value.text("new"), number: Value.null) }
    let sql = update
    for other in [sql, sql + " RETURNING t._id"] {
      let error = #expect(throws: DatabaseError.self) {
        try database.withoutTransaction { try $0.statement(other).run(batch(rows)) }
      }
      #expect(error?.reason == .missingRows)
    }
    let error = #expect(throws: DatabaseError.self) {
      try database.write { try $0.statement(sql + " RETURNING t._id").run(batch(rows)) }
    }
    #expect(error?.reason == .missingRows)
  }

  @Test("A violated constraint is an error with the statement's own SQL")
  func violation() throws {
    let rows = (1...3).map { (key: Int64($0), name: Value.text("new"), number: Value.integer(5)) }
    let sql = update
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        try connection.statement(sql).run(batch(rows))
        try connection.statement("UPDATE t SET name = 'later'").send()
      }
    }
    #expect(error?.reason == .uniqueViolation)
    #expect(error?.sql == sql)
    #expect(try database.integer("SELECT count(*) FROM t WHERE name = 'old'") == 100)
  }

  @Test("An empty batch does nothing")
  func empty() throws {
    try database.write { try $0.statement(update).run(RowBatch(width: 2)) }
  }
}
