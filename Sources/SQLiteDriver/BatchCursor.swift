import Relational
import SystemSQLite

/// Where an update is in the rows of the batch that it writes, for the SQL functions that hand them to SQLite.
///
/// A statement for each row has SQLite allocate what it works with, find its way from the root of the table, and clear up,
/// which takes twice as long as to write the row. One statement visits the rows of a range of keys in their order, and
/// asks for the values of each.
///
/// `@unchecked Sendable` because it is used where its connection is, by one thread at a time.
final class BatchCursor: @unchecked Sendable {
  /// Whether the batch has a row with a key: key.
  static let membership = "swiftdata_batch_has"
  /// What a row of the batch has in a column: key, column from zero.
  static let value = "swiftdata_batch_value"

  // Unchecked, because SQLite calls the functions one after the other, and `lend` begins and ends outside of them.
  @exclusivity(unchecked) private var contents: RowBatch.Contents?
  /// The row that was asked for last.
  @exclusivity(unchecked) private var position = 0
  /// The row whose values were asked for last, if any were: the one that is written.
  @exclusivity(unchecked) private(set) var current: Int?

  private typealias Call = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// Makes the functions known to a connection, which must be closed before this object goes.
  func install(on handle: OpaquePointer) throws {
    let hasRow: Call = { context, _, arguments in
      guard let arguments, let data = sqlite3_user_data(context) else { return }
      let hasRow = Unmanaged<BatchCursor>.fromOpaque(data)._withUnsafeGuaranteedRef {
        $0.find(sqlite3_value_int64(arguments[0]))
      }
      sqlite3_result_int(context, hasRow ? 1 : 0)
    }
    let giveValue: Call = { context, _, arguments in
      guard let arguments, let data = sqlite3_user_data(context) else { return }
      Unmanaged<BatchCursor>.fromOpaque(data)._withUnsafeGuaranteedRef {
        $0.giveValue(of: sqlite3_value_int64(arguments[0]), Int(sqlite3_value_int(arguments[1])), to: context)
      }
    }
    // Only for the statements of this library: no file may have them called.
    let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
    for (name, count, call) in [(Self.membership, Int32(1), hasRow), (Self.value, 2, giveValue)] {
      let code = sqlite3_create_function_v2(
        handle, name, count, flags, Unmanaged.passUnretained(self).toOpaque(), call, nil, nil, nil)
      guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle) }
    }
  }

  /// Has the functions answer for a batch while `body` runs.
  func visiting<Result>(_ contents: RowBatch.Contents, _ body: () throws -> Result) rethrows -> Result {
    self.contents = contents
    position = 0
    current = nil
    defer { self.contents = nil }
    return try body()
  }

  /// Moves to the row with a key.
  ///
  /// - Returns: Whether there is one.
  private func find(_ key: Int64) -> Bool {
    guard let keys = contents?.keys else { return false }
    if position < keys.count, keys[position] == key { return true }
    // Mostly it is the next one.
    if position + 1 < keys.count, keys[position + 1] == key {
      position += 1
      return true
    }
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    guard low < keys.count, keys[low] == key else { return false }
    position = low
    return true
  }

  private func giveValue(of key: Int64, _ column: Int, to context: OpaquePointer?) {
    guard find(key), let contents, (0..<contents.width).contains(column) else {
      return sqlite3_result_error(context, "there is no such value in a batch", -1)
    }
    current = position
    let cell = contents.cells[position * contents.width + column]
    // The bytes stay where they are until the statement is over.
    switch cell.kind {
    case .null: sqlite3_result_null(context)
    case .integer: sqlite3_result_int64(context, cell.bits)
    case .real: sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: cell.bits)))
    case .text:
      guard cell.count > 0, let start = contents.bytes.baseAddress else {
        return sqlite3_result_text(context, "", 0, SQLiteDestructor.transient)
      }
      sqlite3_result_text64(
        context, (start + Int(cell.bits)).assumingMemoryBound(to: CChar.self), UInt64(cell.count), nil,
        UInt8(SQLITE_UTF8))
    case .blob:
      guard cell.count > 0, let start = contents.bytes.baseAddress else {
        return sqlite3_result_zeroblob(context, 0)
      }
      sqlite3_result_blob64(context, start + Int(cell.bits), UInt64(cell.count), nil)
    }
  }
}
