import CSQLite

struct SQLiteFailure: Error, CustomStringConvertible {
  let description: String

  init(_ message: String) {
    description = message
  }

  init(_ database: OpaquePointer?, doing task: String) {
    let message = database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    description = "SQLite: \(message) (\(task))"
  }
}
