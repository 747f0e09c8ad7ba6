import Foundation
import FoundationSupplements
import Relational
@_spi(_Unicode) import Swift

/// The functions that give SQL Swift's understanding of text. Each answers null when an argument is none.
enum StringFunctions {
  static let all = [
    normalized, contains, startsWith, localizedStandardContains, characterCount, localizedCompare,
    caseInsensitiveCompare, RegularExpressions.matches, JSONFunctions.uuid,
  ]

  /// The text in Unicode's normal form C. Two of them are equal, or in an order, byte by byte exactly when the texts are
  /// as Swift strings.
  static let normalized = ScalarFunction(name: "swiftdata_normalized", argumentCount: 1) { arguments in
    guard case .text(let text) = arguments[0] else { return .null }
    return .text(CanonicalText.normalized(text))
  }

  static let contains = test("swiftdata_contains") { containsCharacters($0, $1) }
  static let startsWith = test("swiftdata_starts_with") { $0.starts(with: $1) }

  static let localizedStandardContains = test("swiftdata_localized_standard_contains") {
    $0.localizedStandardContains($1)
  }

  static let localizedCompare = order("swiftdata_localized_compare") { $0.localizedCompare($1) }
  static let caseInsensitiveCompare = order("swiftdata_case_insensitive_compare") { $0.caseInsensitiveCompare($1) }

  static let characterCount = ScalarFunction(name: "swiftdata_count", argumentCount: 1) { arguments in
    guard case .text(let text) = arguments[0] else { return .null }
    return .integer(Int64(text.count))
  }

  private static func test(
    _ name: String, _ body: @escaping @Sendable (String, String) -> Bool
  ) -> ScalarFunction {
    ScalarFunction(name: name, argumentCount: 2) { arguments in
      guard case .text(let text) = arguments[0], case .text(let other) = arguments[1] else { return .null }
      return .integer(body(text, other) ? 1 : 0)
    }
  }

  private static func order(
    _ name: String, _ body: @escaping @Sendable (String, String) -> ComparisonResult
  ) -> ScalarFunction {
    ScalarFunction(name: name, argumentCount: 2) { arguments in
      guard case .text(let text) = arguments[0], case .text(let other) = arguments[1] else { return .null }
      return .integer(Int64(body(text, other).rawValue))
    }
  }

  /// Foundation has a `contains` for strings with rules of its own. Generic code, such as a predicate's, gets the
  /// standard library's.
  private static func containsCharacters<Text: Collection>(_ text: Text, _ other: Text) -> Bool
  where Text.Element: Equatable {
    text.contains(other)
  }
}
