package import Relational

/// An SQLite database: a file, or memory that lives as long as the object.
///
/// A file has a write-ahead log: reads run concurrently with each other and with the one write. Several objects, in one process
/// or in many, may have the same file open; their writes wait for each other. A database in memory has one connection, and its
/// reads and writes run one at a time.
///
/// All calls block. A call inside another one on the same thread joins it: a read inside a write sees what was written so far,
/// and a write inside a write is rolled back on its own if it throws.
package final class SQLiteDatabase: Database {
  private let pool: ConnectionPool
  private let isReadOnly: Bool
  private let isInMemory: Bool

  package let dialect: any Dialect

  /// Opens a database, and creates it where the file does not exist or is empty.
  ///
  /// - Throws: `DatabaseError`. A file that is not a sound database is not changed.
  package init(configuration: SQLiteConfiguration) throws {
    pool = try ConnectionPool.open(configuration)
    isReadOnly = configuration.isReadOnly
    isInMemory = configuration.location == .memory
    let observer = configuration.statementObserver
    dialect = SQLiteDialect(bindsValues: observer?.ended != nil && observer?.includesValues == true)
  }

  package func read<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try pool.withReader(preferring: nil) { connection in
      // No other call can change a database in memory while this one has its only connection.
      if isInMemory || connection.isInTransaction { return try body(connection) }
      return try connection.inTransaction(.deferred) { try body(connection) }
    }
  }

  package func readStatement<Result>(
    preferring connection: Int?, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    try pool.withReader(preferring: connection) { try body($0) }
  }

  package func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    guard !isReadOnly else {
      throw DatabaseError(reason: .readOnly, message: "the database was opened for reading only")
    }
    return try pool.withWriter { connection in
      try connection.inTransaction(.immediate) { try body(connection) }
    }
  }

  package func holdingLock<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    guard !isReadOnly else {
      throw DatabaseError(reason: .readOnly, message: "the database was opened for reading only")
    }
    return try pool.withWriter { connection in
      try connection.holdingLock { try body(connection) }
    }
  }

  package func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    // SQLite ignores this pragma inside a transaction.
    try pool.withWriter { connection in
      try connection.execute("PRAGMA foreign_keys = OFF")
      defer { try? connection.execute("PRAGMA foreign_keys = ON") }
      return try write(body)
    }
  }

  package func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws {
    guard !isReadOnly else {
      throw DatabaseError(reason: .readOnly, message: "the database was opened for reading only")
    }
    try pool.withWriter { connection in
      try connection.revise(inCopyAt: path, body)
    }
  }

  package func withoutTransaction<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try pool.withWriter(body)
  }

  package func hasOnlyCurrentReaders() -> Bool {
    if isInMemory { return true }
    // A checkpoint stops at the oldest state that a reader sees.
    var isWhole = false
    try? pool.withWriter(waiting: 0) { connection in
      if connection.isInTransaction { return }
      // The caller acts on the answer by the path, where another file may be by now.
      try connection.checkLocation()
      try connection.forEachRow("PRAGMA wal_checkpoint(PASSIVE)") { row in
        isWhole = row.integer(0) == 0 && row.integer(1) == row.integer(2)
      }
    }
    return isWhole
  }

  /// Waits for running calls and closes all connections, or waits until another thread has closed them.
  package func close() throws {
    try pool.close()
  }
}
