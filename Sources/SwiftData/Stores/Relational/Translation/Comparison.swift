import Foundation
import Relational

extension PredicateExpressions.Comparison: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (left, right) = (try context.translate(lhs), try context.translate(rhs))
    if let folded = try context.folded(self, left, right) { return folded }
    return .condition(try Ordering.holds(left, op.binary, right, context))
  }
}

extension PredicateExpressions.ComparisonOperator {
  fileprivate var binary: SQLExpression.Binary {
    switch self {
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    @unknown default: .less
    }
  }
}

/// Comparisons by order.
enum Ordering {
  static func holds(
    _ left: Term, _ binary: SQLExpression.Binary, _ right: Term, _ context: TranslationContext
  ) throws -> Condition {
    switch (left, right) {
    case (let term, .constant(let value?)):
      return try holds(term.scalar(in: context), binary, value, context)
    case (.constant(let value?), let term):
      return try holds(term.scalar(in: context), binary.mirrored, value, context)
    default:
      return try holds(left.scalar(in: context), binary, right.scalar(in: context))
    }
  }

  private static func holds(
    _ scalar: ScalarTerm, _ binary: SQLExpression.Binary, _ value: Any, _ context: TranslationContext
  ) throws -> Condition {
    if let type = scalar.kind.rawType, let cases = CaseValues.cases(of: type, binary, value) {
      let raws = try cases.map { try context.encode($0, as: scalar.kind) }
      return raws.isEmpty ? .always(false) : .exact(TextComparison.isIn(scalar, raws))
    }
    try check(scalar.kind)
    if let token = value as? DefaultHistoryToken { context.record(binary, token) }
    let value = try context.encode(value, as: scalar.kind)
    if scalar.kind.hasUnequalNaN {
      let isNegation = isNegation(binary, of: scalar.kind)
      if value == ColumnEncoding.notANumber {
        return isNegation ? .exact(scalar.test { .binary(.equal, $0, $0) }) : .always(false)
      }
      guard binary == .greater || binary == .greaterOrEqual && !isNegation else {
        return .exact(scalar.test { .binary(binary, $0, .value(value)) })
      }
      return .exact(
        scalar.test { .binary(.and, .binary(binary, $0, .value(value)), FloatingPoint.isNumber($0).expression) })
    }
    if scalar.kind.isText, case .text(let text) = value {
      let form = SQLExpression.value(.text(CanonicalText.normalized(text)))
      return .exact(scalar.test { .binary(binary, TextComparison.normalized($0), form) })
    }
    return .exact(scalar.test { .binary(binary, $0, .value(value)) })
  }

  private static func holds(
    _ left: ScalarTerm, _ binary: SQLExpression.Binary, _ right: ScalarTerm
  ) throws -> Condition {
    try check(left.kind)
    guard left.kind == right.kind else { throw Untranslatable("\(left.kind) is compared with \(right.kind)") }
    var (first, second) = (left.expression, right.expression)
    if left.kind.isText { (first, second) = (TextComparison.normalized(first), TextComparison.normalized(second)) }
    var test = SQLTest(.binary(binary, first, second), mayBeNull: left.mayBeNull || right.mayBeNull)
    if left.kind.hasUnequalNaN, !isNegation(binary, of: left.kind) {
      test = test.and(FloatingPoint.isNumber(first)).and(FloatingPoint.isNumber(second))
    }
    return .exact(test)
  }

  /// Whether Swift negates another comparison. `Date` has no `<=` and `>=` of its own, so these hold for NaN. In SQL `>=`
  /// does too, as NaN is stored as the largest value, and `<=` does not, so that it can use an index.
  private static func isNegation(_ binary: SQLExpression.Binary, of kind: ScalarKind) -> Bool {
    kind.primitive == Date.self && (binary == .lessOrEqual || binary == .greaterOrEqual)
  }

  /// Types with raw values may define another order, and encoded values have none in SQL.
  private static func check(_ kind: ScalarKind) throws {
    guard kind.rawType == nil, kind.primitive != nil else {
      throw Untranslatable("SQL cannot order \(kind)")
    }
  }
}

extension SQLExpression.Binary {
  /// The operator for exchanged operands.
  fileprivate var mirrored: SQLExpression.Binary {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}
