import Relational

extension LayoutRules {
  /// Whether the database has all that an expression consists of. A database server cannot call the functions of this program;
  /// its dialect has expressions of its own for some, and none for parts of JSON.
  func supports(_ expression: SQLExpression) -> Bool {
    guard let nativeFunctions else { return true }
    return !expression.contains { part in
      switch part {
      case .function(.custom(let name), _), .aggregate(.custom(let name), _, _): !nativeFunctions.contains(name)
      case .idiom(.jsonMember), .idiom(.jsonText), .idiom(.isFound): true
      default: false
      }
    }
  }

  /// The condition, as far as the database supports it.
  ///
  /// - Throws: ``Untranslatable`` where it can be evaluated only in memory, for all rows.
  func limited(_ condition: Condition) throws -> Condition {
    guard nativeFunctions != nil else { return condition }
    return try condition.limited { test in
      if supports(test.expression) { return nil }
      guard let wider = test.expression.wider, supports(wider) else {
        throw Untranslatable("the database has no function for it")
      }
      return SQLTest(wider, mayBeNull: test.mayBeNull)
    }
  }
}

extension SQLExpression {
  /// A condition that all rows meet which meet this one, without functions of this program; nil if there is none.
  fileprivate var wider: SQLExpression? {
    switch self {
    case .function(.custom(StringFunctions.contains.name), let operands),
      .function(.custom(StringFunctions.startsWith.name), let operands):
      // Equal characters have equal scalars in normal form C, except where the part begins or ends within a character.
      guard case .value(.text(let part)) = operands[1] else { return nil }
      let scalars = CanonicalText(part).stablePrefix
      if scalars.isEmpty { return nil }
      let position = SQLExpression.function(
        .position, [TextComparison.normalized(operands[0]), .value(.text(scalars))])
      return .binary(.greater, position, .value(.integer(0)))
    case .binary(.and, let left, let right): return left.wider ?? right.wider
    case .hasPrefix: return self
    default: return nil
    }
  }

  /// Whether a part of the expression meets a condition, or reads elements of JSON as rows.
  fileprivate func contains(where isWanted: (SQLExpression) -> Bool) -> Bool {
    if isWanted(self) { return true }
    switch self {
    case .column, .value, .parameter, .prepared: return false
    case .unary(_, let operand), .isNull(let operand), .isNotNull(let operand), .isIn(let operand, _),
      .hasPrefix(let operand, _):
      return operand.contains(where: isWanted)
    case .binary(_, let left, let right): return left.contains(where: isWanted) || right.contains(where: isWanted)
    case .function(_, let arguments): return arguments.contains { $0.contains(where: isWanted) }
    case .aggregate(_, let argument, _): return argument?.contains(where: isWanted) == true
    case .idiom(let idiom): return idiom.operands.contains { $0.contains(where: isWanted) }
    case .isInSelect(let operand, let select):
      return operand.contains(where: isWanted) || select.contains(where: isWanted)
    case .exists(let select), .scalar(let select): return select.contains(where: isWanted)
    case .conditional(let condition, let then, let otherwise):
      return [condition, then, otherwise].contains { $0.contains(where: isWanted) }
    }
  }
}

extension SQLExpression.Idiom {
  fileprivate var operands: [SQLExpression] {
    switch self {
    case .isTrue(let operand), .truth(let operand), .holds(let operand), .isNaN(let operand), .isNotNaN(let operand),
      .isFileName(let operand), .jsonMember(let operand, _):
      [operand]
    case .jsonText(let value, let json, let key): [value, json, key]
    case .isFound(let text, _, let key): [text, key]
    }
  }
}

extension Select {
  fileprivate func contains(where isWanted: (SQLExpression) -> Bool) -> Bool {
    if from.elements != nil || joins.contains(where: { $0.source.elements != nil }) { return true }
    let parts =
      columns + joins.map(\.on) + [condition, having].compactMap(\.self) + groupBy + orderBy.map(\.expression)
    return parts.contains { $0.contains(where: isWanted) }
  }
}
