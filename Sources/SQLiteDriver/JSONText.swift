import Foundation
import Relational

/// Text in JSON, which SQLite ends at a zero byte.
enum JSONText {
  /// The text in an array or an object, by its index or key; null when there is none.
  static let function = ScalarFunction(name: "swiftdata_json_text", argumentCount: 2) { arguments in
    guard case .text(var json) = arguments[0] else { return .null }
    let text = json.withUTF8 { bytes in
      var reader = JSONReader(bytes)
      return switch arguments[1] {
      case .integer(let index): reader.text(at: Int(index))
      case .text(let key): reader.text(for: key)
      default: String?.none
      }
    }
    return text.map { .text($0) } ?? .null
  }

  /// Whether JSON, or a path into it, may have a zero byte, which is written as an escape.
  static func hasZeroByte(_ json: Relational.Expression) -> Relational.Expression {
    .binary(.greater, .function(.position, [json, .value(.text("\\u0000"))]), .value(.integer(0)))
  }
}
