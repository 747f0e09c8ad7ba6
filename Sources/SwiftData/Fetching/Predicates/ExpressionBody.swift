import Foundation

/// What a predicate or an expression says, and the variables that it says it of, whatever their types.
struct ExpressionBody {
  let variables: [PredicateExpressions.VariableID]
  let expression: any PredicateExpression
}
