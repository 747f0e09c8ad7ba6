import Relational
import SystemSQLite

/// A connection that is open, for use on the thread of whoever has it.
final class OpenConnection: Sendable {
  private let connection: SQLiteConnection
  /// Held because SQLite calls it for as long as the connection is open.
  private let backoff: BusyBackoff
  private let checkpoints = CheckpointSchedule()
  private let cancellation = CancellationCheck()
  private let batches = BatchTable()

  /// Opens the file at `path`, or memory of its own where that is nil. A file that is only read is read without locks
  /// where nothing else can be done.
  ///
  /// - Parameter place: Where the file is of which this is another connection.
  static func open(
    path: String?, configuration: SQLiteConfiguration, isReader: Bool, place: FileLocation? = nil
  ) throws -> OpenConnection {
    do {
      return try OpenConnection(path, configuration, isReader: isReader, place, unlockedFile: nil)
    } catch let error as DatabaseError {
      // Another file may be anything; what is wrong with it does not matter.
      try place?.check()
      guard configuration.isReadOnly, [.cannotOpen, .readOnly].contains(error.reason), let path,
        let file = UnlockedFile(path: path)
      else { throw error }
      return try OpenConnection(path, configuration, isReader: isReader, place, unlockedFile: file)
    }
  }

  private init(
    _ path: String?, _ configuration: SQLiteConfiguration, isReader: Bool, _ place: FileLocation?,
    unlockedFile: UnlockedFile?
  ) throws {
    // The pool hands a connection to one thread at a time, so that SQLite's own mutex would only take time.
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    flags |= isReader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    backoff = BusyBackoff(timeout: configuration.busyTimeout, observer: configuration.waitObserver)
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(unlockedFile?.address ?? path ?? ":memory:", &handle, flags, nil)
    // Without memory SQLite makes no connection, and otherwise one even for an error, to be closed.
    guard let handle else { throw DatabaseError(code: code, connection: nil) }
    let connection: SQLiteConnection
    do {
      guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle) }
      try configuration.setUp(handle, isFile: path != nil, isReader: isReader, backoff)
      connection = SQLiteConnection(
        handle: handle, statementObserver: configuration.statementObserver,
        place: try place ?? path.map { try FileLocation(path: $0) }, unlockedFile: unlockedFile,
        cancellation: cancellation, batches: isReader ? nil : batches)
      cancellation.install(on: handle)
      if !isReader {
        checkpoints.install(on: handle)
        try batches.install(on: handle)
      }
      try connection.place?.check()
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

  /// Where the file was when it was opened; nil in memory.
  var place: FileLocation? { connection.place }

  /// Whether somebody else has changed a file that is read without locks, so that the connection is of no use any more.
  var isOutdated: Bool { connection.unlockedFile?.isOutdated ?? false }

  /// Lends the connection. One thread at a time may have it.
  ///
  /// - Throws: What `body` throws, and `DatabaseError` when a file that is read without locks changed meanwhile.
  func lend<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard connection.isUnlocked, let unlockedFile = connection.unlockedFile else { return try connection.lend(body) }
    do {
      let result = try connection.lend(body)
      try unlockedFile.check()
      return result
    } catch {
      // It may have been the change that made the file look damaged.
      try unlockedFile.check()
      throw error
    }
  }

  /// Folds the log into the file and empties it, as far as others let it without being waited for.
  func emptyLog() {
    guard let handle = try? connection.openHandle() else { return }
    sqlite3_busy_handler(handle, nil, nil)
    // What is not done is done by who closes the file last, or opens it next.
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  /// Closes the connection, which must not be lent.
  ///
  /// - Throws: What keeps SQLite from closing it now: it does as soon as that is gone.
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
  /// Makes a connection that was just opened what this library expects of one.
  ///
  /// - Parameter backoff: Outlives the connection.
  fileprivate func setUp(
    _ handle: OpaquePointer, isFile: Bool, isReader: Bool, _ backoff: BusyBackoff
  ) throws {
    func check(_ code: Int32) throws {
      guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle) }
    }
    try check(sqlite3_extended_result_codes(handle, 1))
    // Not counted, because the caller keeps it until after the connection.
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
      throw DatabaseError(reason: .readOnly, message: "the file is write-protected")
    }
    for function in functions + [JSONText.function] { try FunctionRegistration.register(function, on: handle) }
    for function in sortKeys { try SortKeyRegistration.register(function, on: handle) }
    for function in foldings { try SearchRegistration.register(function, on: handle) }
    for table in [ListTable.function, JSONTable.function] { try table.register(on: handle) }
    for function in aggregateFunctions { try AggregateRegistration.register(function, on: handle) }
    // SQLite has not read the file yet, which may be no database.
    try check(sqlite3_exec(handle, "SELECT 1 FROM sqlite_master LIMIT 1", nil, nil, nil))
    if isFile, !isReader { try setUpFile(of: handle) }
    try check(sqlite3_exec(handle, "PRAGMA synchronous = \(synchronous.rawValue)", nil, nil, nil))
    if isFile, !isReader {
      try check(sqlite3_exec(handle, "PRAGMA journal_size_limit = \(max(logSizeLimit, 0))", nil, nil, nil))
    }
  }

  /// Looks at a file, and has it kept with a write-ahead log.
  private func setUpFile(of handle: OpaquePointer) throws {
    let connection = SQLiteConnection(handle: handle, statementObserver: nil)
    defer { connection.invalidate() }
    if let inspection {
      // In one state of the file: another process may be creating its tables.
      try connection.inTransaction(.deferred) { try inspection(connection) }
    }
    var mode = ""
    try connection.forEachRow("PRAGMA journal_mode = WAL") { mode = $0.text(0) }
    guard mode == "wal" else {
      throw DatabaseError(reason: .other, message: "the file cannot have a write-ahead log")
    }
  }
}
