import CSQLite

/// A prepared statement. Its users bind to and read from its handle.
final class Statement {
  let handle: OpaquePointer
  private let connection: Connection

  init(_ handle: OpaquePointer, of connection: Connection) {
    self.handle = handle
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Runs a statement without rows.
  @inline(__always)
  func run() throws {
    let code = sqlite3_step(handle)
    sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw failure() }
  }

  /// Runs a statement and calls `body` with the handle for each row.
  @inline(__always)
  func forEachRow(_ body: (OpaquePointer) throws -> Void) throws {
    defer { sqlite3_reset(handle) }
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW {
      try body(handle)
      code = sqlite3_step(handle)
    }
    guard code == SQLITE_DONE else { throw failure() }
  }

  func failure() -> SQLiteFailure {
    SQLiteFailure(connection.handle, doing: String(cString: sqlite3_sql(handle)))
  }
}
