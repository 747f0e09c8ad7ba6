package import Relational
import SystemSQLite

/// A prepared statement of SQLite.
///
/// It is used only inside the call to which its connection is lent.
package final class SQLiteStatement: Statement {
  package let sql: String
  /// Nil once the connection is closed. SQLite treats a null statement as one without rows, so only `clear` has to check for
  /// nil.
  private var handle: OpaquePointer?
  private let connection: SQLiteConnection
  /// Nil when there is no observer.
  private let watch: StatementWatch?
  /// Whether the file is read without locks, cached because each row checks it.
  private let isUnlocked: Bool
  // Unchecked, because no access to these re-enters the statement.
  @exclusivity(unchecked) private var bindingFailure: Int32 = SQLITE_OK
  /// Whether the statement is before its first row, and so needs no reset.
  @exclusivity(unchecked) private var isAtStart = true
  @exclusivity(unchecked) private var texts = TextBuffer()

  init(handle: OpaquePointer, sql: String, connection: SQLiteConnection) {
    self.handle = handle
    self.sql = sql
    self.connection = connection
    watch = connection.statementObserver.map(StatementWatch.init)
    isUnlocked = connection.isUnlocked
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Finalizes the statement before its connection closes.
  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
  }

  /// Whether the statement has more rows.
  var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

  package override func clear() {
    reset()
    // SQLite handles null statements everywhere except in this function.
    guard handle != nil else { return }
    sqlite3_clear_bindings(handle)
    bindingFailure = SQLITE_OK
    texts.removeAll()
  }

  // MARK: Running

  package override func step() throws -> Bool {
    guard let watch else { return try advance() }
    if !isRunning { watch.end(handle, sql) }
    watch.begin(handle, sql)
    let hasRow = try advance()
    if hasRow { watch.pause() } else { watch.end(handle, sql) }
    return hasRow
  }

  @inline(__always)
  private func advance() throws -> Bool {
    if bindingFailure != SQLITE_OK { throw failure(bindingFailure) }
    isAtStart = false
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW {
      if isUnlocked { try connection.unlockedFile?.check() }
      return true
    }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  package override func run(_ batch: RowBatch) throws {
    guard batch.count > 0, let table = connection.batches else { return }
    try batch.lend { contents in
      try table.lend(contents) {
        reset()
        defer { reset() }
        _ = try step()
      }
    }
    guard connection.changeCount == batch.count else {
      throw DatabaseError(reason: .missingRows, message: "rows to change are missing", sql: sql)
    }
  }

  /// Runs a statement that begins or ends a transaction. The statement is not part of that transaction.
  func control() throws {
    isAtStart = false
    watch?.begin(handle, sql, isControl: true)
    let code = sqlite3_step(handle)
    guard code != SQLITE_DONE else {
      watch?.end(handle, sql)
      return
    }
    let error = handle.map { DatabaseError(code: code, connection: sqlite3_db_handle($0), sql: sql) } ?? .closed
    watch?.end(handle, sql, error)
    reset()
    throw error
  }

  package override func reset() {
    if isAtStart { return }
    isAtStart = true
    watch?.end(handle, sql)
    sqlite3_reset(handle)
  }

  private func failure(_ code: Int32) -> DatabaseError {
    guard let handle else { return .closed }
    let error = DatabaseError(code: code, connection: sqlite3_db_handle(handle), sql: sql)
    watch?.end(handle, sql, error)
    reset()
    bindingFailure = SQLITE_OK
    connection.statementFailed(code, error)
    return error
  }

  // MARK: Binding

  package override func bindNull(at position: Int32) {
    record(sqlite3_bind_null(handle, position))
  }

  package override func bind(_ value: Int64, at position: Int32) {
    record(sqlite3_bind_int64(handle, position, value))
  }

  /// Binds a number. SQLite has no NaN and stores null instead.
  package override func bind(_ value: Double, at position: Int32) {
    record(sqlite3_bind_double(handle, position, value))
  }

  package override func bind(_ value: String, at position: Int32) {
    var value = value
    let code = value.withUTF8 { bytes in
      // A null pointer would bind null, not an empty text.
      guard let start = bytes.baseAddress else {
        return sqlite3_bind_text(handle, position, "", 0, SQLiteDestructor.transient)
      }
      let (text, destructor) = texts.copy(start, count: bytes.count)
      // SQLite reads the text as bytes; `copy` decides how long they are valid.
      return sqlite3_bind_text64(
        handle, position, text.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), destructor,
        UInt8(SQLITE_UTF8))
    }
    record(code)
  }

  package override func bind(_ value: UnsafeRawBufferPointer, at position: Int32) {
    if let start = value.baseAddress, !value.isEmpty {
      record(sqlite3_bind_blob64(handle, position, start, UInt64(value.count), SQLiteDestructor.transient))
    } else {
      record(sqlite3_bind_zeroblob(handle, position, 0))
    }
  }

  /// Records a failure for the next step, since binding itself does not throw.
  private func record(_ code: Int32) {
    if code != SQLITE_OK { bindingFailure = code }
  }

  // MARK: Reading

  package override func type(of column: Int32) -> ColumnType {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  package override func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  package override var access: RowAccess {
    // Text through the value: the column's own functions check the column and lock a mutex in each call.
    RowAccess(
      row: handle, integer: sqlite3_column_int64, real: sqlite3_column_double, value: sqlite3_column_value,
      text: sqlite3_value_text, length: sqlite3_value_bytes, kind: sqlite3_column_type)
  }

  package override func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  package override func real(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  package override func textIfPresent(_ column: Int32) -> String? {
    // The bytes are valid until the next step or conversion, and are copied before either.
    let value = sqlite3_column_value(handle, column)
    guard let start = sqlite3_value_text(value) else { return nil }
    let count = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package override func withBlob<Result>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let start = sqlite3_column_blob(handle, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// Keeps copies of the texts that are bound to a statement until the next binding, which costs less than having SQLite copy and
/// free each.
///
/// SQLite never reads a freed text: `clear` removes the bindings before the texts, and the statement is finalized before its
/// properties are released.
private struct TextBuffer: ~Copyable {
  private static let capacity = 4096
  private var memory: UnsafeMutableRawPointer?
  private var count = 0

  deinit {
    memory?.deallocate()
  }

  /// A copy of some bytes that does not move until `removeAll`, and how SQLite treats it. SQLite copies large texts itself.
  mutating func copy(
    _ start: UnsafeRawPointer, count length: Int
  ) -> (UnsafeRawPointer, sqlite3_destructor_type?) {
    guard length <= Self.capacity - count else { return (start, SQLiteDestructor.transient) }
    let memory = memory ?? .allocate(byteCount: Self.capacity, alignment: 1)
    self.memory = memory
    let copy = memory + count
    copy.copyMemory(from: start, byteCount: length)
    count += length
    return (UnsafeRawPointer(copy), nil)
  }

  mutating func removeAll() {
    count = 0
  }
}

/// The destructor argument of functions that pass bytes to SQLite.
enum SQLiteDestructor {
  /// SQLite copies the bytes. It compares the -1 with function addresses and never calls it.
  static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
