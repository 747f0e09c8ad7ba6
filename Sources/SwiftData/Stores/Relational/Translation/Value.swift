import Foundation

extension PredicateExpressions.Value: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    .constant(flattened(context.recorder?.record(value) ?? value))
  }
}

extension PredicateExpressions.NilLiteral: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    .constant(nil)
  }
}

extension PredicateExpressions.Variable: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    guard let term = context.term(for: key) else { throw Untranslatable("a variable has no value") }
    return term
  }
}
