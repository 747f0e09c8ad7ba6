import Relational

/// Whether an optional has a value.
struct Presence {
  /// Never null.
  var test: SQLTest
  /// Expressions that are null if there is no value.
  var nullExpressions: [SQLExpression]

  init(_ test: SQLTest, nullExpressions: [SQLExpression] = []) {
    self.test = test
    self.nullExpressions = nullExpressions
  }

  init(notNull expression: SQLExpression) {
    self.init(SQLTest(.isNotNull(expression)), nullExpressions: [expression])
  }

  func and(_ other: Presence?) -> Presence {
    guard let other else { return self }
    return Presence(test.and(other.test), nullExpressions: nullExpressions + other.nullExpressions)
  }

  /// The condition, and false where there is no value.
  func and(_ condition: Condition) -> Condition {
    condition.map { truth in
      switch truth {
      case .always(false): truth
      case .always(true): .test(test)
      case .test(let other):
        .test(isImplied(by: other) ? SQLTest(other.expression, mayBeNull: true) : test.and(other))
      }
    }
  }

  /// The expression, and null where there is no value.
  func guarding(_ expression: SQLExpression) -> SQLExpression {
    if nullExpressions.contains(where: { expression.isNull(whenNull: $0) }) { return expression }
    return .conditional(condition: test.expression, then: expression, otherwise: .value(.null))
  }

  private func isImplied(by other: SQLTest) -> Bool {
    nullExpressions.contains { other.expression.isFalsy(whenNull: $0) }
  }
}
