/// The SQL of one kind of database.
package protocol Dialect: Sendable {
  /// A statement and the values to bind to it, in the order of its parameters; a value that is not known yet is null.
  func render(_ select: Select) -> RenderedStatement
  func render(_ insert: Insert) -> RenderedStatement
  func render(_ update: Update) -> RenderedStatement
  func render(_ delete: Delete) -> RenderedStatement
  func render(_ expression: Expression) -> RenderedStatement
  /// A statement that sets columns of the rows of a `RowBatch`, if the database has a better way than a statement for each row.
  ///
  /// - Parameters:
  ///   - columns: The columns of the batch, in its order.
  ///   - key: The column that has the keys of the batch.
  func update(_ table: String, setting columns: [TableDefinition.Column], ofRowsWith key: String) -> String?
  /// A statement that inserts the rows of a `RowBatch`, if the database has a better way than a statement for each row.
  ///
  /// - Parameters:
  ///   - columns: The columns of the batch, in its order.
  ///   - key: The column that gets the keys of the batch.
  func insertion(into table: String, columns: [TableDefinition.Column], key: String) -> String?
  /// A query that finds rows by the values of a `RowBatch`, if the database can: the key in the batch of each found row, and
  /// then columns of the row.
  func lookup(in table: String, matching columns: [TableDefinition.Column], selecting: [String]) -> String?
  /// A query for new keys of a table, each in a row, with their count as its parameter; nil where the database does not assign
  /// keys.
  func newKeys(of table: String, in column: String) -> String?
  /// An expression as a reusable part of this dialect's statements.
  func prepare(_ expression: Expression) -> PreparedExpression
  /// Whether a statement is certainly within the limits of the database. Others must be prepared to find out.
  func isSmall(_ statement: RenderedStatement) -> Bool

  /// The SQL of search indexes; nil where the database has none.
  var searches: (any SearchDialect)? { get }

  /// The longest name of a table, column or index in bytes; nil where there is no limit.
  var longestName: Int? { get }
  /// The custom functions and aggregates, apart from orders of text, that the dialect has expressions for; nil where the
  /// database calls Swift.
  var nativeFunctions: Set<String>? { get }

  /// Whether a column holds values of its type only, so that another type needs another column.
  var hasStrictTypes: Bool { get }

  /// The type of a column as `ExistingTable.Column` has it, regardless of case.
  func typeName(_ column: TableDefinition.Column) -> String
  func createTable(_ table: TableDefinition) -> [String]
  func createIndex(_ index: TableDefinition.Index, on table: String) -> String
  /// The statement that adds a column to a table with rows; a column that is not nullable has a default
  /// value, unless there are none.
  func addColumn(_ column: TableDefinition.Column, to table: String) -> String
  func dropColumn(_ column: String, from table: String) -> [String]
  func dropIndex(_ index: String) -> String
  func renameTable(_ table: String, to name: String) -> String
  func renameColumn(_ column: String, of table: String, to name: String) -> String
  func dropTable(_ table: String) -> String
}

extension Dialect {
  package func update(_ table: String, setting columns: [TableDefinition.Column], ofRowsWith key: String) -> String? {
    nil
  }

  package func insertion(into table: String, columns: [TableDefinition.Column], key: String) -> String? { nil }

  package func lookup(
    in table: String, matching columns: [TableDefinition.Column], selecting: [String]
  ) -> String? { nil }

  package func newKeys(of table: String, in column: String) -> String? { nil }

  package var hasStrictTypes: Bool { false }

  package var longestName: Int? { nil }

  package var nativeFunctions: Set<String>? { nil }
}

package struct RenderedStatement: Hashable, Sendable {
  package var sql: String
  package var parameters: [Value]
  /// The nesting depth of the expressions. It is ignored when statements are compared, because it follows from the text.
  package var depth: Int

  package init(sql: String, parameters: [Value], depth: Int = 0) {
    self.sql = sql
    self.parameters = parameters
    self.depth = depth
  }

  /// A statement without parameters, such as one that creates a table.
  package init(_ sql: String) {
    self.init(sql: sql, parameters: [])
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.sql == right.sql && left.parameters == right.parameters
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(sql)
    hasher.combine(parameters)
  }
}
