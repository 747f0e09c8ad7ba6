import Relational
import SystemSQLite

/// A table whose rows are those of a batch while an update takes its values from them: `swiftdata_batch(0)`. At any other
/// time it has none.
///
/// A statement for each row has SQLite allocate what it works with, find its way from the root of the table, and clear up,
/// which takes longer than to write the row. An SQL function for each value would take less than a table, but for rows that
/// are large or in an index: SQLite keeps a journal of each statement of many rows that calls a function.
///
/// `@unchecked Sendable` because it is used where its connection is, by one thread at a time.
final class BatchTable: @unchecked Sendable {
  static let name = "swiftdata_batch"
  static let key = "key"
  /// How many values a row can have.
  static let greatestWidth = 64

  static func value(_ column: Int) -> String { "value\(column)" }

  private static let columns = [key] + (0..<greatestWidth).map(value)

  /// `lend` begins and ends outside of the statement that reads it.
  private var contents: RowBatch.Contents?

  func install(on handle: OpaquePointer) throws {
    // Few rows that take long, so that SQLite goes through them once and looks each row up by its key. What somebody's
    // ANALYZE says of a table may be of a time when it had few rows, and to go through the batch for each row would be
    // cheaper then.
    try TableFunction(name: Self.name, columns: Self.columns, expectedRows: 1, cost: 30) { Cursor(self.contents) }
      .register(on: handle)
  }

  /// Has the table have the rows of a batch while `body` runs.
  func lend<Result>(_ contents: RowBatch.Contents, _ body: () throws -> Result) rethrows -> Result {
    self.contents = contents
    defer { self.contents = nil }
    return try body()
  }

  private final class Cursor: TableCursor {
    // In parts, because SQLite asks for each value.
    private let keys: UnsafeBufferPointer<Int64>
    private let cells: UnsafeBufferPointer<RowBatch.Cell>
    private let bytes: UnsafeRawBufferPointer
    private let width: Int

    /// - Parameter contents: Lent for longer than the statement runs.
    init(_ contents: RowBatch.Contents?) {
      keys = contents?.keys ?? UnsafeBufferPointer(start: nil, count: 0)
      cells = contents?.cells ?? UnsafeBufferPointer(start: nil, count: 0)
      bytes = contents?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
      width = contents?.width ?? 0
    }

    override var isAtEnd: Bool { row >= keys.count }

    override func read(_ column: Int32, into context: OpaquePointer?) {
      guard row < keys.count, column <= width else { return }
      if column == 0 { return sqlite3_result_int64(context, keys[Int(row)]) }
      let cell = cells[Int(row) * width + Int(column) - 1]
      // The bytes stay where they are until the statement is over.
      switch cell.kind {
      case .null: break
      case .integer: sqlite3_result_int64(context, cell.bits)
      case .real: sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: cell.bits)))
      case .text:
        guard cell.count > 0, let start = bytes.baseAddress else {
          return sqlite3_result_text(context, "", 0, SQLiteDestructor.transient)
        }
        sqlite3_result_text64(
          context, (start + Int(cell.bits)).assumingMemoryBound(to: CChar.self), UInt64(cell.count), nil,
          UInt8(SQLITE_UTF8))
      case .blob:
        guard cell.count > 0, let start = bytes.baseAddress else {
          return sqlite3_result_zeroblob(context, 0)
        }
        sqlite3_result_blob64(context, start + Int(cell.bits), UInt64(cell.count), nil)
      }
    }
  }
}
