import Foundation
import Relational
import Synchronization

/// The regular expressions of predicates, which SQL knows by numbers.
enum RegularExpressions {
  private struct Registry {
    var expressions: [PredicateExpressions.PredicateRegex] = []
    var numbers: [String: Int64] = [:]
  }

  private static let registry = Mutex(Registry())

  /// Whether a text has a match of the expression with a number.
  static let matches = ScalarFunction(name: "swiftdata_matches", argumentCount: 2) { arguments in
    guard case .text(let text) = arguments[0], case .integer(let number) = arguments[1],
      let expression = expression(numbered: number)
    else { return .null }
    return .integer(text.contains(expression.regex) ? 1 : 0)
  }

  /// The number of an expression: one for all that are written alike, for the life of the process.
  static func register(_ expression: PredicateExpressions.PredicateRegex) -> Int64 {
    registry.withLock { registry in
      if let number = registry.numbers[expression.stringRepresentation] { return number }
      let number = Int64(registry.expressions.count)
      registry.expressions.append(expression)
      registry.numbers[expression.stringRepresentation] = number
      return number
    }
  }

  private static func expression(numbered number: Int64) -> PredicateExpressions.PredicateRegex? {
    registry.withLock { registry in
      registry.expressions.indices.contains(Int(number)) ? registry.expressions[Int(number)] : nil
    }
  }
}
