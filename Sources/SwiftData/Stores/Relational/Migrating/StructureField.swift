import Relational

/// A field of a structure that may be nil, in a store whose structures may be there without it.
struct StructureField: Hashable {
  var table: String
  /// The column of the field, as the schema wants it.
  var column: TableDefinition.Column
  /// Whether there is no such structure without the field.
  var isRequired: Bool
  /// The other columns of the structure that the store has: where none of them has a value, it is nil.
  var others: [String]
  var source: Source

  /// What the columns are called in the store as it was.
  struct Source: Hashable {
    var table: String
    /// Nil where the field is a new one.
    var column: String?
    var others: [String]
  }

  /// Gives the structures that are there the default value; nil where there is none.
  var update: Update? {
    column.defaultValue.map { value in
      Update(table, set: [.init(column.name, .value(value))], where: Self.lacks(column.name, others))
    }
  }

  /// The structures that lack the field, and get no value of it.
  ///
  /// - Parameter departing: What goes before.
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
        A value of \(property) has to have it now, and \(count.of("model")) of the store \(count == 1 ? "has" : "have") \
        one without it. Make the field optional, or give \(property) a default value. Or a stage of a migration plan \
        gives them one first: \(Remedy.beforehand).
        """)
  }

  private static func lacks(_ column: String?, _ others: [String]) -> SQLExpression {
    let isThere = SQLExpression.hasValue(inOneOf: others)
    return column.map { .binary(.and, isThere, .isNull(.column($0))) } ?? isThere
  }
}
