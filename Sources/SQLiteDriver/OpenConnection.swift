import Relational
import SystemSQLite

/// An open connection, used only on the thread that it is lent to.
final class OpenConnection: Sendable {
  private let connection: SQLiteConnection
  /// Retained because SQLite calls it while the connection is open.
  private let backoff: BusyBackoff
  private let checkpoints = CheckpointSchedule()
  private let cancellation = CancellationCheck()
  private let batches = BatchTable()

  /// Opens the file at `path`, or a private database in memory where it is nil. A read-only file is read without locks where it
  /// cannot be opened otherwise.
  ///
  /// - Parameter location: The location of the pool's file, of which this is another connection.
  static func open(
    path: String?, configuration: SQLiteConfiguration, isReader: Bool, location: FileLocation? = nil
  ) throws -> OpenConnection {
    do {
      return try OpenConnection(path, configuration, isReader: isReader, location, unlockedFile: nil)
    } catch let error as DatabaseError {
      // If the path has another file now, the error is that it moved, whatever else is wrong with it.
      try location?.check()
      guard configuration.isReadOnly, [.cannotOpen, .readOnly].contains(error.reason), let path,
        let file = UnlockedFile(path: path)
      else { throw error }
      return try OpenConnection(path, configuration, isReader: isReader, location, unlockedFile: file)
    }
  }

  private init(
    _ path: String?, _ configuration: SQLiteConfiguration, isReader: Bool, _ location: FileLocation?,
    unlockedFile: UnlockedFile?
  ) throws {
    // The pool lends a connection to one thread at a time, so SQLite's own mutex would only take time.
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    flags |= isReader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    backoff = BusyBackoff(timeout: configuration.busyTimeout, observer: configuration.waitObserver)
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(unlockedFile?.address ?? path ?? ":memory:", &handle, flags, nil)
    // SQLite returns a connection even with an error, and it has to be closed; without memory it returns none.
    guard let handle else { throw DatabaseError(code: code, connection: nil) }
    let connection: SQLiteConnection
    do {
      guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle) }
      try configuration.setUp(handle, isFile: path != nil, isReader: isReader, backoff)
      connection = SQLiteConnection(
        handle: handle, statementObserver: configuration.statementObserver,
        location: try location ?? path.map { try FileLocation(path: $0) }, unlockedFile: unlockedFile,
        cancellation: cancellation, batches: isReader ? nil : batches)
      cancellation.install(on: handle)
      if !isReader {
        checkpoints.install(on: handle)
        try batches.install(on: handle)
      }
      try connection.location?.check()
    } catch {
      sqlite3_close_v2(handle)
      throw error
    }
    self.connection = connection
  }

  deinit {
    try? close()
  }

  var serial: Int { connection.serial }

  /// The location of the file when it was opened; nil in memory.
  var location: FileLocation? { connection.location }

  /// Whether another process has changed a file that is read without locks, so that the connection cannot be used any more.
  var isOutdated: Bool { connection.unlockedFile?.isOutdated ?? false }

  /// Lends the connection to one thread at a time.
  ///
  /// - Throws: The error of `body`, and `DatabaseError` when a file that is read without locks changed meanwhile.
  func lend<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard connection.isUnlocked, let unlockedFile = connection.unlockedFile else { return try connection.lend(body) }
    do {
      let result = try connection.lend(body)
      try unlockedFile.check()
      return result
    } catch {
      // That change may have made the file look damaged.
      try unlockedFile.check()
      throw error
    }
  }

  /// Checkpoints the log and truncates it, as far as that is possible without waiting for other connections.
  func emptyLog() {
    guard let handle = try? connection.openHandle() else { return }
    sqlite3_busy_handler(handle, nil, nil)
    // The last process that closes the file, or the next one that opens it, does the rest.
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  /// Closes the connection, which must not be lent.
  ///
  /// - Throws: The error that keeps SQLite from closing the connection now; SQLite closes it as soon as the cause is gone.
  func close() throws {
    guard let handle = connection.invalidate() else { return }
    sqlite3_busy_handler(handle, nil, nil)
    let code = sqlite3_close(handle)
    guard code == SQLITE_OK else {
      let error = DatabaseError(code: code, connection: handle)
      sqlite3_close_v2(handle)
      throw error
    }
  }
}

extension SQLiteConfiguration {
  /// Configures a connection that was just opened.
  ///
  /// - Parameter backoff: Must outlive the connection.
  fileprivate func setUp(
    _ handle: OpaquePointer, isFile: Bool, isReader: Bool, _ backoff: BusyBackoff
  ) throws {
    func check(_ code: Int32) throws {
      guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle) }
    }
    try check(sqlite3_extended_result_codes(handle, 1))
    // Unretained, because the caller retains it until the connection is closed.
    let waiter = Unmanaged.passUnretained(backoff).toOpaque()
    try check(
      sqlite3_busy_handler(
        handle,
        { waiter, attempt in
          guard let waiter else { return 0 }
          let backoff = Unmanaged<BusyBackoff>.fromOpaque(waiter).takeUnretainedValue()
          return backoff.wait(attempt: Int(attempt)) ? 1 : 0
        }, waiter))
    try check(sqlite3_forbid_double_quoted_text(handle))
    try check(sqlite3_distrust_schema(handle))
    try check(sqlite3_exec(handle, "PRAGMA foreign_keys = ON", nil, nil, nil))
    if !isReader, sqlite3_db_readonly(handle, "main") == 1 {
      throw DatabaseError(reason: .readOnly, message: "the file is write-protected; open it for reading only")
    }
    for function in functions + [JSONText.function] { try FunctionRegistration.register(function, on: handle) }
    for function in sortKeys { try SortKeyRegistration.register(function, on: handle) }
    for function in foldings { try SearchRegistration.register(function, on: handle) }
    for table in [ListTable.function, JSONTable.function] { try table.register(on: handle) }
    for function in aggregateFunctions { try AggregateRegistration.register(function, on: handle) }
    // SQLite has not read the file yet, which may not be a database.
    try check(sqlite3_exec(handle, "SELECT 1 FROM sqlite_master LIMIT 1", nil, nil, nil))
    if isFile, !isReader { try setUpFile(of: handle) }
    try check(sqlite3_exec(handle, "PRAGMA synchronous = \(synchronous.rawValue)", nil, nil, nil))
    if isFile, !isReader {
      try check(sqlite3_exec(handle, "PRAGMA journal_size_limit = \(max(logSizeLimit, 0))", nil, nil, nil))
    }
  }

  /// Inspects a file, and switches it to a write-ahead log.
  private func setUpFile(of handle: OpaquePointer) throws {
    let connection = SQLiteConnection(handle: handle, statementObserver: nil)
    defer { connection.invalidate() }
    if let inspection {
      // In a transaction, to see one state: another process may be creating its tables.
      try connection.inTransaction(.deferred) { try inspection(connection) }
    }
    var mode = ""
    try connection.forEachRow("PRAGMA journal_mode = WAL") { mode = $0.text(0) }
    guard mode == "wal" else {
      throw DatabaseError(reason: .other, message: "the file cannot have a write-ahead log")
    }
  }
}
