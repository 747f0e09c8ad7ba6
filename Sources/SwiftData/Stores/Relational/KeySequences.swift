import Relational

/// Gives out keys and places that were never used before, not even by rows that are gone.
final class KeySequences {
  private let connection: any Connection
  private let dialect: any Dialect
  private var lasts: [String: Int64] = [:]
  /// Sequences whose last number no row of the table tells any more.
  private var unrecorded: Set<String> = []

  init(_ connection: any Connection, _ dialect: any Dialect) {
    self.connection = connection
    self.dialect = dialect
  }

  /// The next key of a table.
  func next(of table: String) throws -> Int64 {
    let next = try last(of: table) + 1
    lasts[table] = next
    return next
  }

  /// A number after all keys of a table that is used for something else than a key.
  func nextPlace(of table: String) throws -> Int64 {
    unrecorded.insert(table)
    return try next(of: table)
  }

  /// Notes that a row was deleted, so that its key is not given out again.
  func retire(_ key: Int64, of table: String) {
    retired[table] = max(retired[table] ?? 0, key)
    unrecorded.insert(table)
  }

  /// Notes that all rows of a table are about to be deleted.
  func retireAll(of table: String) throws {
    retire(try last(of: table), of: table)
  }

  private var retired: [String: Int64] = [:]

  private func last(of table: String) throws -> Int64 {
    if let last = lasts[table] { return last }
    var last: Int64 = retired[table] ?? 0
    let recorded = "(SELECT last FROM \(dialect.quoted(LayoutNames.sequences)) WHERE name = ?)"
    let key = dialect.quoted(LayoutNames.primaryKey)
    let sql =
      joins.contains(table)
      ? "SELECT ifnull(\(recorded), 0)"
      : "SELECT max(ifnull((SELECT max(\(key)) FROM \(dialect.quoted(table))), 0), ifnull(\(recorded), 0))"
    try connection.forEachRow(sql, [.text(table)]) { last = max(last, $0.integer(0)) }
    lasts[table] = last
    return last
  }

  /// Tables without a key column of their own.
  var joins: Set<String> = []

  func finish() throws {
    for table in unrecorded.sorted() {
      let last = max(lasts[table] ?? 0, retired[table] ?? 0)
      guard last > 0 else { continue }
      try connection.run(
        """
        INSERT INTO \(dialect.quoted(LayoutNames.sequences)) (name, last) VALUES (?, ?) \
        ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last)
        """, [.text(table), .integer(last)])
    }
  }
}
