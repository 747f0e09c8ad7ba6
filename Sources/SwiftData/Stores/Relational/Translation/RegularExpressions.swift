import Foundation
import Relational
import Support

/// The regular expressions of predicates, which SQL identifies by their text.
enum RegularExpressions {
  /// Regular expressions are immutable, though their type is not `Sendable`.
  private struct Compiled: @unchecked Sendable {
    let expression: PredicateExpressions.PredicateRegex
  }

  /// The expressions used last; their number is limited, because predicates may come from anywhere.
  private static let compiled = Mutex(RecentValues<String, Compiled>(capacity: 256))

  /// Whether a text has a match of an expression.
  static let matches = ScalarFunction(name: "swiftdata_matches", argumentCount: 2) { arguments in
    guard case .text(let text) = arguments[0], case .text(let pattern) = arguments[1] else { return .null }
    return .integer(text.contains(try expression(writtenAs: pattern).regex) ? 1 : 0)
  }

  private static func expression(writtenAs pattern: String) throws -> PredicateExpressions.PredicateRegex {
    if let known = compiled.withLock({ $0[pattern] }) { return known.expression }
    // Foundation makes the expression in this way when it decodes a predicate.
    let made = Compiled(
      expression: try JSONDecoder().decode(
        [PredicateExpressions.PredicateRegex].self, from: JSONEncoder().encode([pattern]))[0])
    compiled.withLock { $0[pattern] = made }
    return made.expression
  }
}
