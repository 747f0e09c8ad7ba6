import Relational

/// Values that several rows of a table have in the columns of a constraint that none may have in common.
struct RepeatedValues {
  let table: String
  var columns: [TableDefinition.Column]
  /// Which rows are looked at; nil for all.
  var condition: SQLExpression?
  /// What all rows will have in those of the columns that the table lacks.
  var constants: [String: Value] = [:]
  /// What rows will have in those of the columns in which they have no value.
  var defaults: [String: Value] = [:]

  /// How many values are told.
  static let limit = 10

  /// Values in a row, of which one more than are told shows that there are others.
  static func list(_ values: [String]) -> String {
    values.prefix(limit).joined(separator: ", ") + (values.count > limit ? ", and others" : "")
  }

  /// The values with the number of their models: `"a" (2 models), "b" (3 models)`. Nil when none repeat.
  func words(_ connection: any Connection, _ dialect: any Dialect) throws -> String? {
    if columns.isEmpty { return nil }
    let own = columns.filter { constants[$0.name] == nil }.map(value(of:))
    let values = columns.map { column in constants[column.name].map { SQLExpression.value($0) } ?? value(of: column) }
    let count = SQLExpression.aggregate(.count, nil, distinct: false)
    // Rows without a value have nothing in common.
    var conditions = own.map { SQLExpression.isNotNull($0) }
    if let condition { conditions.append(condition) }
    var query = Select(
      columns: values + [count], from: .init(table: table, alias: table),
      condition: conditions.conjunction)
    // Where all rows will have the same, they are one group.
    query.groupBy = own
    if !own.isEmpty { query.having = .binary(.greater, count, .value(.integer(1))) }
    query.orderBy = own.map { .init($0) }
    query.limit = Self.limit + 1
    var found: [String] = []
    try connection.forEachRow(dialect.render(query)) { row in
      let count = row.integer(Int32(columns.count))
      guard count > 1 else { return }
      let words = columns.enumerated().map { $1.words(for: row.value(Int32($0))) }
      found.append("\(words.joined(separator: " and ")) (\(count) models)")
    }
    return found.isEmpty ? nil : Self.list(found)
  }

  private func value(of column: TableDefinition.Column) -> SQLExpression {
    let value = SQLExpression.column(column.name)
    return defaults[column.name].map { .function(.coalesce, [value, .value($0)]) } ?? value
  }
}

extension TableDefinition.Column {
  /// A value of the column for people to read.
  func words(for value: Value) -> String {
    let told = ValueConversion(from: meaning, to: "String")?.convert(value) ?? value
    let isNumber = meaning.hasSuffix("Decimal")
    switch (value, told) {
    case (.text, .text(let text)) where !isNumber: return "\"\(text.prefix(100))\(text.count > 100 ? "…" : "")\""
    case (_, .text(let text)): return text
    case (_, .integer(let integer)): return integer.description
    case (_, .real(let real)): return real.description
    case (_, .blob(let bytes)): return bytes.count.of("byte")
    case (_, .null): return "nil"
    }
  }
}
