import Foundation

/// The root node and the variables of a predicate or an expression, without their static types.
struct ExpressionBody {
  let variables: [PredicateExpressions.VariableID]
  let expression: any PredicateExpression
}
