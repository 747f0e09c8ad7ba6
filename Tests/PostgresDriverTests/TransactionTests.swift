import Foundation
import PostgresDriver
import Relational
import Support
import Testing

@Suite("Transactions and the lock of writers", .needsServer)
struct TransactionTests {
  private let schema: TestSchema
  private var database: PostgresDatabase { schema.database }

  struct Refusal: Error {}

  init() throws {
    schema = try TestSchema { $0.busyTimeout = 0.3 }
    try database.execute(
      "CREATE TABLE t (_id bigint PRIMARY KEY, parent bigint REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
  }

  private func insert(_ key: Int64, _ connection: any Connection) throws {
    try connection.run("INSERT INTO t VALUES ($1)", [.integer(key)])
  }

  private func keys() throws -> [Value] {
    try database.rows("SELECT _id FROM t ORDER BY _id").map { $0[0] }
  }

  @Test("An error of the caller rolls back")
  func rollback() throws {
    #expect(throws: Refusal.self) {
      try database.write { connection in
        try insert(1, connection)
        throw Refusal()
      }
    }
    #expect(try keys() == [])
  }

  @Test(
    "A write inside a write is rolled back on its own, also after an error of the database", arguments: [true, false])
  func savepoints(sends: Bool) throws {
    try database.write { connection in
      try insert(1, connection)
      #expect(throws: Refusal.self) {
        try database.write { connection in
          try insert(2, connection)
          throw Refusal()
        }
      }
      let error = #expect(throws: DatabaseError.self) {
        try database.write { connection in
          try insert(3, connection)
          let statement = try connection.statement("INSERT INTO t VALUES (1)")
          if sends { try statement.send() } else { _ = try statement.step() }
        }
      }
      #expect(error?.reason == .uniqueViolation)
      try database.write { try insert(4, $0) }
      #expect(try database.rows("SELECT count(*) FROM t") == [[.integer(2)]])
    }
    #expect(try keys() == [.integer(1), .integer(4)])
  }

  @Test("A dangling reference fails at the commit")
  func danglingReference() throws {
    let error = #expect(throws: DatabaseError.self) {
      try database.write { try $0.run("INSERT INTO t VALUES (1, 2)") }
    }
    #expect(error?.reason == .foreignKeyViolation)
    #expect(try keys() == [])
    try database.write { try insert(5, $0) }
    #expect(try keys() == [.integer(5)])
  }

  @Test("A read sees one state, and cannot write")
  func reading() throws {
    try database.read { connection in
      #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
      try database.write { try insert(1, $0) }
      #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
    }
    let error = #expect(throws: DatabaseError.self) { try database.read { try insert(2, $0) } }
    #expect(error?.reason == .readOnly)
  }

  @Test("Writers of two databases take turns, and one that waits too long is refused")
  func twoDatabases() throws {
    let other = try schema.reopened()
    try database.write { connection in
      try insert(1, connection)
      let error = #expect(throws: DatabaseError.self) { try other.write { try insert(2, $0) } }
      #expect(error?.reason == .busy)
    }
    try other.write { try insert(2, $0) }
    #expect(try keys() == [.integer(1), .integer(2)])
    try other.close()
  }

  @Test("Writers of one database wait for each other in the process")
  func twoThreads() async throws {
    let database = database
    let error = await withCheckedContinuation { continuation in
      do {
        try database.write { connection in
          try insert(1, connection)
          let group = DispatchGroup()
          let result = Mutex<DatabaseError?>(nil)
          DispatchQueue.global().async(group: group) {
            do {
              try database.write { _ in }
            } catch {
              result.withLock { $0 = error as? DatabaseError }
            }
          }
          group.wait()
          continuation.resume(returning: result.withLock { $0 })
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(error?.reason == .busy)
  }

  @Test("The generation of writes changes when another connection has written, or own writes were undone")
  func generations() throws {
    let other = try schema.reopened()
    func generation() throws -> UInt64 { try database.write { $0.writeGeneration } }
    try database.write { try insert(1, $0) }
    let first = try generation()
    #expect(try generation() == first)
    try database.holdingLock { _ in }
    #expect(try generation() == first)
    try other.write { try insert(2, $0) }
    let second = try generation()
    #expect(second != first)
    #expect(try generation() == second)
    try? database.write { _ in throw Refusal() }
    #expect(try generation() != second)
    try other.close()
  }

  @Test("The lock is taken over by the first write, kept by one that fails, and can be taken again")
  func holdingLock() throws {
    let other = try schema.reopened()
    try database.holdingLock { connection in
      #expect(connection.holdsLock)
      #expect(throws: Refusal.self) {
        try database.write { connection in
          try insert(1, connection)
          throw Refusal()
        }
      }
      #expect(connection.holdsLock)
      #expect(throws: DatabaseError.self) { try database.write { try $0.run("SELECT nothing") } }
      #expect(connection.holdsLock)
      #expect(throws: DatabaseError.self) { try other.write { _ in } }
      try database.write { try insert(2, $0) }
      #expect(!connection.holdsLock)
      try other.write { try insert(3, $0) }
      try connection.takeLock()
      #expect(throws: DatabaseError.self) { try other.write { _ in } }
      connection.giveLockBack()
      try other.write { try insert(4, $0) }
    }
    #expect(try keys() == [.integer(2), .integer(3), .integer(4)])
    try other.close()
  }

  @Test("A new store has no table to lock, and its creators take turns")
  func newStore() async throws {
    let schema = try TestSchema(createsLock: false)
    let databases = try (0..<4).map { _ in try schema.reopened() }
    await withTaskGroup(of: Void.self) { group in
      for database in databases {
        group.addTask {
          do {
            try database.write { connection in
              if try connection.tableNames().isEmpty {
                try connection.execute("CREATE TABLE swiftdata_sequences (name text PRIMARY KEY, last bigint)")
                try connection.execute("CREATE TABLE made (n bigint); INSERT INTO made VALUES (1)")
              }
            }
            for _ in 0..<10 { try database.write { try $0.run("UPDATE made SET n = n + 1") } }
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    #expect(try schema.database.integer("SELECT n FROM made") == 41)
    #expect(try schema.database.integer("SELECT last FROM swiftdata_sequences") ?? 0 >= 40)
    for database in databases { try database.close() }
  }

  @Test("A lost row of the lock is made again")
  func lostRow() throws {
    try database.write { try insert(1, $0) }
    try database.write { try insert(2, $0) }
    try database.execute("DELETE FROM swiftdata_sequences")
    let error = #expect(throws: DatabaseError.self) { try database.write { try insert(3, $0) } }
    #expect(error?.reason == .conflict)
    try database.write { try insert(3, $0) }
    #expect(try keys().count == 3)
  }

  @Test("Foreign keys are dropped, and completed from definitions", arguments: [false, true])
  func foreignKeys(hasHostileNames: Bool) throws {
    let name = hasHostileNames ? "\"; DROP TABLE t; --" + String(repeating: "é", count: 100) : "child"
    var table = TableDefinition(
      name: name,
      columns: [
        .init(name: "_id", type: .integer, isNullable: false, isPrimaryKey: true),
        .init(
          name: "a", type: .integer, isNullable: true, references: .init(table: "t", column: "_id", onDelete: .cascade)),
        .init(
          name: "b", type: .integer, isNullable: true, references: .init(table: "t", column: "_id", onDelete: .restrict)
        ),
      ])
    func references() throws -> Int64? {
      try database.integer(
        """
        SELECT count(*) FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
        WHERE contype = 'f' AND nspname = current_schema()
        """)
    }
    try database.write { connection in
      for sql in database.dialect.createTable(table) { try connection.execute(sql) }
      try connection.finishTableChanges(of: [table])
    }
    // One is of another table.
    #expect(try references() == 3)
    try database.writeWithoutForeignKeys { connection in
      try connection.beginTableChanges(of: [table])
      #expect(try references() == 1)
      try connection.run("INSERT INTO t VALUES (7)")
      table.columns[1].references?.onDelete = .setNull
      table.columns[2].references = nil
      try connection.finishTableChanges(of: [table])
      try connection.finishTableChanges(of: [table])
    }
    #expect(try references() == 2)
    let quoted = PostgresDialect().quoted(name)
    try database.write { connection in
      try connection.run("INSERT INTO \(quoted) VALUES (1, 7, 99)")
      try connection.run("DELETE FROM t")
    }
    #expect(try database.rows("SELECT a, b FROM \(quoted)") == [[.null, .integer(99)]])
    #expect(
      try database.read { try $0.tables() }[PostgresDialect().shortened(name)]?.columns.map(\.name) == [
        "_id", "a", "b",
      ])
  }

  @Test("Tables, indexes and the version of the schema")
  func catalog() throws {
    #expect(try database.read { try $0.tableNames() } == ["t", "swiftdata_sequences"])
    #expect(try database.read { try $0.indexNames() } == [])
    let version = try database.read { try $0.schemaVersion() }
    try database.execute("CREATE INDEX parents ON t (parent)")
    #expect(try database.read { try $0.indexNames() } == ["parents"])
    #expect(try database.read { try $0.schemaVersion() } != version)
    try database.read { connection in
      let table = try connection.tables()["t"]
      #expect(table?.indexes == ["parents"])
      #expect(
        table?.columns == [
          .init(name: "_id", type: "bigint", isNullable: false),
          .init(name: "parent", type: "bigint", isNullable: true),
        ])
    }
  }

  @Test("Plans distinguish scans, searches and sorts")
  func plans() throws {
    try database.execute("INSERT INTO t SELECT i FROM generate_series(1, 10000) AS i; ANALYZE t")
    func steps(_ sql: String, _ parameters: [Value] = []) throws -> [QueryStep] {
      try database.read { try $0.steps(of: RenderedStatement(sql: sql, parameters: parameters)) }
    }
    let search = try steps("SELECT parent FROM t WHERE _id = $1", [.integer(5)])
    #expect(search.map(\.kind) == [.search])
    #expect(search.first?.index == "t_pkey")
    #expect(try steps("SELECT * FROM t WHERE parent = 5").map(\.kind) == [.scan])
    let sorted = try steps("SELECT * FROM t ORDER BY parent")
    #expect(sorted.map(\.kind) == [.sort, .scan])
    #expect(sorted.map(\.depth) == [0, 1])
  }

  @Test("A schema with a hostile name", arguments: ["a\"; DROP SCHEMA public; --", "it's", "Mixed Case", "$user, x"])
  func hostileSchema(name: String) throws {
    let schema = try TestSchema(name: name + " \(UInt32.random(in: 0...(.max)))")
    try schema.database.execute("CREATE TABLE x (y text)")
    #expect(try schema.database.read { try $0.tableNames() } == ["x", "swiftdata_sequences"])
    #expect(try schema.database.rows("SELECT current_schema()") == [[.text(schema.name)]])
  }
}
