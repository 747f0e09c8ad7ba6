import Relational
import SQLiteDriver
import Testing

@Suite("Failures of batched statements")
struct BatchFailureTests {
  private static let count = 5000
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase.inMemory()
    try database.execute(
      """
      CREATE TABLE t (_id INTEGER PRIMARY KEY, a INTEGER);
      INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
      SELECT i, 0 FROM n
      """)
  }

  private static func run(_ keys: ClosedRange<Int>, on connection: any Connection) throws {
    let batch = RowBatch(width: 1)
    for key in keys {
      batch.addRow(Int64(key))
      batch.bind(Int64(key), at: 1)
    }
    let sql = try #require(SQLiteDialect().update("t", columns: ["a"]))
    try connection.statement(sql).run(batch)
  }

  @Test("A refused batch writes nothing, and the next one succeeds")
  func refused() throws {
    try database.write { connection in
      try connection.execute("PRAGMA query_only = ON")
      #expect(throws: DatabaseError.self) { try Self.run(1...3, on: connection) }
      try connection.execute("PRAGMA query_only = OFF")
      try Self.run(1...3, on: connection)
    }
    #expect(try database.integer("SELECT sum(a) FROM t") == 6)
  }

  @Test("A write inside a cancelled task's read loop is not interrupted")
  func cancelled() async throws {
    let database = database
    let task = Task.detached {
      withUnsafeCurrentTask { $0?.cancel() }
      return try database.readStatement(preferring: nil) { connection in
        connection.isCancellable = true
        defer { connection.isCancellable = false }
        try database.write { try Self.run(1...Self.count, on: $0) }
        #expect(connection.isCancellable)
      }
    }
    try await task.value
    #expect(try database.integer("SELECT count(*) FROM t WHERE a = _id") == Int64(Self.count))
  }
}
