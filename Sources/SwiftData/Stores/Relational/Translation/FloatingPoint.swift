import Relational

/// Columns store NaN as a value that is greater than all numbers and equals itself.
enum FloatingPoint {
  static func isNumber(_ expression: SQLExpression) -> SQLTest {
    SQLTest(.idiom(.isNotNaN(expression)))
  }

  /// The operand of arithmetic: null for NaN, so that the result is null too.
  static func operand(_ scalar: ScalarTerm) -> SQLExpression {
    guard scalar.kind.isFloatingPoint else { return scalar.expression }
    switch scalar.expression {
    case .value(ColumnEncoding.notANumber): return .value(.null)
    case .value, .binary, .unary: return scalar.expression
    default: return .function(.nullIf, [scalar.expression, .value(ColumnEncoding.notANumber)])
    }
  }
}
