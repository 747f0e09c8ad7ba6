extension SQLWriter {
  package mutating func write(_ expression: Expression) {
    depth += 1
    greatestDepth = max(greatestDepth, depth)
    defer { depth -= 1 }
    switch expression {
    case .column(let table, let name):
      if !table.isEmpty {
        write(identifier: table)
        write(".")
      }
      write(identifier: name)
    case .value(let value):
      bind(value)
    case .parameter:
      bind(.null)
    case .unary(.not, let operand):
      write("NOT ")
      write(operand, asOperandAbove: .prefix)
    case .unary(.negate, let operand):
      write("-")
      if case .value = operand { write(typed: operand) } else { write(operand, asOperandAbove: .prefix) }
    case .binary(let binary, let left, let right):
      write(binary, left, right)
    case .isNull(let operand):
      write(operand, asOperandAbove: .predicate)
      write(" IS NULL")
    case .isNotNull(let operand):
      write(operand, asOperandAbove: .predicate)
      write(" IS NOT NULL")
    case .function(.custom(let name), let arguments):
      dialect.write(callOf: name, arguments, to: &self)
    case .function(let function, let arguments):
      write(dialect.name(of: function))
      write("(")
      write(arguments) { $0.write($1) }
      write(")")
    case .aggregate(let aggregate, let argument, let isDistinct):
      writeAggregate(aggregate) { writer in
        if isDistinct && argument != nil { writer.write("DISTINCT ") }
        if let argument { writer.write(argument) } else { writer.write("*") }
      }
    case .idiom(let idiom):
      dialect.write(idiom, to: &self)
    case .isIn(let operand, let values):
      writeMembership(of: operand, in: values)
    case .isInSelect(let operand, let select):
      write(operand, asOperandAbove: .predicate)
      write(" IN (")
      write(select)
      write(")")
    case .exists(let select):
      write("EXISTS (")
      write(select)
      write(")")
    case .scalar(let select):
      write("(")
      write(select)
      write(")")
    case .conditional:
      writeChoice(expression)
    case .hasPrefix(let operand, let prefix):
      writePrefixTest(of: operand, prefix)
    case .prepared(let prepared):
      write(prepared)
    }
  }

  private mutating func writeAggregate(_ aggregate: Expression.Aggregate, of argument: (inout Self) -> Void) {
    let name: String
    switch aggregate {
    case .count: name = "count"
    case .minimum: name = "min"
    case .maximum: name = "max"
    case .custom(let name): return dialect.write(aggregate: name, of: argument, to: &self)
    }
    write("\(name)(")
    argument(&self)
    write(")")
  }

  /// Writes a value whose type does not follow from its place, or another expression.
  mutating func write(typed expression: Expression) {
    guard case .value(let value) = expression else { return write(expression) }
    bind(value, isTyped: true)
  }

  /// Writes an expression as the operand of a comparison or another test.
  package mutating func write(operand: Expression) {
    write(operand, asOperandAbove: .predicate)
  }

  /// Writes an operand, in parentheses unless it binds more tightly than `level`.
  mutating func write(_ operand: Expression, asOperandAbove level: SQLPrecedence) {
    write(operand, inParentheses: operand.precedence <= level)
  }

  private mutating func write(_ expression: Expression, inParentheses: Bool) {
    if inParentheses { write("(") }
    write(expression)
    if inParentheses { write(")") }
  }

  private mutating func write(_ binary: Expression.Binary, _ left: Expression, _ right: Expression) {
    switch (binary, left, right) {
    case (.and, _, _), (.or, _, _):
      writeChain(of: binary, operands(of: binary, left, right)[...])
    case (.isSame, let operand, .value(.null)), (.isSame, .value(.null), let operand):
      write(.isNull(operand))
    case (.isNotSame, let operand, .value(.null)), (.isNotSame, .value(.null), let operand):
      write(.isNotNull(operand))
    default:
      if binary.isArithmetic || left.isValue && right.isValue {
        return writeTyped(binary, left, right)
      }
      let level = binary.precedence
      let isChain = level > .predicate && left.precedence == level
      write(left, inParentheses: left.precedence <= level && !isChain)
      write(" \(spelling(of: binary)) ")
      write(right, asOperandAbove: level)
    }
  }

  /// Writes an operation whose values do not get their types from each other.
  private mutating func writeTyped(_ binary: Expression.Binary, _ left: Expression, _ right: Expression) {
    let level = binary.precedence
    let isChain = level > .predicate && left.precedence == level
    if left.isValue { write(typed: left) } else { write(left, inParentheses: left.precedence <= level && !isChain) }
    write(" \(spelling(of: binary)) ")
    if right.isValue { write(typed: right) } else { write(right, asOperandAbove: level) }
  }

  /// The operands of a tree of one operator, from left to right. Iterative, because predicates over long lists are deep.
  private func operands(of binary: Expression.Binary, _ left: Expression, _ right: Expression) -> [Expression] {
    var operands: [Expression] = []
    var pending = [right, left]
    while let next = pending.popLast() {
      if case .binary(binary, let left, let right) = next {
        pending += [right, left]
      } else {
        operands.append(next)
      }
    }
    return operands
  }

  /// Writes a long chain as a balanced tree: databases limit the depth of an expression, and a flat chain is as deep as long.
  private mutating func writeChain(of binary: Expression.Binary, _ operands: ArraySlice<Expression>) {
    guard operands.count > 100 else {
      write(operands, separator: " \(spelling(of: binary)) ") { writer, operand in
        let isOther = operand.precedence != binary.precedence
        writer.write(operand, inParentheses: isOther && operand.precedence <= .conjunction)
      }
      return
    }
    let middle = operands.startIndex + operands.count / 2
    write("(")
    writeChain(of: binary, operands[..<middle])
    write(") \(spelling(of: binary)) (")
    writeChain(of: binary, operands[middle...])
    write(")")
  }

  private func spelling(of binary: Expression.Binary) -> String {
    switch binary {
    case .and: "AND"
    case .or: "OR"
    case .isSame: dialect.sameOperator(isNegated: false)
    case .isNotSame: dialect.sameOperator(isNegated: true)
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    }
  }

  /// Writes a chain of conditions as one CASE expression: parsers limit how many can be nested.
  private mutating func writeChoice(_ expression: Expression) {
    write("CASE")
    let areValues = expression.hasOnlyValues
    var rest = expression
    while case .conditional(let condition, let then, let otherwise) = rest {
      write(" WHEN ")
      write(condition)
      write(" THEN ")
      if areValues { write(typed: then) } else { write(then) }
      rest = otherwise
    }
    write(" ELSE ")
    if areValues { write(typed: rest) } else { write(rest) }
    write(" END")
  }
}

extension Expression.Binary {
  fileprivate var isArithmetic: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .remainder: true
    default: false
    }
  }
}

extension Expression {
  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }

  /// Whether all results of a chain of conditions are values.
  fileprivate var hasOnlyValues: Bool {
    var rest = self
    while case .conditional(_, let then, let otherwise) = rest {
      guard case .value = then else { return false }
      rest = otherwise
    }
    if case .value = rest { return true }
    return false
  }
}
