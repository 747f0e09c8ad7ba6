import Relational
import SystemSQLite

/// A virtual table, `swiftdata_batch(0)`, whose rows are those of a batch while an update reads its values from it. At any
/// other time it is empty.
///
/// One statement for each row makes SQLite allocate its working memory, descend from the root of the table and clean up, which
/// takes longer than writing the row. An SQL function for each value would be cheaper than a table, except for large or indexed
/// rows: SQLite keeps a statement journal when a statement changes many rows and calls a function.
///
/// `@unchecked Sendable` because only the thread that has the connection uses it.
final class BatchTable: @unchecked Sendable {
  static let name = "swiftdata_batch"
  static let key = "key"
  /// The largest number of values in a row.
  static let greatestWidth = 64

  static func value(_ column: Int) -> String { "value\(column)" }

  private static let columns = [key] + (0..<greatestWidth).map(value)

  /// `lend` begins and ends outside of the statement that reads the contents.
  private var contents: RowBatch.Contents?

  func install(on handle: OpaquePointer) throws {
    // Few but expensive rows, so that SQLite reads the batch once and looks up each row by its key. An old ANALYZE may say
    // that the updated table is small, and SQLite would then scan the batch for each row of the table.
    try TableFunction(name: Self.name, columns: Self.columns, expectedRows: 1, cost: 30) { Cursor(self.contents) }
      .register(on: handle)
  }

  /// Makes the rows of a batch the rows of the table while `body` runs.
  func lend<Result>(_ contents: RowBatch.Contents, _ body: () throws -> Result) rethrows -> Result {
    self.contents = contents
    defer { self.contents = nil }
    return try body()
  }

  private final class Cursor: TableCursor {
    // Split up, because SQLite asks for each value.
    private let keys: UnsafeBufferPointer<Int64>
    private let cells: UnsafeBufferPointer<RowBatch.Cell>
    private let bytes: UnsafeRawBufferPointer
    private let width: Int

    /// - Parameter contents: Must outlive the statement.
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
      // The bytes do not move until the statement is over.
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
