package import Relational
import Synchronization
import SystemSQLite

/// One connection to an SQLite database.
///
/// The connection and the statements that it prepared refer to each other until `invalidate()`.
///
/// `@unchecked Sendable` because only the call to which a connection is lent uses it, and the pool lends it to one call at a
/// time. Closing, the exception, waits until no connection is lent.
package final class SQLiteConnection: Connection, @unchecked Sendable {
  /// Nil once the connection is closed.
  private var handle: OpaquePointer?
  let statementObserver: StatementObserver?
  /// The location of the database's file when it was opened; nil in memory.
  let location: FileLocation?
  /// The file, if it is read without locks.
  let unlockedFile: UnlockedFile?
  /// Whether `unlockedFile` is set, cached because it is read often.
  let isUnlocked: Bool
  /// Whether the path to the file has a symbolic link.
  private let isReachedByLink: Bool
  package let serial = nextSerial.wrappingAdd(1, ordering: .relaxed).newValue
  private static let nextSerial = Atomic<Int>(0)
  // Unchecked, because no access to these re-enters the connection: the cache calls only SQLite, and the functions that
  // SQLite calls do not know the connection.
  @exclusivity(unchecked) private var cache = StatementCache(capacity: 256)
  private var loans = 0
  package var writesOutOfPlace = false
  @exclusivity(unchecked) var transactions = TransactionState()
  @exclusivity(unchecked) package private(set) var writeGeneration: UInt64 = 0
  /// The state after the last commit of this connection.
  @exclusivity(unchecked) private var lastCommit: UInt32?

  /// SQLite calls it while it runs a statement.
  private let cancellation: CancellationCheck
  /// Nil for a connection that does not write.
  let batches: BatchTable?

  init(
    handle: OpaquePointer, statementObserver: StatementObserver?, location: FileLocation? = nil,
    unlockedFile: UnlockedFile? = nil, cancellation: CancellationCheck = CancellationCheck(),
    batches: BatchTable? = nil
  ) {
    self.handle = handle
    self.batches = batches
    self.cancellation = cancellation
    self.unlockedFile = unlockedFile
    isUnlocked = unlockedFile != nil
    self.statementObserver = statementObserver
    self.location = location
    isReachedByLink =
      location.map { sqlite3_db_filename(handle, "main").map { String(cString: $0) } != $0.path } ?? false
  }

  var isInTransaction: Bool {
    handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
  }

  /// Lends the connection for the duration of `body`. A nested call is part of the same loan.
  func lend<Result>(_ body: (SQLiteConnection) throws -> Result) rethrows -> Result {
    loans += 1
    defer {
      loans -= 1
      if loans == 0 { endLoan() }
    }
    return try body(self)
  }

  /// Ends a transaction that the borrower left open: its state would stay visible to the next borrower.
  private func endLoan() {
    rollback()
    guard let handle, sqlite3_txn_state(handle, nil) != SQLITE_TXN_NONE else { return }
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      sqlite3_reset(current)
      statement = sqlite3_next_stmt(handle, current)
    }
  }

  /// Releases everything that would keep SQLite from closing the connection.
  ///
  /// - Returns: The connection to close; nil where that was done before.
  @discardableResult func invalidate() -> OpaquePointer? {
    cache.removeAll()
    defer { handle = nil }
    return handle
  }

  package var dataVersion: UInt32? {
    isInTransaction ? nil : currentVersion
  }

  /// SQLite's number of the state that the connection sees. A commit of this connection increments it.
  var currentVersion: UInt32? {
    guard let handle else { return nil }
    var version: UInt32 = 0
    sqlite3_file_control(handle, nil, SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// - Throws: `DatabaseError` when the open file is no longer at the path. A database in memory has no path.
  func checkLocation() throws {
    guard let handle else { throw DatabaseError.closed }
    if writesOutOfPlace { return }
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else { throw DatabaseError.moved }
    // SQLite checks the file that a link pointed to, and the link may point elsewhere now.
    if isReachedByLink { try location?.check() }
  }

  package var isInPlace: Bool { (try? checkLocation()) != nil }

  /// Called when this connection has become the only writer.
  func writingBegan() {
    if lastCommit == nil || lastCommit != currentVersion { writeGeneration += 1 }
    lastCommit = nil
  }

  /// Called when writes of this connection were undone in a transaction that continues.
  func recordUndone() {
    writeGeneration += 1
  }

  /// Called after a commit of this connection. Other connections' commits become visible only in the next transaction.
  func writingEnded() {
    lastCommit = currentVersion
  }

  package var isCancellable: Bool {
    get { cancellation.isOn }
    set { cancellation.isOn = newValue }
  }

  package var changeCount: Int {
    handle.map { Int(sqlite3_changes64($0)) } ?? 0
  }

  package func statement(_ sql: String) throws -> Statement {
    try sqliteStatement(sql)
  }

  /// The statement for `sql` as its concrete type, which spares row loops dynamic dispatch.
  package func sqliteStatement(_ sql: String) throws -> SQLiteStatement {
    if let statement = cache.statement(sql) { return statement }
    let statement = try prepare(sql)
    cache.keep(statement)
    return statement
  }

  package func execute(_ sql: String) throws {
    let handle = try openHandle()
    var sql = sql
    try sql.withUTF8 { bytes in
      // `UInt8` and `CChar` have the same layout. The end of what SQLite has read is a position in the text, or its end.
      try bytes.withMemoryRebound(to: CChar.self) { characters in
        var rest = characters[...]
        while !rest.isEmpty {
          let next = UnsafeBufferPointer(rebasing: rest)
          var statement: OpaquePointer?
          var tail: UnsafePointer<CChar>?
          let code = sqlite3_prepare_v3(handle, next.baseAddress, Int32(clamping: next.count), 0, &statement, &tail)
          defer { sqlite3_finalize(statement) }
          let read = next.baseAddress.flatMap { start in tail.map { $0 - start } } ?? next.count
          let text = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(next)[..<read])
          guard code == SQLITE_OK else { throw failure(code, text) }
          rest = rest.dropFirst(max(read, 1))
          guard statement != nil else { continue }
          try run(statement, text)
        }
      }
    }
  }

  private func run(_ statement: OpaquePointer?, _ text: UnsafeRawBufferPointer) throws {
    let watch = statementObserver.map(StatementWatch.init)
    let sql = watch == nil ? "" : String(decoding: text, as: UTF8.self)
    watch?.begin(statement, sql)
    var code = SQLITE_ROW
    while code == SQLITE_ROW { code = sqlite3_step(statement) }
    guard code == SQLITE_DONE else {
      let error = failure(code, text)
      watch?.end(statement, sql, error)
      throw error
    }
    watch?.end(statement, sql)
  }

  private func failure(_ code: Int32, _ sql: UnsafeRawBufferPointer) -> DatabaseError {
    let error = DatabaseError(code: code, connection: handle, sql: String(decoding: sql, as: UTF8.self))
    statementFailed(code, error)
    return error
  }

  private func prepare(_ sql: String) throws -> SQLiteStatement {
    let handle = try openHandle()
    var text = sql
    var statement: OpaquePointer?
    let code = text.withUTF8 { bytes in
      // The same layout, as in `execute`.
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v3(
          handle, $0.baseAddress, Int32(clamping: $0.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      }
    }
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle, sql: sql) }
    guard let statement else { throw DatabaseError(reason: .other, message: "the SQL has no statement", sql: sql) }
    return SQLiteStatement(handle: statement, sql: sql, connection: self)
  }

  func openHandle() throws -> OpaquePointer {
    guard let handle else { throw DatabaseError.closed }
    return handle
  }
}
