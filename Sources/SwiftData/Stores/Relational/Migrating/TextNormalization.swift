import Relational

/// Gives texts of a table the form that all equal ones have. Rows whose texts have it stay untouched.
struct TextNormalization {
  let table: String
  let columns: [String]

  /// How many rows are read before those of them are written whose texts change.
  private static let pageSize = 1000

  /// The new texts of a row.
  private struct Change {
    let key: Int64
    var columns: [String] = []
    var texts: [Value] = []
  }

  /// Unique values of two rows would be the same.
  struct Clash: Error {
    /// Those of the columns whose texts would make them so.
    let columns: [String]
    let underlying: DatabaseError
  }

  /// - Throws: `Clash`, and what the database throws.
  func run(_ connection: any Connection, _ dialect: any Dialect) throws {
    // Also a damaged table, whose rows are out of order, has been gone through when no key is greater than those before.
    var first: Int64? = .min
    while let start = first {
      let (changes, last) = try changes(from: start, connection, dialect)
      try write(changes, connection, dialect)
      first = last.flatMap { $0 >= start && $0 < .max ? $0 + 1 : nil }
    }
  }

  /// - Returns: What changes in a page of rows, and the greatest key among these; nil when there are none.
  private func changes(
    from start: Int64, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> (changes: [Change], last: Int64?) {
    let key = SQLExpression.column(LayoutNames.primaryKey)
    var page = Select(
      columns: [LayoutNames.primaryKey] + columns, from: table,
      condition: .binary(.greaterOrEqual, key, .value(.integer(start))))
    page.orderBy = [.init(key)]
    page.limit = Self.pageSize
    var changes: [Change] = []
    var last: Int64?
    try connection.forEachRow(dialect.render(page)) { row in
      var change = Change(key: row.integer(0))
      last = max(last ?? .min, change.key)
      for (index, column) in columns.enumerated() where row.type(of: Int32(index + 1)) == .text {
        let text = row.text(Int32(index + 1))
        let form = CanonicalText.normalized(text)
        if form.utf8.elementsEqual(text.utf8) { continue }
        change.columns.append(column)
        change.texts.append(.text(form))
      }
      if !change.columns.isEmpty { changes.append(change) }
    }
    return (changes, last)
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
        throw Clash(columns: change.columns, underlying: error)
      }
    }
  }
}
