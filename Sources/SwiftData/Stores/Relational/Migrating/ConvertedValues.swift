import Relational

/// The values of a column whose type is another one now.
struct ConvertedValues: Hashable {
  var table: String
  /// The column that has the values afterwards.
  var column: TableDefinition.Column
  /// What the column is called that has them before: the same one, or one that is dropped later.
  var previous: String
  var conversion: ValueConversion
  /// Where they are in the store as it was.
  var source: ColumnSource
  /// What the types are called in source.
  var types: Types

  struct Types: Hashable {
    var previous: String
    var present: String
  }

  /// The values of a store that has not been changed yet, and that the new type does not have.
  ///
  /// - Parameter departing: What goes before.
  /// - Returns: Nil when there are none, as far as SQL can tell which rows to look at.
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
  /// - Returns: Why they cannot be written, where something is there that is no value of the former type, or one that no
  ///   value of the new type tells.
  func run(
    _ connection: any Connection, _ dialect: any Dialect, _ progress: LayoutProgress
  ) throws -> SwiftDataError.Issue? {
    guard conversion.isWritten else { return nil }
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
      for change in changes { try connection.run(sql, change) }
      changes.removeAll(keepingCapacity: true)
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

/// A column of a store that has not been changed yet.
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
