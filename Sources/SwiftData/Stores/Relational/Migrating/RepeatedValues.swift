import Relational

/// Values that several rows of a table have in columns whose values must be unique.
struct RepeatedValues {
  let table: String
  var columns: [TableDefinition.Column]
  /// The condition of the rows to read; nil for all.
  var condition: SQLExpression?
  /// The values that all rows will have in columns that the table lacks.
  var constants: [String: Value] = [:]
  /// The values that rows without one will have.
  var defaults: [String: Value] = [:]

  /// How many values are listed.
  static let limit = 10

  /// Lists values up to `limit`, followed by "and others" if there are more.
  static func list(_ values: [String]) -> String {
    values.prefix(limit).joined(separator: ", ") + (values.count > limit ? ", and others" : "")
  }

  /// The values with the number of their models: `"a" (2 models), "b" (3 models)`. Nil when none repeat.
  func describe(_ connection: any Connection, _ dialect: any Dialect) throws -> String? {
    if columns.isEmpty { return nil }
    let own = columns.filter { constants[$0.name] == nil }.map(value(of:))
    let values = columns.map { column in constants[column.name].map { SQLExpression.value($0) } ?? value(of: column) }
    let count = SQLExpression.aggregate(.count, nil, distinct: false)
    // NULL values do not repeat.
    var conditions = own.map { SQLExpression.isNotNull($0) }
    if let condition { conditions.append(condition) }
    var query = Select(
      columns: values + [count], from: .init(table: table, alias: table),
      condition: conditions.conjunction)
    // If all values are constants, all rows are one group.
    query.groupBy = own
    if !own.isEmpty { query.having = .binary(.greater, count, .value(.integer(1))) }
    query.orderBy = own.map { .init($0) }
    query.limit = Self.limit + 1
    var found: [String] = []
    try connection.forEachRow(dialect.render(query)) { row in
      let count = row.integer(Int32(columns.count))
      guard count > 1 else { return }
      let values = columns.enumerated().map { $1.description(of: row.value(Int32($0))) }
      found.append("\(values.joined(separator: " and ")) (\(count) models)")
    }
    return found.isEmpty ? nil : Self.list(found)
  }

  private func value(of column: TableDefinition.Column) -> SQLExpression {
    let value = SQLExpression.column(column.name)
    return defaults[column.name].map { .function(.coalesce, [value, .value($0)]) } ?? value
  }
}

extension TableDefinition.Column {
  /// Describes a value of the column.
  func description(of value: Value) -> String {
    let readable = ValueConversion(from: meaning, to: "String")?.convert(value) ?? value
    let isNumber = meaning.hasSuffix("Decimal")
    switch (value, readable) {
    case (.text, .text(let text)) where !isNumber: return "\"\(text.prefix(100))\(text.count > 100 ? "…" : "")\""
    case (_, .text(let text)): return text
    case (_, .integer(let integer)): return integer.description
    case (_, .real(let real)): return real.description
    case (_, .blob(let bytes)): return bytes.count.of("byte")
    case (_, .null): return "nil"
    }
  }
}
