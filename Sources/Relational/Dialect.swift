/// How one database spells SQL.
package protocol Dialect: Sendable {
  /// A statement and the values to bind to it, in the order of its parameters: null for those that are still open.
  func render(_ select: Select) -> RenderedStatement
  func render(_ insert: Insert) -> RenderedStatement
  func render(_ update: Update) -> RenderedStatement
  func render(_ delete: Delete) -> RenderedStatement
  func render(_ expression: Expression) -> RenderedStatement
  /// An expression that can be a part of this dialect's statements.
  func prepare(_ expression: Expression) -> PreparedExpression

  func createTable(_ table: TableDefinition) -> [String]
  func createIndex(_ index: TableDefinition.Index, on table: String) -> String
  /// The statement that adds a column to a table with rows; a column that is not nullable has a default value.
  func addColumn(_ column: TableDefinition.Column, to table: String) -> String
  func dropColumn(_ column: String, from table: String) -> [String]
  func dropIndex(_ index: String) -> String
  func quoted(_ identifier: String) -> String
}

package struct RenderedStatement: Hashable, Sendable {
  package var sql: String
  package var parameters: [Value]

  package init(sql: String, parameters: [Value]) {
    self.sql = sql
    self.parameters = parameters
  }
}
