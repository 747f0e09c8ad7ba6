import Foundation
import FoundationSupplements

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

extension PredicateExpressions.ExpressionEvaluate: EvaluationNode {
  var body: (any PredicateExpression, [(PredicateExpressions.VariableID, any PredicateExpression)])? {
    guard let value = try? expression.evaluate(PredicateBindings()) else { return nil }
    var variables: [(PredicateExpressions.VariableID, any PredicateExpression)] = []
    repeat variables.append(((each value.variable).key, each input))
    return (value.expression, variables)
  }
}

#if !canImport(Darwin)
  extension PredicateExpressions.PredicateEvaluate: EvaluationNode {
    var body: (any PredicateExpression, [(PredicateExpressions.VariableID, any PredicateExpression)])? {
      guard let value = try? predicate.evaluate(PredicateBindings()) else { return nil }
      var variables: [(PredicateExpressions.VariableID, any PredicateExpression)] = []
      repeat variables.append(((each value.variable).key, each input))
      return (value.expression, variables)
    }
  }

  extension PredicateExpressions.PredicateEvaluate: SQLTranslatable {
    var operands: [any PredicateExpression] {
      var operands: [any PredicateExpression] = [predicate]
      repeat operands.append(each input)
      return operands
    }

    func translate(in context: TranslationContext) throws -> Term {
      guard case .constant(let value) = try context.translate(predicate), let value = value as? Condition.Output
      else { throw Untranslatable("the predicate is no captured one") }
      repeat context.bind(each value.variable, to: try context.translate(each input))
      return Term(try context.condition(value.expression))
    }
  }

  extension PredicateExpressions.CapturedPredicate: SQLTranslatable {
    var operands: [any PredicateExpression] { [] }

    func translate(in context: TranslationContext) throws -> Term {
      .constant(predicate)
    }

    func describe(to shape: inout PredicateShape) {
      shape.leaveOpen()
    }
  }

  extension PredicateExpressions.CapturedExpression: SQLTranslatable {
    var operands: [any PredicateExpression] { [] }

    func translate(in context: TranslationContext) throws -> Term {
      .constant(expression)
    }

    func describe(to shape: inout PredicateShape) {
      shape.leaveOpen()
    }
  }
#endif
