import Relational

/// Values that several rows of a table have in the columns of a constraint that none may have in common.
struct RepeatedValues {
  let table: String
  let columns: [TableDefinition.Column]
  /// Which rows count; nil for all.
  let rows: SQLExpression?

  /// How many values are told.
  static let limit = 10

  /// Values in a row, of which one more than are told shows that there are others.
  static func list(_ values: [String]) -> String {
    values.prefix(limit).joined(separator: ", ") + (values.count > limit ? ", and others" : "")
  }

  /// The values with the number of their models: `"a" (2 models), "b" (3 models)`. Nil when none repeat.
  func words(_ connection: any Connection, _ dialect: any Dialect) throws -> String? {
    guard let first = columns.first else { return nil }
    let values = columns.map { SQLExpression.column($0.name) }
    let count = SQLExpression.aggregate(.count, nil, distinct: false)
    // Rows without a value have nothing in common.
    let haveValues = values.dropFirst().reduce(SQLExpression.isNotNull(.column(first.name))) {
      .binary(.and, $0, .isNotNull($1))
    }
    let condition: SQLExpression = rows.map { .binary(.and, haveValues, $0) } ?? haveValues
    var query = Select(
      columns: values + [count], from: .init(table: table, alias: table), condition: condition)
    query.groupBy = values
    query.having = .binary(.greater, count, .value(.integer(1)))
    query.orderBy = values.map { .init($0) }
    query.limit = Self.limit + 1
    var found: [String] = []
    try connection.forEachRow(dialect.render(query)) { row in
      let words = columns.enumerated().map { $1.words(for: row.value(Int32($0))) }
      found.append("\(words.joined(separator: " and ")) (\(row.integer(Int32(columns.count))) models)")
    }
    return found.isEmpty ? nil : Self.list(found)
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
