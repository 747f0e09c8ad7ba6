import Relational
import SystemSQLite

/// A table whose rows are the elements of a JSON array or object: `swiftdata_elements(json)`.
///
/// SQLite's own `json_each` truncates texts and names at a zero byte. This table keeps them whole, and reads the JSON once.
enum JSONTable {
  static let function = TableFunction(
    name: "swiftdata_elements", columns: [Select.Source.Element.key, Select.Source.Element.value], expectedRows: 1
  ) { Cursor() }

  private final class Cursor: TableCursor {
    private static let (key, element): (Int32, Int32) = (0, 1)

    private var walk: JSONWalk?

    /// Null has no elements. Any other value that is not an array or object is an error.
    override func begin() throws(Failure) {
      walk = nil
      switch sqlite3_value_type(value) {
      case SQLITE_NULL: return
      case SQLITE_TEXT: break
      default: throw .malformed("malformed JSON")
      }
      guard let start = sqlite3_value_text(value) else { throw .noMemory }
      walk = JSONWalk(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
      if walk == nil { throw .malformed("malformed JSON") }
    }

    override var isAtEnd: Bool { walk?.value == nil }

    override func advance() {
      walk?.advance()
    }

    override func read(_ column: Int32, into context: OpaquePointer?) {
      guard let walk else { return }
      switch column {
      case Self.element: Self.set(walk.content, on: context)
      case Self.key:
        if let name = walk.name {
          Self.set(walk.text(in: name), on: context)
        } else {
          sqlite3_result_int64(context, row)
        }
      default: break
      }
    }

    private static func set(_ content: JSONWalk.Content, on context: OpaquePointer?) {
      switch content {
      case .null: sqlite3_result_null(context)
      case .truth(let truth): sqlite3_result_int(context, truth ? 1 : 0)
      case .number(let number):
        if let integer = Int64(number) {
          sqlite3_result_int64(context, integer)
        } else {
          sqlite3_result_double(context, Double(number) ?? .nan)
        }
      case .bytes(let bytes):
        FunctionRegistration.set(text: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes)), on: context)
      case .text(let text): FunctionRegistration.set(.text(text), on: context)
      }
    }
  }
}
