import Relational

/// The rows that steps remove before they change anything else. No later step has to consider their values, and a
/// reference to one of them becomes nil.
struct DepartingRows {
  /// The conditions of the removed rows, by table.
  private var conditions: [String: SQLExpression] = [:]
  /// The conditions of the rows that stay and whose reference in a column becomes nil.
  private var losses: [ColumnSource: SQLExpression] = [:]

  init(_ steps: [LayoutChange] = []) {
    for case .removeModels(let models) in steps {
      add(models.condition ?? .isNotNull(.column(LayoutNames.primaryKey)), in: models.table.name)
      // Their links and archived values go with them.
      for source in models.links { add(.isInSelect(.column(source.column), models.keys), in: source.table) }
      for values in models.archived { add(.isInSelect(.column(LayoutNames.primaryKey), models.keys), in: values.table) }
      for source in models.references { losses[source] = .isInSelect(.column(source.column), models.keys) }
    }
  }

  private mutating func add(_ condition: SQLExpression, in table: String) {
    conditions[table] = conditions[table].map { .binary(.or, $0, condition) } ?? condition
  }

  /// The condition of the rows of a table that stay; nil where all do.
  func staying(in table: String) -> SQLExpression? {
    conditions[table].map { .unary(.not, $0) }
  }

  /// Limits a condition to the rows of a table that stay; nil where it is met by all rows.
  func limit(_ condition: SQLExpression?, to table: String) -> SQLExpression? {
    [condition, staying(in: table)].compactMap(\.self).conjunction
  }

  /// The condition of the rows whose reference in a column stays; nil where all do.
  func keepsTarget(of source: ColumnSource) -> SQLExpression? {
    losses[source].map { .unary(.not, $0) }
  }

  /// The keys of the rows of a table that stay.
  func keys(of table: String) -> Select {
    Select(columns: [LayoutNames.primaryKey], from: table, condition: staying(in: table))
  }

  /// The condition of the rows whose column refers to a removed row of a table; nil where none does.
  func areTargets(of column: String, in table: String) -> SQLExpression? {
    conditions[table].map { condition in
      .isInSelect(.column(column), Select(columns: [LayoutNames.primaryKey], from: table, condition: condition))
    }
  }
}
