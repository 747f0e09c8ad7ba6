package import Relational

/// A PostgreSQL database, or more exactly one schema of it.
///
/// Several objects, in one process or in many, may use the same schema; their writes wait for each other.
///
/// All calls block. A call inside another one on the same thread joins it: a read inside a write sees what was written so far,
/// and a write inside a write is rolled back on its own if it throws.
package final class PostgresDatabase: Database {
  private let shared: SharedState
  private let pool: PostgresPool
  let notices: NoticeThread

  package let dialect: any Dialect

  /// Connects to a database, and creates the schema where it does not exist.
  package init(configuration: PostgresConfiguration) throws {
    shared = SharedState(configuration)
    pool = PostgresPool(shared)
    notices = NoticeThread(configuration)
    dialect = PostgresDialect()
    // Opens the first connection, so that a wrong address is found now.
    try pool.withReader { _ in }
  }

  deinit {
    notices.stop()
  }

  package func read<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try pool.withReader { connection in
      if connection.isInTransaction { return try body(connection) }
      return try connection.inTransaction(.reading) { try body(connection) }
    }
  }

  package func readStatement<Result>(
    preferring connection: Int?, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    try pool.withReader(preferring: connection) { try body($0) }
  }

  package func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try checkWritable()
    return try pool.withWriter { connection in
      try connection.inTransaction(.writing) { try body(connection) }
    }
  }

  package func holdingLock<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try checkWritable()
    return try pool.withWriter { connection in
      try connection.holdingLock { try body(connection) }
    }
  }

  package func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    // `beginTableChanges` drops them where tables change.
    try write(body)
  }

  package func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws {
    try checkWritable()
    try pool.withWriter { connection in
      try connection.holdingLock {
        try connection.makeWorkingCopy(at: path())
        try body(SchemaReplacement(connection))
      }
    }
  }

  package func withoutTransaction<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try pool.withWriter { try body($0) }
  }

  package func hasOnlyCurrentReaders() -> Bool { true }

  /// Waits for running calls and closes the connections that they used, or waits until another thread has closed them. The
  /// connection of the notices is closed soon.
  package func close() throws {
    try pool.close()
    notices.stop()
  }

  private func checkWritable() throws {
    guard !shared.configuration.isReadOnly else {
      throw DatabaseError(reason: .readOnly, message: "the database was opened for reading only")
    }
  }

  var schema: String { shared.configuration.schema }
}
