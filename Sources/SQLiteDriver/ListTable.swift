import Relational
import SystemSQLite

/// A table whose rows are the values of a list, so that one parameter carries any number of them: `swiftdata_list(?)`, with
/// `ListBytes.encode` of the values. SQLite's own `json_each` supports neither blobs nor texts with a zero byte.
enum ListTable {
  static let value = "value"
  static let function = TableFunction(name: "swiftdata_list", columns: [value], expectedRows: 1000) { Cursor() }

  private final class Cursor: TableCursor {
    private var bytes: UnsafeRawPointer?
    private var count = 0
    /// The offset of the current value.
    private var offset = 0

    /// A value that is not a list has no rows.
    override func begin() {
      (bytes, count, offset) = (nil, 0, 0)
      guard sqlite3_value_type(value) == SQLITE_BLOB else { return }
      bytes = sqlite3_value_blob(value)
      count = bytes == nil ? 0 : Int(sqlite3_value_bytes(value))
      if size == nil { count = 0 }
    }

    override var isAtEnd: Bool { offset >= count }

    /// Malformed bytes end the list.
    override func advance() {
      offset += size ?? 0
      if size == nil { offset = count }
    }

    private var size: Int? {
      bytes.flatMap { ListBytes.size(at: $0 + offset, available: count - offset) }
    }

    override func read(_ column: Int32, into context: OpaquePointer?) {
      guard column == 0, let bytes, let size else { return }
      let start = bytes + offset
      let content = start + ListBytes.headSize
      let count = UInt64(size - ListBytes.headSize)
      switch start.load(as: UInt8.self) {
      case ListBytes.Kind.integer:
        sqlite3_result_int64(context, (start + 1).loadUnaligned(as: Int64.self))
      case ListBytes.Kind.real:
        sqlite3_result_double(context, (start + 1).loadUnaligned(as: Double.self))
      case ListBytes.Kind.text:
        sqlite3_result_text64(
          context, content.assumingMemoryBound(to: CChar.self), count, SQLiteDestructor.transient, UInt8(SQLITE_UTF8))
      default:
        sqlite3_result_blob64(context, content, count, SQLiteDestructor.transient)
      }
    }
  }
}
