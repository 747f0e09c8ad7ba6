import Relational
import SystemSQLite

extension SQLiteConnection {
  /// Copies the database, and lets `body` put what the copy has become in the place of what is here.
  ///
  /// - Parameter body: Changes the copy, while others can read here and not write.
  func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws {
    guard let place else {
      throw DatabaseError(reason: .other, message: "what is in memory has no file to be copied to")
    }
    if isInTransaction { throw LockedFiles.refusal }
    let watch = try CommitWatch(path: place.path)
    // Whoever knows that it is committed may remove the copy, which a loss of power would not bring back.
    try setting("synchronous", to: 2) {
      // What the cache keeps until the commit is what a full disk can show only then.
      try setting("cache_size", to: 10) {
        try holdingLock {
          let state = try watch.state()
          try watch.copy(to: path())
          let revision = PageReplacement(self, watch, state)
          defer { revision.finish() }
          try body(revision)
        }
      }
    }
  }

  /// Runs `body` with another value of a setting of the connection.
  private func setting(_ name: String, to value: Int, _ body: () throws -> Void) throws {
    var previous: Int64?
    try forEachRow("PRAGMA \(name)") { previous = $0.integer(0) }
    try execute("PRAGMA \(name) = \(value)")
    defer { if let previous { try? execute("PRAGMA \(name) = \(previous)") } }
    try body()
  }
}

/// Writes the pages of a copy in the place of those of a database, by SQLite's backup.
///
/// A backup is one transaction of the database that it writes to. It begins with the first page and is committed with the
/// last one; one that is finished before is rolled back. Nobody may use the connection in between.
private final class PageReplacement: Revision {
  private let connection: SQLiteConnection
  private let watch: CommitWatch
  /// The state that was copied.
  private let state: UInt32?
  /// Nil before it begins, and once it is finished.
  private var backup: OpaquePointer?
  private var source: CommitWatch?

  init(_ connection: SQLiteConnection, _ watch: CommitWatch, _ state: UInt32?) {
    self.connection = connection
    self.watch = watch
    self.state = state
  }

  func write(contentsOf path: String) throws {
    let source = try CommitWatch(path: path)
    self.source = source
    // The lock cannot be handed over, so somebody who waited for it may be the first to get it.
    connection.giveLockBack()
    try connection.checkPlace()
    let (target, origin) = (try connection.openHandle(), try source.handle)
    guard let backup = sqlite3_backup_init(target, "main", origin, "main") else {
      throw DatabaseError(code: sqlite3_extended_errcode(target), connection: target)
    }
    self.backup = backup
    // The first page takes the lock. A store has more of them.
    try step(1, until: SQLITE_OK)
    guard try watch.state() == state, FileState(path: path) != nil else {
      throw DatabaseError(reason: .overtaken, message: "others wrote to the file at the last moment; open it again")
    }
    try step(max(0, sqlite3_backup_remaining(backup) - 1), until: SQLITE_OK)
  }

  func commit() throws {
    guard backup != nil else { throw DatabaseError(reason: .other, message: "nothing was written to be committed") }
    try step(-1, until: SQLITE_DONE)
    finish()
  }

  private func step(_ pageCount: Int32, until end: Int32) throws {
    let result = sqlite3_backup_step(backup, pageCount)
    if result == end { return }
    // Only now the connection may be asked why.
    let code = finish()
    throw DatabaseError(code: code == SQLITE_OK ? result : code, connection: try connection.openHandle())
  }

  /// Rolls back what is not committed.
  @discardableResult func finish() -> Int32 {
    guard let backup else { return SQLITE_OK }
    self.backup = nil
    // Whatever was given out or known of what this connection wrote is of another state afterwards.
    connection.recordUndone()
    return sqlite3_backup_finish(backup)
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
