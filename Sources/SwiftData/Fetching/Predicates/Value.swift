import Foundation

extension PredicateExpressions.Value: SQLTranslatable {
  var operands: [any PredicateExpression] { [] }

  func translate(in context: TranslationContext) throws -> Term {
    .constant(flattened(context.recorder?.take(value) ?? value))
  }

  func describe(to shape: inout PredicateShape) {
    shape.add(captured: value)
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

  func describe(to shape: inout PredicateShape) {
    shape.add(key)
  }
}
