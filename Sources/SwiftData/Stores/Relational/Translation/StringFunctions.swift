import Foundation
import FoundationSupplements
import Relational
@_spi(_Unicode) import Swift

/// Functions for SQL with Swift's rules for text. Each returns null if an argument is no text.
enum StringFunctions {
  static let all = [
    normalized, contains, startsWith, localizedStandardContains, characterCount, localizedCompare,
    caseInsensitiveCompare, RegularExpressions.matches, JSONFunctions.uuid,
  ]

  /// The text in Unicode's normal form C, in which bytes are equal and ordered exactly like Swift strings.
  static let normalized = ScalarFunction(name: "swiftdata_normalized", argumentCount: 1) { arguments in
    guard case .text(let text) = arguments[0] else { return .null }
    return .text(CanonicalText.normalized(text))
  }

  static let contains = ScalarFunction(name: "swiftdata_contains") { pattern in
    let search = CharacterSearch(for: pattern)
    return { search.isFound(in: $0) }
  }

  static let startsWith = ScalarFunction(name: "swiftdata_starts_with") { pattern in
    let search = CharacterSearch(for: pattern)
    return { search.isBeginning(of: $0) }
  }

  static let localizedStandardContains = ScalarFunction(name: "swiftdata_localized_standard_contains") { pattern in
    let search = LocalizedSearch(for: pattern)
    return { search.isFound(in: $0) }
  }

  static let localizedCompare = order("swiftdata_localized_compare", LocalizedOrder.compare)
  static let caseInsensitiveCompare = order("swiftdata_case_insensitive_compare") { $0.caseInsensitiveCompare($1) }

  static let characterCount = ScalarFunction(name: "swiftdata_count", argumentCount: 1) { arguments in
    guard case .text(let text) = arguments[0] else { return .null }
    return .integer(Int64(text.count))
  }

  private static func order(
    _ name: String, _ body: @escaping @Sendable (String, String) -> ComparisonResult
  ) -> ScalarFunction {
    ScalarFunction(name: name, argumentCount: 2) { arguments in
      guard case .text(let text) = arguments[0], case .text(let other) = arguments[1] else { return .null }
      return .integer(Int64(body(text, other).rawValue))
    }
  }
}
