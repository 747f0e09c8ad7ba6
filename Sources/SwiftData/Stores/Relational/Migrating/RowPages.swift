import Relational

/// Reads the rows of a table in pages, so that those of one page can be written before the next is read.
struct RowPages {
  let table: String
  let columns: [String]

  private static let size = 1000

  /// - Parameters:
  ///   - progress: Advanced after each page.
  ///   - read: Called with the key of each row, and the row, whose columns start at position 1.
  ///   - write: Called after each page.
  /// - Throws: `CancellationError`, and what the database, `read` and `write` throw.
  func forEach(
    _ connection: any Connection, _ dialect: any Dialect, _ progress: LayoutProgress,
    read: (Int64, Statement) throws -> Void, write: () throws -> Void
  ) throws {
    // The keys of a damaged table may be out of order, so the loop also ends when a page has no greater key.
    var first: Int64? = .min
    while let start = first {
      let key = SQLExpression.column(LayoutNames.primaryKey)
      var page = Select(
        columns: [LayoutNames.primaryKey] + columns, from: table,
        condition: .binary(.greaterOrEqual, key, .value(.integer(start))))
      page.orderBy = [.init(key)]
      page.limit = Self.size
      var last: Int64?
      var count = 0
      try connection.forEachRow(dialect.render(page)) { row in
        let key = row.integer(0)
        last = max(last ?? .min, key)
        count += 1
        try read(key, row)
      }
      try write()
      try progress.advance(by: count)
      first = last.flatMap { $0 >= start && $0 < .max ? $0 + 1 : nil }
    }
  }
}
