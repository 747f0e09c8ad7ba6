import Foundation
import FoundationSupplements

extension PredicateExpressions.ExpressionEvaluate: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    guard case .constant(let value) = try context.translate(expression), let value = value as? Transformation.Output
    else { throw Untranslatable("the expression is no captured one") }
    repeat context.bind(each value.variable, to: try context.translate(each input))
    return try context.translate(value.expression)
  }
}

#if !canImport(Darwin)
  extension PredicateExpressions.PredicateEvaluate: SQLTranslatable {
    func translate(in context: TranslationContext) throws -> Term {
      guard case .constant(let value) = try context.translate(predicate), let value = value as? Condition.Output
      else { throw Untranslatable("the predicate is no captured one") }
      repeat context.bind(each value.variable, to: try context.translate(each input))
      return Term(try context.condition(value.expression))
    }
  }

  extension PredicateExpressions.CapturedPredicate: SQLTranslatable {
    func translate(in context: TranslationContext) throws -> Term {
      .constant(predicate)
    }
  }

  extension PredicateExpressions.CapturedExpression: SQLTranslatable {
    func translate(in context: TranslationContext) throws -> Term {
      .constant(expression)
    }
  }
#endif
