package import Relational
import Synchronization
import SystemSQLite

/// One connection to an SQLite database.
///
/// It and the statements it prepared refer to each other until `invalidate()`.
///
/// `@unchecked Sendable` because a connection is used only by the call it is lent to, and the pool lends it to one at a
/// time. Closing, the exception, waits until no connection is lent.
package final class SQLiteConnection: Connection, @unchecked Sendable {
  /// Nil once the connection is closed.
  private var handle: OpaquePointer?
  let statementObserver: StatementObserver?
  /// Where the database's file was when it was opened; nil in memory.
  let place: FileLocation?
  /// The file, where it is read without locks.
  let unlockedFile: UnlockedFile?
  /// Whether there is such a file, for those who ask often.
  let isUnlocked: Bool
  /// Whether a link is on the way to the file.
  private let isReachedByLink: Bool
  package let serial = nextSerial.wrappingAdd(1, ordering: .relaxed).newValue
  private static let nextSerial = Atomic<Int>(0)
  // Unchecked, because no access to these lasts into a call that comes back here: the cache calls SQLite alone, and
  // the functions that SQLite calls know no connection.
  @exclusivity(unchecked) private var cache = StatementCache(capacity: 256)
  private var loans = 0
  package var writesOutOfPlace = false
  @exclusivity(unchecked) var transactions = TransactionState()
  @exclusivity(unchecked) package private(set) var writeGeneration: UInt64 = 0
  /// The state that this connection left with its last commit.
  @exclusivity(unchecked) private var lastCommit: UInt32?

  /// What SQLite asks while it runs a statement.
  private let cancellation: CancellationCheck
  /// Nil where nothing is written.
  let batches: BatchTable?

  init(
    handle: OpaquePointer, statementObserver: StatementObserver?, place: FileLocation? = nil,
    unlockedFile: UnlockedFile? = nil, cancellation: CancellationCheck = CancellationCheck(),
    batches: BatchTable? = nil
  ) {
    self.handle = handle
    self.batches = batches
    self.cancellation = cancellation
    self.unlockedFile = unlockedFile
    isUnlocked = unlockedFile != nil
    self.statementObserver = statementObserver
    self.place = place
    isReachedByLink = place.map { sqlite3_db_filename(handle, "main").map { String(cString: $0) } != $0.path } ?? false
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool {
    handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
  }

  /// Lends the connection for the duration of `body`. Where it is lent already, this is part of the same loan.
  func lend<Result>(_ body: (SQLiteConnection) throws -> Result) rethrows -> Result {
    loans += 1
    defer {
      loans -= 1
      if loans == 0 { settle() }
    }
    return try body(self)
  }

  /// Ends what a borrower left open: it would keep showing the next one the state it began in.
  private func settle() {
    rollback()
    guard let handle, sqlite3_txn_state(handle, nil) != SQLITE_TXN_NONE else { return }
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      sqlite3_reset(current)
      statement = sqlite3_next_stmt(handle, current)
    }
  }

  /// Lets go of everything that would keep SQLite from closing the connection.
  ///
  /// - Returns: The connection, to be closed; nil where that was done before.
  @discardableResult func invalidate() -> OpaquePointer? {
    cache.removeAll()
    defer { handle = nil }
    return handle
  }

  package var dataVersion: UInt32? {
    isInTransaction ? nil : currentVersion
  }

  /// SQLite's number for the state that the connection sees: one more with each commit of its own.
  var currentVersion: UInt32? {
    guard let handle else { return nil }
    var version: UInt32 = 0
    sqlite3_file_control(handle, nil, SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// - Throws: `DatabaseError` when the path does not lead to the open file any more. A database in memory has none.
  func checkPlace() throws {
    guard let handle else { throw DatabaseError.closed }
    if writesOutOfPlace { return }
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else { throw DatabaseError.moved }
    // SQLite looks at the file that a link led to, and the link may lead elsewhere now.
    if isReachedByLink { try place?.check() }
  }

  package var isInPlace: Bool { (try? checkPlace()) != nil }

  /// Called when this connection has just become the only one that writes.
  func writingBegan() {
    if lastCommit == nil || lastCommit != currentVersion { writeGeneration += 1 }
    lastCommit = nil
  }

  /// Called when something was undone of what this connection wrote, in a transaction that goes on.
  func recordUndone() {
    writeGeneration += 1
  }

  /// Called after the commit of what this connection wrote. Nothing of others shows before the next transaction.
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

  /// The statement for `sql` under its own type, which spares row loops the dispatch through the class hierarchy.
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
      // `UInt8` and `CChar` are of one layout. Where SQLite stopped reading lies in the text, or is its end.
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
      // Of one layout, as in `execute`.
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v3(
          handle, $0.baseAddress, Int32(clamping: $0.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      }
    }
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle, sql: sql) }
    guard let statement else { throw DatabaseError(reason: .other, message: "there is no statement", sql: sql) }
    return SQLiteStatement(handle: statement, sql: sql, connection: self)
  }

  func openHandle() throws -> OpaquePointer {
    guard let handle else { throw DatabaseError.closed }
    return handle
  }
}
