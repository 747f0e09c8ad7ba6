extension SQLWriter {
  /// Writes whether `operand` is one of `values`; null is a member only where `values` has null.
  mutating func writeMembership(of operand: Expression, in values: [Value]) {
    guard !values.isEmpty else { return write(dialect.alwaysFalse) }
    guard values.contains(where: { $0.isNull }) else {
      return dialect.writeMembership(of: operand, in: values, to: &self)
    }
    let present = values.filter { !$0.isNull }
    if !present.isEmpty {
      dialect.writeMembership(of: operand, in: present, to: &self)
      write(" OR ")
    }
    write(.isNull(operand))
  }

  /// Writes `operand IN (?, ?, …)`.
  package mutating func writePlainMembership(of operand: Expression, in values: [Value]) {
    write(operand, asOperandAbove: .predicate)
    write(" IN (")
    write(values) { $0.bind($1) }
    write(")")
  }

  /// Writes a prefix test as a range, which an index on the operand answers.
  mutating func writePrefixTest(of operand: Expression, _ prefix: Value) {
    guard case .text(let prefix) = prefix else { return write(dialect.alwaysFalse) }
    guard !prefix.isEmpty else { return write(.isNotNull(operand)) }
    // Without an upper bound among the texts, the range ends where texts end.
    let end = TextPrefix(prefix).upperBound.map(Value.text) ?? dialect.endOfTexts
    write(operand, asOperandAbove: .predicate)
    write(" >= ")
    bind(.text(prefix))
    guard let end else { return }
    write(" AND ")
    write(operand, asOperandAbove: .predicate)
    write(" < ")
    bind(end)
  }
}
