import Foundation

/// One aggregate over the models of a group.
struct AggregateColumn: Sendable {
  enum Function: Hashable, Sendable {
    case count, distinctCount
    case arithmetic(ArithmeticFunctions.Outcome, _Arithmetic.Kind)
    case minimum, maximum
  }

  let function: Function
  /// Nil when models are counted.
  let operand: AggregateOperand?
  /// The type of the result without any optional around it.
  let resultType: any Any.Type

  func isSame(as other: AggregateColumn, for runtime: ModelRuntime) -> Bool {
    guard function == other.function else { return false }
    guard let operand, let otherOperand = other.operand else { return self.operand == nil && other.operand == nil }
    return operand.isSame(as: otherOperand, for: runtime)
  }
}
