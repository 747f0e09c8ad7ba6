import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("Rows written by one statement")
struct RowBatchTests {
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase.inMemory()
    try database.execute(
      """
      CREATE TABLE "a ""row"" b" (_id INTEGER PRIMARY KEY, "x ""y"" z", z UNIQUE);
      INSERT INTO "a ""row"" b" SELECT value, 'old', -value FROM (
        WITH RECURSIVE numbers(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 100)
        SELECT value FROM numbers)
      """)
  }

  private func statement(_ columns: [String] = ["x \"y\" z", "z"]) throws -> String {
    try #require(SQLiteDialect().update("a \"row\" b", columns: columns))
  }

  private func rows(_ condition: String = "1") throws -> [Value] {
    try database.read {
      try $0.rows("SELECT \"x \"\"y\"\" z\" FROM \"a \"\"row\"\" b\" WHERE \(condition) ORDER BY _id")
    }
  }

  private func batch(_ rows: [(key: Int64, x: Value, z: Value)]) -> RowBatch {
    let batch = RowBatch(width: 2)
    for row in rows {
      batch.addRow(row.key)
      batch.bind(row.x, at: 1)
      batch.bind(row.z, at: 2)
    }
    return batch
  }

  private func run(_ batch: RowBatch) throws {
    let sql = try statement()
    try database.write { connection in try connection.statement(sql).run(batch) }
  }

  @Test("A value is written with its bound type")
  func values() throws {
    let values: [Value] = [
      .null, .integer(0), .integer(.min), .integer(.max), .real(0), .real(.infinity), .real(-.infinity),
      .real(.leastNonzeroMagnitude), .real(.greatestFiniteMagnitude), .real(0.1), .text(""), .text("a\0b"),
      .text("👩‍👩‍👧‍👦 é e\u{301}"), .text(String(repeating: "x", count: 1_000_000)), .blob(Data()),
      .blob(Data([0, 1, 255])), .text("last"),
    ]
    let bound = values.enumerated().map { offset, value -> (key: Int64, x: Value, z: Value) in
      (key: Int64(offset + 1), x: value, z: .integer(Int64(offset + 1)))
    }
    try run(batch(bound))
    #expect(try rows("_id <= \(values.count)") == values)
    #expect(try rows("_id > \(values.count)").allSatisfy { $0 == .text("old") })
    #expect(try database.integer("SELECT sum(z) FROM \"a \"\"row\"\" b\" WHERE _id <= \(values.count)") == 17 * 18 / 2)
  }

  @Test("An unbound value is null, also in a reused batch")
  func unbound() throws {
    let batch = batch([(1, .text("new"), .integer(1)), (2, .text("new"), .integer(2))])
    batch.removeAll()
    batch.addRow(3)
    batch.addRow(4)
    batch.bind(Int64(4), at: 1)
    try run(batch)
    #expect(try rows("_id <= 4") == [.text("old"), .text("old"), .null, .integer(4)])
  }

  @Test("Rows missing from the batch stay unchanged")
  func gaps() throws {
    let bound = stride(from: Int64(5), through: 100, by: 5).map { key -> (key: Int64, x: Value, z: Value) in
      (key: key, x: .integer(key), z: .null)
    }
    try run(batch(bound))
    #expect(try rows() == (1...100).map { key -> Value in key % 5 == 0 ? .integer(key) : .text("old") })
  }

  @Test("Missing rows are an error, which undoes the transaction")
  func missing() throws {
    try database.execute("DELETE FROM \"a \"\"row\"\" b\" WHERE _id IN (10, 20)")
    let bound = (5...25).map { key -> (key: Int64, x: Value, z: Value) in (key: key, x: .text("new"), z: .null) }
    let error = #expect(throws: DatabaseError.self) { try run(batch(bound)) }
    #expect(error?.reason == .missingRows)
    #expect(try rows("z IS NULL").isEmpty)
  }

  @Test(
    "When a row cannot be written the transaction leaves no change, and the batch can be reused")
  func violation() throws {
    let batch = batch([(1, .text("new"), .integer(1)), (3, .text("new"), .integer(-50)), (4, .text("new"), .null)])
    let sql = try statement()
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in try connection.statement(sql).run(batch) }
    }
    #expect(error?.reason == .uniqueViolation)
    #expect(try database.integer("SELECT count(*) FROM \"a \"\"row\"\" b\" WHERE z > 0 OR z IS NULL") == 0)
    try database.write { connection in
      let statement = try connection.statement(sql)
      batch.removeAll()
      try statement.run(batch)
      batch.addRow(3)
      try statement.run(batch)
    }
    #expect(try rows("_id < 5") == [.text("old"), .text("old"), .null, .text("old")])
  }

  @Test("Keys may be in any order and any distance")
  func farApart() throws {
    let keys = [Int64.max, 77, 1, 50]
    try database.execute("INSERT INTO \"a \"\"row\"\" b\" VALUES (\(Int64.max), 'old', 0)")
    try run(batch(keys.map { key -> (key: Int64, x: Value, z: Value) in (key, .integer(key), .null) }))
    #expect(try rows("z IS NULL") == [.integer(1), .integer(50), .integer(77), .integer(.max)])
  }

  @Test("A batch has at most 64 columns; wider rows are written otherwise")
  func width() throws {
    #expect(SQLiteDialect().update("t", columns: (0..<65).map { "c\($0)" }) == nil)
    let columns = (0..<64).map { "c\($0)" }
    let sql = try #require(SQLiteDialect().update("wide", columns: columns))
    try database.execute("CREATE TABLE wide (_id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
    try database.execute("INSERT INTO wide (_id) VALUES (1), (2)")
    let batch = RowBatch(width: 64)
    for key in 1...2 {
      batch.addRow(Int64(key))
      for column in 1...64 { batch.bind(Int64(100 * key + column), at: Int32(column)) }
    }
    try database.write { try $0.statement(sql).run(batch) }
    let stored = try database.read { try $0.rows("SELECT c0, c63 FROM wide WHERE _id = 2") }
    #expect(stored == [.integer(201)])
    #expect(try database.integer("SELECT c63 FROM wide WHERE _id = 2") == 264)
  }

  @Test("A table with references, an index and a trigger is updated as well")
  func surroundings() throws {
    try database.execute(
      """
      CREATE TABLE target (_id INTEGER PRIMARY KEY);
      INSERT INTO target SELECT _id FROM "a ""row"" b";
      CREATE TABLE source (
        _id INTEGER PRIMARY KEY, target INTEGER REFERENCES target DEFERRABLE INITIALLY DEFERRED, name TEXT);
      INSERT INTO source SELECT _id, NULL, 'old' FROM "a ""row"" b";
      CREATE INDEX names ON source (name);
      CREATE TABLE log (_id, name);
      CREATE TRIGGER noting AFTER UPDATE ON source BEGIN INSERT INTO log VALUES (new._id, new.name); END
      """)
    let batch = RowBatch(width: 2)
    for key in 1...100 where key % 3 > 0 {
      batch.addRow(Int64(key))
      batch.bind(Int64(101 - key), at: 1)
      batch.bind("name \(key)", at: 2)
    }
    let sql = try #require(SQLiteDialect().update("source", columns: ["target", "name"]))
    try database.write { try $0.statement(sql).run(batch) }
    let count = "SELECT count(*) FROM source WHERE target = 101 - _id AND name = 'name ' || _id AND _id % 3 > 0"
    #expect(try database.integer(count) == 67)
    #expect(try database.integer("SELECT count(*) FROM source WHERE target IS NULL AND name = 'old'") == 33)
    #expect(try database.integer("SELECT count(*) FROM log WHERE name = 'name ' || _id") == 67)
  }

  @Test(
    "Rows are found by their keys, even if the table was small when it was analyzed",
    arguments: [0, 2, 5, 500])
  func analyzed(count: Int) throws {
    try database.execute("CREATE TABLE grown (_id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER)")
    for key in 0..<count { try database.execute("INSERT INTO grown VALUES (\(key), 'name \(key)', 0)") }
    try database.execute("ANALYZE")
    let sql = try #require(SQLiteDialect().update("grown", columns: ["name", "size"]))
    var steps: [String] = []
    try database.write { connection in
      try connection.forEachRow("EXPLAIN QUERY PLAN \(sql)", []) { steps.append($0.text(3)) }
    }
    #expect(steps.count == 2)
    #expect(steps.first?.hasPrefix("SCAN swiftdata_batch") == true)
    #expect(steps.last?.hasPrefix("SEARCH grown USING INTEGER PRIMARY KEY") == true)
  }

  @Test("Only an update sees a batch, and a view in the file cannot read it")
  func outside() throws {
    #expect(try database.integer("SELECT count(*) FROM swiftdata_batch(0)") == 0)
    try database.execute("CREATE VIEW foreign_view AS SELECT count(*) FROM swiftdata_batch(0)")
    #expect(throws: DatabaseError.self) { try database.integer("SELECT * FROM foreign_view") }
  }
}

extension SQLiteDialect {
  /// The statement for batches of columns of any type.
  func update(_ table: String, columns: [String]) -> String? {
    update(
      table, setting: columns.map { TableDefinition.Column(name: $0, type: .integer, isNullable: true) },
      ofRowsWith: "_id")
  }
}
