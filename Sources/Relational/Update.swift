/// A statement that changes rows, independent of the dialect.
package struct Update: Hashable, Sendable {
  package struct Assignment: Hashable, Sendable {
    package var column: String
    package var value: Expression

    package init(_ column: String, _ value: Expression) {
      self.column = column
      self.value = value
    }
  }

  package var table: String
  /// The alias of the table in expressions; nil where they name only columns.
  package var alias: String?
  package var assignments: [Assignment]
  package var condition: Expression

  package init(_ table: String, as alias: String? = nil, set assignments: [Assignment], where condition: Expression) {
    self.table = table
    self.alias = alias
    self.assignments = assignments
    self.condition = condition
  }
}
