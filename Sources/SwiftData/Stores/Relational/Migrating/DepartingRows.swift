import Relational

/// The rows that steps remove before they change anything else. What they have is in the way of nothing that comes
/// afterwards, and what leads to them leads nowhere then.
struct DepartingRows {
  /// Which rows go, by the tables that have them.
  private var conditions: [String: SQLExpression] = [:]

  init(_ steps: [LayoutChange] = []) {
    for case .removeModels(let models) in steps {
      conditions[models.table.name] = models.condition ?? .isNotNull(.column(LayoutNames.primaryKey))
    }
  }

  /// Which rows of a table stay; nil where all do.
  func staying(in table: String) -> SQLExpression? {
    conditions[table].map { .unary(.not, $0) }
  }

  /// A condition of rows of a table, which those that go do not meet; nil where all rows do.
  func limit(_ condition: SQLExpression?, to table: String) -> SQLExpression? {
    [condition, staying(in: table)].compactMap(\.self).conjunction
  }

  /// The keys of the rows of a table that stay.
  func keys(of table: String) -> Select {
    Select(columns: [LayoutNames.primaryKey], from: table, condition: staying(in: table))
  }

  /// Whether a column leads to a row of a table that goes; nil where none of them does.
  func areTargets(of column: String, in table: String) -> SQLExpression? {
    conditions[table].map { condition in
      .isInSelect(.column(column), Select(columns: [LayoutNames.primaryKey], from: table, condition: condition))
    }
  }
}
