import Foundation

extension PredicateExpressions.Value: SQLTranslatable {
  var operands: [any PredicateExpression] { [] }

  func translate(in context: TranslationContext) throws -> Term {
    .constant(flattened(value))
  }
}

extension PredicateExpressions.NilLiteral: SQLTranslatable {
  var operands: [any PredicateExpression] { [] }

  func translate(in context: TranslationContext) throws -> Term {
    .constant(nil)
  }
}

extension PredicateExpressions.Variable: SQLTranslatable {
  var operands: [any PredicateExpression] { [] }

  func translate(in context: TranslationContext) throws -> Term {
    guard let term = context.term(for: key) else { throw Untranslatable("a variable stands for nothing") }
    return term
  }
}
