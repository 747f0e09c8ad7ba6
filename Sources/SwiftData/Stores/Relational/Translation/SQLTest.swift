import Relational

/// An SQL condition. Where it is null, it counts as false.
struct SQLTest: Equatable {
  var expression: SQLExpression
  var mayBeNull: Bool

  init(_ expression: SQLExpression, mayBeNull: Bool = false) {
    self.expression = expression
    self.mayBeNull = mayBeNull
  }

  static let never = SQLTest(.isIn(.value(.null), []))

  /// The condition with null as false, for negations.
  var twoValued: SQLExpression {
    mayBeNull ? .idiom(.isTrue(expression)) : expression
  }

  var negated: SQLTest {
    switch (expression, mayBeNull) {
    case (.binary(.equal, let left, .value(let value)), true) where value != .null:
      SQLTest(.binary(.isNotSame, left, .value(value)))
    case (.binary(.equal, let left, let right), false): SQLTest(.binary(.notEqual, left, right))
    case (.binary(.notEqual, let left, let right), false): SQLTest(.binary(.equal, left, right))
    case (.binary(.isSame, let left, let right), _): SQLTest(.binary(.isNotSame, left, right))
    case (.binary(.isNotSame, let left, let right), _): SQLTest(.binary(.isSame, left, right))
    case (.isNull(let operand), _): SQLTest(.isNotNull(operand))
    case (.isNotNull(let operand), _): SQLTest(.isNull(operand))
    case (.idiom(.isNaN(let operand)), _): SQLTest(.idiom(.isNotNaN(operand)))
    case (.idiom(.isNotNaN(let operand)), _): SQLTest(.idiom(.isNaN(operand)))
    case (.unary(.not, let operand), false): SQLTest(operand)
    default: SQLTest(.unary(.not, twoValued))
    }
  }

  func and(_ other: SQLTest) -> SQLTest {
    SQLTest(.binary(.and, expression, other.expression), mayBeNull: mayBeNull || other.mayBeNull)
  }

  func or(_ other: SQLTest) -> SQLTest {
    SQLTest(.binary(.or, expression, other.expression), mayBeNull: mayBeNull || other.mayBeNull)
  }
}

extension SQLExpression {
  /// Whether the expression is certainly null where `operand` is. False if unknown.
  func isNull(whenNull operand: SQLExpression) -> Bool {
    if self == operand { return true }
    switch self {
    case .unary(_, let inner), .hasPrefix(let inner, _):
      return inner.isNull(whenNull: operand)
    case .binary(let binary, let left, let right):
      switch binary {
      case .and, .or, .isSame, .isNotSame: return false
      default: return left.isNull(whenNull: operand) || right.isNull(whenNull: operand)
      }
    case .isIn(let inner, let values):
      return !values.isEmpty && !values.contains { $0.isNull } && inner.isNull(whenNull: operand)
    case .idiom(.jsonMember(let json, _)):
      return json.isNull(whenNull: operand)
    case .idiom(.truth(let inner)), .idiom(.holds(let inner)):
      return inner.isNull(whenNull: operand)
    case .function(let function, let arguments):
      return function.isStrict && arguments.contains { $0.isNull(whenNull: operand) }
    case .scalar(let select):
      let isAggregate = select.columns.contains { if case .aggregate = $0 { true } else { false } }
      return !isAggregate && select.condition?.isNull(whenNull: operand) == true
    default:
      return false
    }
  }

  /// Whether the condition is certainly null or false where `operand` is null. False if unknown.
  func isFalsy(whenNull operand: SQLExpression) -> Bool {
    switch self {
    case .binary(.and, let left, let right):
      left.isFalsy(whenNull: operand) || right.isFalsy(whenNull: operand)
    case .binary(.or, let left, let right):
      left.isFalsy(whenNull: operand) && right.isFalsy(whenNull: operand)
    case .binary(.isSame, let left, .value(let value)): value != .null && left.isNull(whenNull: operand)
    case .isNotNull(let inner): inner.isNull(whenNull: operand)
    case .isInSelect(let inner, _): inner.isNull(whenNull: operand)
    case .idiom(.holds(let inner)): inner.isFalsy(whenNull: operand)
    default: isNull(whenNull: operand)
    }
  }
}

extension SQLExpression {
  /// A call of one of the store's functions.
  static func call(_ function: ScalarFunction, _ arguments: [SQLExpression]) -> SQLExpression {
    .function(.custom(function.name), arguments)
  }
}

extension SQLExpression.Function {
  /// Whether the function is null if an argument is.
  fileprivate var isStrict: Bool {
    switch self {
    case .position, .byteCount: true
    case .coalesce, .nullIf: false
    case .custom(let name): StringFunctions.all.contains { $0.name == name }
    }
  }
}
