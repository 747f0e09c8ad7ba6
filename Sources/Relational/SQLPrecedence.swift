/// How tightly the outermost operator of an expression binds.
///
/// The order is coarser than that of any one database, so the same parentheses are correct in all of them.
enum SQLPrecedence: Int, Comparable {
  case disjunction
  case conjunction
  case negation
  case predicate
  case sum
  case product
  case prefix
  case operand

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Expression {
  var precedence: SQLPrecedence {
    switch self {
    case .column, .value, .parameter, .function, .aggregate, .exists, .scalar, .conditional: .operand
    case .unary(.not, _): .negation
    case .idiom(let idiom): idiom.precedence
    case .unary(.negate, _): .prefix
    case .binary(let binary, _, _): binary.precedence
    case .isNull, .isNotNull, .isInSelect: .predicate
    case .isIn(_, let values):
      switch (values.isEmpty, values.contains { $0.isNull }) {
      case (true, _): .operand
      case (false, true): .disjunction
      case (false, false): .predicate
      }
    case .hasPrefix(_, .text(let prefix)): prefix.isEmpty ? .predicate : .conjunction
    case .hasPrefix: .operand
    // The lowest, because the prepared text is not parsed.
    case .prepared: .disjunction
    }
  }
}

extension Expression.Idiom {
  var precedence: SQLPrecedence {
    switch self {
    case .isTrue, .jsonMember, .jsonText: .operand
    case .isNaN, .isNotNaN, .isFileName, .isFound: .predicate
    // At most this: a database whose conditions are values writes no operator around them.
    case .truth(let inner), .holds(let inner): inner.precedence
    }
  }
}

extension Expression.Binary {
  var precedence: SQLPrecedence {
    switch self {
    case .or: .disjunction
    case .and: .conjunction
    case .isSame, .isNotSame, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .predicate
    case .add, .subtract: .sum
    case .multiply, .divide, .remainder: .product
    }
  }
}
