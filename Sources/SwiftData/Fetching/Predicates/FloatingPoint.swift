import Relational

/// NaN is kept as text, because SQLite has none of its own, and text comes after all numbers.
enum FloatingPoint {
  static func isNumber(_ expression: SQLExpression) -> SQLTest {
    SQLTest(.binary(.notEqual, .function("typeof", [expression]), .value(.text("text"))))
  }

  /// The number, or null for NaN: as an operand of arithmetic, which then gives null as well.
  static func operand(_ scalar: ScalarTerm) -> SQLExpression {
    guard scalar.kind.isFloatingPoint else { return scalar.expression }
    switch scalar.expression {
    case .value(.text): return .value(.null)
    case .value, .binary, .unary: return scalar.expression
    default: return .function("nullif", [scalar.expression, .value(.text(StatementRowWriter.notANumber))])
    }
  }
}
