import Relational
import SystemSQLite

extension SQLiteConnection {
  package func copy(to path: String) throws {
    let source = try openHandle()
    // SQLite would only report that the database is locked.
    if sqlite3_txn_state(source, nil) == SQLITE_TXN_WRITE { throw LockedFiles.refusal }
    // A transaction takes its state at its first read, and copying is not a read: the copy would have a later state.
    try run("SELECT 1 FROM sqlite_master LIMIT 1")
    var target: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &target, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE, nil)
    defer { sqlite3_close_v2(target) }
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: target) }
    guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
      throw DatabaseError(code: sqlite3_extended_errcode(target), connection: target)
    }
    // All pages at once: what other connections write meanwhile goes to the log and is not copied.
    let result = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    if result == SQLITE_DONE, end == SQLITE_OK { return }
    throw DatabaseError(code: end == SQLITE_OK ? result : end, connection: target)
  }
}
