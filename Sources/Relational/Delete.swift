/// A statement that deletes rows, independent of the dialect: all rows of a table if there is no condition.
package struct Delete: Hashable, Sendable {
  package var table: String
  package var condition: Expression?

  package init(from table: String, where condition: Expression? = nil) {
    self.table = table
    self.condition = condition
  }
}
