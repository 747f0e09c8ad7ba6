import Relational
import SystemSQLite

extension SQLiteConnection {
  /// Copies the database, and puts what the copy has become in the place of what is here, in one transaction.
  ///
  /// - Parameter body: Changes the copy, while others can read here and not write.
  func revise(inCopyAt path: () throws -> String, _ body: () throws -> Void) throws {
    guard let place else {
      throw DatabaseError(reason: .other, message: "what is in memory has no file to be copied to")
    }
    let watch = try CommitWatch(path: place.path)
    let (state, path, copy) = try holdingLock {
      let state = try watch.state()
      let path = try path()
      try watch.copy(to: path)
      try body()
      return (state, path, try CommitWatch(path: path))
    }
    // The lock cannot be handed over, so somebody who waited for it may have been the first to get it.
    try replaceContents(with: copy) {
      let isUnchanged = try watch.state() == state
      return isUnchanged && FileState(path: path) != nil
    }
  }

  /// - Parameter isUnchanged: Asked when nobody else can write any more.
  private func replaceContents(with copy: CommitWatch, if isUnchanged: () throws -> Bool) throws {
    let (target, source) = (try openHandle(), try copy.handle)
    try checkPlace()
    guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
      throw DatabaseError(code: sqlite3_extended_errcode(target), connection: target)
    }
    // Whatever was given out or known of what this connection wrote is of another state afterwards.
    defer { noteUndone() }
    // The first page takes the lock. What is not finished is rolled back.
    var result = sqlite3_backup_step(backup, 1)
    if result == SQLITE_OK {
      do {
        guard try isUnchanged() else {
          throw DatabaseError(reason: .overtaken, message: "others wrote to the file at the last moment; open it again")
        }
      } catch {
        sqlite3_backup_finish(backup)
        throw error
      }
      result = sqlite3_backup_step(backup, -1)
    }
    let end = sqlite3_backup_finish(backup)
    if result == SQLITE_DONE, end == SQLITE_OK { return }
    throw DatabaseError(code: end == SQLITE_OK ? result : end, connection: target)
  }
}

/// A connection of its own that sees what is committed, whatever others are about to commit.
private final class CommitWatch {
  private let connection: SQLiteConnection

  var handle: OpaquePointer { get throws { try connection.openHandle() } }

  init(path: String) throws {
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw DatabaseError(code: code, connection: handle)
    }
    connection = SQLiteConnection(handle: handle, statementObserver: nil)
    try state()
  }

  deinit {
    sqlite3_close_v2(connection.invalidate())
  }

  /// A number that is another one after each commit.
  @discardableResult func state() throws -> UInt32? {
    try connection.inTransaction(.deferred) { try connection.run("SELECT 1 FROM sqlite_master LIMIT 1") }
    return connection.currentVersion
  }

  func copy(to path: String) throws {
    try connection.copy(to: path)
  }
}
