import Relational

/// Columns have NaN as something that comes after all numbers and equals itself.
enum FloatingPoint {
  static func isNumber(_ expression: SQLExpression) -> SQLTest {
    SQLTest(.idiom(.isNotNaN(expression)))
  }

  /// The number, or null for NaN: as an operand of arithmetic, which then gives null as well.
  static func operand(_ scalar: ScalarTerm) -> SQLExpression {
    guard scalar.kind.isFloatingPoint else { return scalar.expression }
    switch scalar.expression {
    case .value(ColumnEncoding.notANumber): return .value(.null)
    case .value, .binary, .unary: return scalar.expression
    default: return .function(.nullIf, [scalar.expression, .value(ColumnEncoding.notANumber)])
    }
  }
}
