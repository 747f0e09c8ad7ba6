import CSQLite
import Foundation

/// A connection without SQLite's own mutex, set up as the library sets up its connections.
final class Connection {
  let handle: OpaquePointer

  init(_ file: URL, isDurable: Bool = false) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(file.path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteFailure(opened, doing: "opening \(file.path)")
    }
    handle = opened
    try execute("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 30000")
    try execute("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw SQLiteFailure(handle, doing: sql)
    }
  }

  /// Prepares a statement for the lifetime of the connection.
  func prepare(_ sql: String) throws -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw SQLiteFailure(handle, doing: sql)
    }
    return Statement(prepared, of: self)
  }
}
