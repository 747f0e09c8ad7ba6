import Relational

/// Normalizes the texts of a table. Rows with normalized texts stay untouched.
struct TextNormalization {
  let table: String
  let columns: [String]

  /// The new texts of a row.
  private struct Change {
    let key: Int64
    var columns: [String] = []
    var texts: [Value] = []
  }

  /// The error when unique values of two rows become equal.
  struct RepeatedTexts: Error {
    /// The normalized columns of the row.
    let columns: [String]
    let underlying: DatabaseError
  }

  /// - Throws: `RepeatedTexts`, `CancellationError`, and what the database throws.
  func run(_ connection: any Connection, _ dialect: any Dialect, _ progress: LayoutProgress) throws {
    var changes: [Change] = []
    try RowPages(table: table, columns: columns).forEach(connection, dialect, progress) { key, row in
      if let change = change(of: key, row) { changes.append(change) }
    } write: {
      try write(changes, connection, dialect)
      changes.removeAll(keepingCapacity: true)
    }
  }

  /// Nil when all texts of a row are normalized.
  private func change(of key: Int64, _ row: Statement) -> Change? {
    var change = Change(key: key)
    for (index, column) in columns.enumerated() where row.type(of: Int32(index + 1)) == .text {
      let text = row.text(Int32(index + 1))
      let form = CanonicalText.normalized(text)
      if form.utf8.elementsEqual(text.utf8) { continue }
      change.columns.append(column)
      change.texts.append(.text(form))
    }
    return change.columns.isEmpty ? nil : change
  }

  private func write(_ changes: [Change], _ connection: any Connection, _ dialect: any Dialect) throws {
    var statements: [[String]: String] = [:]
    for change in changes {
      let sql =
        statements[change.columns]
        ?? dialect.render(Update(table, set: change.columns.map { .init($0, .parameter) }, where: .isRow)).sql
      statements[change.columns] = sql
      do {
        try connection.run(sql, change.texts + [.integer(change.key)])
      } catch let error as DatabaseError where error.reason == .uniqueViolation {
        throw RepeatedTexts(columns: change.columns, underlying: error)
      }
    }
  }
}
