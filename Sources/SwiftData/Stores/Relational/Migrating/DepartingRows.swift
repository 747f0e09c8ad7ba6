import Relational

/// The rows that steps remove before they change anything else. What they have is in the way of nothing that comes
/// afterwards, and what leads to them leads nowhere then.
struct DepartingRows {
  /// Which rows go, by the tables that have them.
  private var conditions: [String: SQLExpression] = [:]
  /// Which rows that stay lose what a column leads to.
  private var losses: [ColumnSource: SQLExpression] = [:]

  init(_ steps: [LayoutChange] = []) {
    for case .removeModels(let models) in steps {
      add(models.condition ?? .isNotNull(.column(LayoutNames.primaryKey)), in: models.table.name)
      // Their links, and what lies aside of them, go along.
      for source in models.links { add(.isInSelect(.column(source.column), models.keys), in: source.table) }
      for values in models.kept { add(.isInSelect(.column(LayoutNames.primaryKey), models.keys), in: values.table) }
      for source in models.references { losses[source] = .isInSelect(.column(source.column), models.keys) }
    }
  }

  private mutating func add(_ condition: SQLExpression, in table: String) {
    conditions[table] = conditions[table].map { .binary(.or, $0, condition) } ?? condition
  }

  /// Which rows of a table stay; nil where all do.
  func staying(in table: String) -> SQLExpression? {
    conditions[table].map { .unary(.not, $0) }
  }

  /// A condition of rows of a table, which those that go do not meet; nil where all rows do.
  func limit(_ condition: SQLExpression?, to table: String) -> SQLExpression? {
    [condition, staying(in: table)].compactMap(\.self).conjunction
  }

  /// Whether a column leads to a row that stays, where it leads anywhere; nil where all do.
  func keepsTarget(of source: ColumnSource) -> SQLExpression? {
    losses[source].map { .unary(.not, $0) }
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
