import Foundation
import Relational

/// Text in JSON, which SQLite ends at a zero byte.
enum JSONText {
  /// The text in an array or an object, by its index or key; null when there is none.
  static let function = ScalarFunction(name: "swiftdata_json_text", argumentCount: 2) { arguments in
    guard case .text(let json) = arguments[0], let value = try? JSONSerialization.jsonObject(with: Data(json.utf8))
    else { return .null }
    switch (value, arguments[1]) {
    case (let array as [Any], .integer(let index)):
      guard array.indices.contains(Int(index)), let text = array[Int(index)] as? String else { return .null }
      return .text(text)
    case (let object as [String: Any], .text(let key)):
      return (object[key] as? String).map { .text($0) } ?? .null
    default:
      return .null
    }
  }

  /// Whether JSON, or a path into it, may have a zero byte, which is written as an escape.
  static func hasZeroByte(_ json: Relational.Expression) -> Relational.Expression {
    .binary(.greater, .function(.position, [json, .value(.text("\\u0000"))]), .value(.integer(0)))
  }
}
