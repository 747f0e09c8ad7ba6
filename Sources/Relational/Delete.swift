/// A statement that deletes rows, before any dialect: all of a table without a condition.
package struct Delete: Hashable, Sendable {
  package var table: String
  package var condition: Expression?

  package init(from table: String, where condition: Expression? = nil) {
    self.table = table
    self.condition = condition
  }
}
