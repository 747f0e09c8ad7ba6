import Relational

/// What a property must have in every row from now on, and may lack so far.
struct RequiredValues: Hashable {
  var table: String
  /// The column that tells whether there is a value, as the schema wants it.
  var column: TableDefinition.Column
  /// All columns that have no value where this one has none.
  var columns: [TableDefinition.Column]
  /// Where the column is in the store as it was.
  var source: ColumnSource

  private var hasDefault: Bool { columns.contains { $0.defaultValue != nil } }

  /// Gives rows without a value the default; nil where there is none.
  ///
  /// - Parameter condition: Which rows the property belongs to; nil when it belongs to all.
  func update(_ condition: SQLExpression?) -> Update? {
    guard hasDefault else { return nil }
    let isNull = SQLExpression.isNull(.column(column.name))
    return Update(
      table, set: columns.map { .init($0.name, .value($0.defaultValue ?? .null)) },
      where: condition.map { .binary(.and, isNull, $0) } ?? isNull)
  }

  /// The rows that have no value and get none.
  ///
  /// - Parameters:
  ///   - condition: As for `update`.
  ///   - departing: What goes before.
  func issue(
    _ condition: SQLExpression?, _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> SwiftDataError.Issue? {
    if hasDefault { return nil }
    let isLost = column.references.flatMap { departing.areTargets(of: source.column, in: $0.table) }
    let isNull = SQLExpression.isNull(.column(source.column))
    let lacks: SQLExpression = isLost.map { .binary(.or, isNull, $0) } ?? isNull
    let owned: SQLExpression = condition.map { .binary(.and, lacks, $0) } ?? lacks
    let query = Select(
      columns: [.aggregate(.count, nil, distinct: false)], from: .init(table: source.table, alias: source.table),
      condition: departing.limit(owned, to: source.table))
    var count: Int64 = 0
    try connection.forEachRow(dialect.render(query)) { count = $0.integer(0) }
    if count == 0 { return nil }
    return .init(
      entity: column.owner ?? table, property: column.sourceName,
      message: """
        It must have a value now, and \(Int(count).of("model")) of the store \(count == 1 ? "has" : "have") no value of \
        it\(isLost == nil ? "" : " once the models have gone that the schema has no more"). It needs a default \
        value\(column.declarationWithDefault.map { ": \($0)" } ?? ""). Or a stage of a migration plan gives them one \
        first: \(Remedy.beforehand).
        """)
  }
}
