import Foundation

extension PredicateExpressions.ClosedRange: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    .range(
      RangeTerm(lower: try context.translate(lower), upper: try context.translate(upper), includesUpper: true))
  }
}

extension PredicateExpressions.Range: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    .range(
      RangeTerm(lower: try context.translate(lower), upper: try context.translate(upper), includesUpper: false))
  }
}

extension PredicateExpressions.RangeExpressionContains: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    guard let range = try context.translate(range).range else {
      throw Untranslatable("the range is of an unknown kind")
    }
    return Term(try range.contains(context.translate(element), context))
  }
}

extension Term {
  /// The term as a range; nil if it is none.
  var range: RangeTerm? {
    switch self {
    case .range(let range): range
    case .constant(let value): (value as? any CapturedRange)?.term
    default: nil
    }
  }
}

extension RangeTerm {
  func contains(_ element: Term, _ context: TranslationContext) throws -> Condition {
    var condition = Condition.always(true)
    if let lower {
      condition = condition.and(try Ordering.holds(element, .greaterOrEqual, lower, context))
    }
    if let upper {
      condition = condition.and(try Ordering.holds(element, includesUpper ? .lessOrEqual : .less, upper, context))
    }
    return condition
  }
}
