import Foundation

extension PredicateExpressions.Conjunction: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let left = try context.condition(lhs)
    // An operand that Swift never evaluates needs no translation.
    if left.constant == false { return .constant(false) }
    return Term(left.and(try context.condition(rhs)))
  }
}

extension PredicateExpressions.Disjunction: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let left = try context.condition(lhs)
    if left.constant == true { return .constant(true) }
    return Term(left.or(try context.condition(rhs)))
  }
}

extension PredicateExpressions.Negation: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    Term(try context.condition(wrapped, isNegated: true))
  }
}

extension Term {
  /// A condition, as a constant if it is one.
  init(_ condition: Condition) {
    self = condition.constant.map { .constant($0) } ?? .condition(condition)
  }
}
