import Relational

/// A property that must have a value in every row now, and was optional.
struct RequiredValues: Hashable {
  var table: String
  /// The column that is null where the property has no value, as the schema defines it.
  var column: TableDefinition.Column
  /// All columns of the property, which are null together.
  var columns: [TableDefinition.Column]
  /// The location of the column in the store before the migration.
  var source: ColumnSource

  private var hasDefault: Bool { columns.contains { $0.defaultValue != nil } }

  /// The statement that gives the default to rows without a value; nil where there is none.
  ///
  /// - Parameter condition: The condition of the rows that have the property; nil for all.
  func update(_ condition: SQLExpression?) -> Update? {
    guard hasDefault else { return nil }
    let isNull = SQLExpression.isNull(.column(column.name))
    return Update(
      table, set: columns.map { .init($0.name, .value($0.defaultValue ?? .null)) },
      where: condition.map { .binary(.and, isNull, $0) } ?? isNull)
  }

  /// Counts the rows without a value where there is no default.
  ///
  /// - Parameters:
  ///   - condition: As for `update`.
  ///   - departing: The rows that earlier steps remove.
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
        it\(isLost == nil ? "" : " once the models that the schema lacks are removed"). It needs a default \
        value\(column.declarationWithDefault.map { ": \($0)" } ?? ""). Or give them one first in a stage of a migration \
        plan: \(Remedy.beforehand).
        """)
  }
}
