import Relational

/// The values of a column whose type changes.
struct ConvertedValues: Hashable {
  var table: String
  /// The column that has the values after the conversion.
  var column: TableDefinition.Column
  /// The name of the column that has the values before: the same one, or one that a later step drops.
  var previous: String
  var conversion: ValueConversion
  /// Where the values are in the store before the migration.
  var source: ColumnSource
  /// The names of the types in source code.
  var types: Types

  struct Types: Hashable {
    var previous: String
    var present: String
  }

  /// Counts the values that the new type cannot represent, in a store that has not been changed yet.
  ///
  /// - Parameter departing: The rows that earlier steps remove.
  /// - Returns: Nil when there are none.
  func issue(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> SwiftDataError.Issue? {
    guard let doubtful = conversion.doubtful(.column(source.column)) else { return nil }
    var count = 0
    let query = Select(
      columns: [source.column], from: source.table, condition: departing.limit(doubtful, to: source.table))
    try connection.forEachRow(dialect.render(query)) { if conversion.convert($0.value(0)) == nil { count += 1 } }
    return count > 0 ? issue(count) : nil
  }

  /// Writes the values, a page at a time.
  ///
  /// - Returns: The issue where a value is none of the previous type, or the new type cannot represent it.
  func run(
    _ connection: any Connection, _ dialect: any Dialect, _ progress: LayoutProgress
  ) throws -> SwiftDataError.Issue? {
    guard conversion.isWritten || dialect.hasStrictTypes else { return nil }
    // Without strict types, the column has values of both types until the table is rebuilt.
    let previous = dialect.hasStrictTypes && previous == column.name ? "swiftdata_previous_\(column.name)" : previous
    if previous != self.previous {
      var added = column
      (added.isNullable, added.defaultValue) = (true, nil)
      try connection.execute(dialect.renameColumn(column.name, of: table, to: previous))
      try connection.execute(dialect.addColumn(added, to: table))
    }
    let sql = dialect.render(Update(table, set: [.init(column.name, .parameter)], where: .isRow)).sql
    var changes: [[Value]] = []
    var failureCount = 0
    try RowPages(table: table, columns: [previous]).forEach(connection, dialect, progress) { key, row in
      let value = row.value(1)
      guard let converted = conversion.convert(value) else {
        failureCount += 1
        return
      }
      if !converted.isNull, previous != column.name || converted != value {
        changes.append([converted, .integer(key)])
      }
    } write: {
      for change in changes { try connection.send(sql, change) }
      changes.removeAll(keepingCapacity: true)
    }
    if previous != self.previous {
      for statement in dialect.dropColumn(previous, from: table) { try connection.execute(statement) }
    }
    return failureCount > 0 ? issue(failureCount) : nil
  }

  private func issue(_ count: Int) -> SwiftDataError.Issue {
    .init(
      entity: column.owner ?? table, property: column.sourceName,
      message: """
        Its type changed from \(types.previous) to \(types.present), and \(count.of("model")) of the store \
        \(count == 1 ? "has a value" : "have values") of it that cannot be converted without loss. A stage of a migration plan changes them \
        first: \(Remedy.beforehand).
        """)
  }
}

/// A column of a store before the migration.
struct ColumnSource: Hashable {
  var table: String
  var column: String
}

extension Int {
  /// The number and what is counted: "1 model", "2 models".
  func of(_ noun: String) -> String {
    self == 1 ? "1 \(noun)" : "\(self) \(noun)s"
  }
}
