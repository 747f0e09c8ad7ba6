import GRDB
import GRDBSQLite
import Relational

/// A connection that is open. GRDB opens, sets up and closes it; in between it is used without GRDB, on the thread of
/// whoever has it.
final class OpenConnection: Sendable {
  private let queue: DatabaseQueue
  private let connection: SQLiteConnection

  /// Opens the file at `path`, or memory of its own where that is nil.
  init(path: String?, configuration: SQLiteConfiguration, isReader: Bool) throws {
    let grdb = GRDB.Configuration(configuration, isReader: isReader)
    (queue, connection) = try translatingErrors {
      let queue = try DatabaseQueue(path: path ?? ":memory:", configuration: grdb)
      let connection = try queue.unsafeReentrantWrite { database in
        guard let handle = database.sqliteConnection else { throw Relational.DatabaseError.closed }
        if path != nil, !isReader { try configuration.setUpFile(of: handle) }
        try configuration.setDurability(of: handle)
        // GRDB asks an authorizer about every column that a statement names, and follows transactions, for observations
        // that nobody makes here; and it expects to be on its own queue then.
        sqlite3_set_authorizer(handle, nil, nil)
        sqlite3_commit_hook(handle, nil, nil)
        sqlite3_rollback_hook(handle, nil, nil)
        return SQLiteConnection(handle: handle, statementObserver: configuration.statementObserver)
      }
      return (queue, connection)
    }
  }

  deinit {
    // Before GRDB closes the connection.
    connection.invalidate()
  }

  var serial: Int { connection.serial }

  /// Lends the connection. One thread at a time may have it.
  func lend<Result>(_ body: (SQLiteConnection) throws -> Result) rethrows -> Result {
    try connection.lend(body)
  }

  /// Closes the connection, which must not be lent.
  func close() throws {
    connection.invalidate()
    try translatingErrors { try queue.close() }
  }
}

extension GRDB.Configuration {
  fileprivate init(_ configuration: SQLiteConfiguration, isReader: Bool) {
    self.init()
    label = "OpenSwiftData"
    readonly = isReader
    foreignKeysEnabled = true
    // Transactions left open are rolled back when a connection comes back, so that GRDB need not stop the process.
    allowsUnsafeTransactions = true
    #if os(iOS)
      automaticMemoryManagement = false
    #endif
    let backoff = BusyBackoff(timeout: configuration.busyTimeout)
    busyMode = .callback { backoff.wait(attempt: $0) }
    prepareDatabase { database in
      let connection = database.sqliteConnection
      if !isReader && sqlite3_db_readonly(connection, "main") == 1 {
        throw Relational.DatabaseError(reason: .readOnly, message: "the file is write-protected")
      }
      for function in configuration.functions {
        try FunctionRegistration.register(function, on: connection)
      }
      for collation in configuration.collations {
        try CollationRegistration.register(collation, on: connection)
      }
      for function in configuration.aggregateFunctions {
        try AggregateRegistration.register(function, on: connection)
      }
    }
  }
}

extension SQLiteConfiguration {
  /// Looks at a file, and has it kept with a write-ahead log. GRDB could do the latter, but it writes to the file each
  /// time, and before anybody had a look at it.
  fileprivate func setUpFile(of handle: OpaquePointer) throws {
    let connection = SQLiteConnection(handle: handle, statementObserver: nil)
    defer { connection.invalidate() }
    if let inspection {
      // In one state of the file: another process may be creating its tables.
      try connection.inTransaction(.deferred) { try inspection(connection) }
    }
    var mode = ""
    try connection.forEachRow("PRAGMA journal_mode = WAL") { mode = $0.text(0) }
    guard mode == "wal" else {
      throw Relational.DatabaseError(reason: .other, message: "the file cannot have a write-ahead log")
    }
  }

  fileprivate func setDurability(of connection: OpaquePointer) throws {
    let code = sqlite3_exec(connection, "PRAGMA synchronous = \(synchronous.rawValue)", nil, nil, nil)
    guard code == SQLITE_OK else { throw Relational.DatabaseError(code: code, connection: connection) }
  }
}

/// Runs `body` and puts errors of GRDB's own into the terms of this module.
private func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as GRDB.DatabaseError {
    let code = error.extendedResultCode.rawValue
    let message = error.message ?? String(cString: sqlite3_errstr(code))
    throw Relational.DatabaseError(code: code, message: message, sql: error.sql)
  }
}
