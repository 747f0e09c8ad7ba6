import Relational
import SystemSQLite

extension SQLiteConnection {
  /// Copies the database, lets `body` change the copy, and replaces the database with it.
  ///
  /// - Parameter body: Changes the copy. Meanwhile other connections can read the database and not write to it.
  func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws {
    guard let location else {
      throw DatabaseError(reason: .other, message: "a database in memory cannot be revised in a copy: it has no file")
    }
    if isInTransaction { throw LockedFiles.refusal }
    let watch = try CommitWatch(path: location.path)
    // The caller may remove the copy after the commit, so a loss of power must not undo the commit.
    try setting("synchronous", to: 2) {
      // A small cache, so that a full disk shows while the pages are written and not at the commit.
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

  /// Runs `body` with another value of a pragma of the connection.
  private func setting(_ name: String, to value: Int, _ body: () throws -> Void) throws {
    var previous: Int64?
    try forEachRow("PRAGMA \(name)") { previous = $0.integer(0) }
    try execute("PRAGMA \(name) = \(value)")
    defer { if let previous { try? execute("PRAGMA \(name) = \(previous)") } }
    try body()
  }
}

/// Replaces the pages of a database with those of a copy, by SQLite's backup.
///
/// A backup is one transaction of the target. It begins with the first page and is committed with the last one; finishing it
/// earlier rolls it back. The connection must not be used in between.
private final class PageReplacement: Revision {
  private let connection: SQLiteConnection
  private let watch: CommitWatch
  /// The state that was copied.
  private let state: UInt32?
  /// Nil before the backup begins and after it is finished.
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
    // The backup takes a lock of its own, so another connection may take the lock first.
    connection.giveLockBack()
    try connection.checkLocation()
    let (target, origin) = (try connection.openHandle(), try source.handle)
    guard let backup = sqlite3_backup_init(target, "main", origin, "main") else {
      throw DatabaseError(code: sqlite3_extended_errcode(target), connection: target)
    }
    self.backup = backup
    // The first page takes the lock. A store has more than one page.
    try step(1, until: SQLITE_OK)
    guard try watch.state() == state, FileState(path: path) != nil else {
      throw DatabaseError(reason: .overtaken, message: "another connection wrote to the file; open it again")
    }
    try step(max(0, sqlite3_backup_remaining(backup) - 1), until: SQLITE_OK)
  }

  func commit() throws {
    guard backup != nil else { throw DatabaseError(reason: .other, message: "commit() without write(contentsOf:)") }
    try step(-1, until: SQLITE_DONE)
    finish()
  }

  private func step(_ pageCount: Int32, until end: Int32) throws {
    let result = sqlite3_backup_step(backup, pageCount)
    if result == end { return }
    // The connection may be used again only now.
    let code = finish()
    throw DatabaseError(code: code == SQLITE_OK ? result : code, connection: try connection.openHandle())
  }

  /// Rolls back what is not committed.
  @discardableResult func finish() -> Int32 {
    guard let backup else { return SQLITE_OK }
    self.backup = nil
    // Identifiers and other state that came from this connection's writes are invalid now.
    connection.recordUndone()
    return sqlite3_backup_finish(backup)
  }
}

/// A separate connection that sees only committed states, while another connection is about to commit.
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

  /// A number that changes with each commit.
  @discardableResult func state() throws -> UInt32? {
    try connection.inTransaction(.deferred) { try connection.run("SELECT 1 FROM sqlite_master LIMIT 1") }
    return connection.currentVersion
  }

  func copy(to path: String) throws {
    try connection.copy(to: path)
  }
}
