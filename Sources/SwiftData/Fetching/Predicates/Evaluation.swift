import Foundation

extension PredicateExpressions.ExpressionEvaluate: SQLTranslatable {
  var operands: [any PredicateExpression] {
    var operands: [any PredicateExpression] = [expression]
    repeat operands.append(each input)
    return operands
  }

  func translate(in context: TranslationContext) throws -> Term {
    guard case .constant(let value) = try context.translate(expression), let value = value as? Transformation.Output
    else { throw Untranslatable("the expression is no captured one") }
    repeat context.bind(each value.variable, to: try context.translate(each input))
    return try context.translate(value.expression)
  }
}
