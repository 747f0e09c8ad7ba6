import Relational

/// A field that structures of the store may lack, and that is new or must have a value now.
struct StructureField: Hashable {
  var table: String
  /// The column of the field, as the schema wants it.
  var column: TableDefinition.Column
  /// Whether the structure must have a value in the field.
  var isRequired: Bool
  /// The other columns of the structure in the store, all of which are null where it is nil.
  var others: [String]
  var source: Source

  /// The names in the store before the migration.
  struct Source: Hashable {
    var table: String
    /// Nil where the field is new.
    var column: String?
    var others: [String]
  }

  /// The statement that gives existing structures the default value; nil where there is none.
  var update: Update? {
    column.defaultValue.map { value in
      Update(table, set: [.init(column.name, .value(value))], where: Self.lacks(column.name, others))
    }
  }

  /// Counts the structures that lack the field, where there is no default value.
  ///
  /// - Parameter departing: The rows that earlier steps remove.
  func issue(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> SwiftDataError.Issue? {
    if !isRequired || column.defaultValue != nil { return nil }
    let query = Select(
      columns: [.aggregate(.count, nil, distinct: false)], from: .init(table: source.table, alias: source.table),
      condition: departing.limit(Self.lacks(source.column, source.others), to: source.table))
    var count = 0
    try connection.forEachRow(dialect.render(query)) { count = Int($0.integer(0)) }
    if count == 0 { return nil }
    let property = column.property?.name ?? column.name
    return .init(
      entity: column.owner ?? table, property: column.sourceName,
      message: """
        Each value of \(property) must have it now, and \(count.of("model")) of the store \(count == 1 ? "has" : "have") \
        one without it. Make the field optional, or give \(property) a default value. Or give them one first \
        in a stage of a migration plan: \(Remedy.beforehand).
        """)
  }

  private static func lacks(_ column: String?, _ others: [String]) -> SQLExpression {
    let isThere = SQLExpression.hasValue(inOneOf: others)
    return column.map { .binary(.and, isThere, .isNull(.column($0))) } ?? isThere
  }
}
