import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("Reads in a cancelled task")
struct CancelledReadTests {
  /// - Parameter first: The SQL expression from which SQLite counts.
  private static func count(
    _ limit: Int, from first: String = "1", _ database: SQLiteDatabase, isCancellable: Bool
  ) throws -> Int64? {
    try database.readStatement(preferring: nil) { connection in
      connection.isCancellable = isCancellable
      defer { connection.isCancellable = false }
      return try connection.integer(
        """
        WITH RECURSIVE n(i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM n WHERE i < \(limit))
        SELECT count(*) FROM n
        """)
    }
  }

  @Test("A running statement is interrupted, and its connection can be used again", arguments: [true, false])
  func interrupting(inMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    let isRunning = DispatchSemaphore(value: 0)
    let start = ScalarFunction(name: "start", argumentCount: 0) { _ in
      isRunning.signal()
      return .integer(1)
    }
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(location: inMemory ? .memory : .file(folder.file()), functions: [start]))
    let task = Task.detached {
      // Hours, if it is not interrupted.
      try Self.count(1_000_000_000_000, from: "start()", database, isCancellable: true)
    }
    // From a thread of its own, because running statements may block all threads of tasks.
    Thread.detachNewThread {
      isRunning.wait()
      task.cancel()
    }
    let error = await #expect(throws: DatabaseError.self) { try await task.value }
    #expect(error?.reason == .interrupted)
    #expect(try Self.count(1000, database, isCancellable: true) == 1000)
  }

  @Test("A statement that is not cancellable completes, and so does a write", arguments: [true, false])
  func notInterrupting(inMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    let database = try inMemory ? SQLiteDatabase.inMemory() : folder.database()
    let task = Task.detached {
      withUnsafeCurrentTask { $0?.cancel() }
      #expect(try Self.count(200_000, database, isCancellable: false) == 200_000)
      #expect(throws: DatabaseError.self) { try Self.count(200_000, database, isCancellable: true) }
      try database.write { connection in
        try connection.execute("CREATE TABLE t (a INTEGER)")
        try connection.execute(
          """
          INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
          SELECT i FROM n
          """)
      }
    }
    try await task.value
    #expect(try database.integer("SELECT count(*) FROM t") == 100_000)
  }
}
