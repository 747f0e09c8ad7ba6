import Foundation
import Relational

/// Extracts texts from JSON. SQLite's own functions truncate them at a zero byte.
enum JSONText {
  /// The text of a key in an object; null when there is none.
  static let function = ScalarFunction(name: "swiftdata_json_text", argumentCount: 2) { arguments in
    guard case .text(var json) = arguments[0], case .text(let key) = arguments[1] else { return .null }
    let text = json.withUTF8 { bytes in
      var reader = JSONReader(bytes)
      return reader.text(for: key)
    }
    return text.map { .text($0) } ?? .null
  }

  /// Whether JSON may have a zero byte, which is written as an escape.
  static func hasZeroByte(_ json: Relational.Expression) -> Relational.Expression {
    .binary(.greater, .function(.position, [json, .value(.text("\\u0000"))]), .value(.integer(0)))
  }
}
