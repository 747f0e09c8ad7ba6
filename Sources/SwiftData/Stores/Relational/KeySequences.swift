import Relational

/// Gives out keys and places that were never used before, not even by rows that are gone.
final class KeySequences {
  private let connection: any Connection
  private let dialect: any Dialect
  private let shapes: StatementShapes
  private let known: LastKeys
  private let generation: UInt64
  // Exclusivity is unchecked below, because each access is over before other code runs.

  /// The sequence that was asked for last: a save writes many rows of one table after the other.
  @exclusivity(unchecked) private var recent: (table: String, sequence: KeySequence, isUnrecorded: Bool)?
  /// Keys of rows that were deleted, which are not given out again.
  @exclusivity(unchecked) private var retired: [String: Int64] = [:]
  /// Tables of which no row tells the last number any more.
  @exclusivity(unchecked) private var unrecorded: Set<String> = []
  /// Tables without a key column of their own.
  var joins: Set<String> = []

  init(_ connection: any Connection, _ dialect: any Dialect, _ shapes: StatementShapes, _ known: LastKeys) {
    self.known = known
    generation = connection.writeGeneration
    self.connection = connection
    self.dialect = dialect
    self.shapes = shapes
  }

  /// The next key of a table.
  func next(of table: String) throws -> Int64 {
    try sequence(of: table).next()
  }

  /// A number after all keys of a table that is used for something else than a key.
  func nextPlace(of table: String) throws -> Int64 {
    let sequence = try sequence(of: table)
    if recent?.isUnrecorded != true {
      unrecorded.insert(table)
      recent?.isUnrecorded = true
    }
    return try sequence.next()
  }

  /// Notes that a row was deleted, so that its key is not given out again.
  func retire(_ key: Int64, of table: String) {
    retired[table] = max(retired[table] ?? 0, key)
  }

  /// Notes that all rows of a table are about to be deleted.
  func retireAll(of table: String) throws {
    retire(try sequence(of: table).last, of: table)
  }

  /// What gives out the keys of a table.
  func sequence(of table: String) throws -> KeySequence {
    if let recent, recent.table == table { return recent.sequence }
    let sequence = try known.sequence(of: table, generation) { try lastKey(of: table) }
    if let key = retired[table] { sequence.skip(to: key) }
    recent = (table, sequence, unrecorded.contains(table))
    return sequence
  }

  private func lastKey(of table: String) throws -> Int64 {
    var last: Int64 = 0
    let sql =
      joins.contains(table)
      ? "SELECT ifnull((SELECT last FROM \(dialect.quoted(LayoutNames.sequences)) WHERE name = ?), 0)"
      : shapes.lastKey(of: table)
    try connection.forEachRow(sql, [.text(table)]) { last = max(last, $0.integer(0)) }
    return last
  }

  /// Writes down what the rows do not tell.
  func finish() throws {
    if retired.isEmpty, unrecorded.isEmpty { return }
    for table in Set(retired.keys).union(unrecorded).sorted() {
      var last = retired[table] ?? 0
      if unrecorded.contains(table) { last = max(last, try sequence(of: table).last) }
      // What no row of ours can have had is no number to go on from.
      guard RowIdentity.isNumber(last) else { continue }
      try connection.run(
        """
        INSERT INTO \(dialect.quoted(LayoutNames.sequences)) (name, last) VALUES (?, ?) \
        ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last)
        """, [.text(table), .integer(last)])
    }
  }

  /// Gives a table that is renamed what is written down of it.
  static func rename(_ table: String, to name: String, _ connection: any Connection, _ dialect: any Dialect) throws {
    // What is there by the new name is left from a table that is gone.
    try remove(name, connection, dialect)
    try connection.run(
      "UPDATE \(dialect.quoted(LayoutNames.sequences)) SET name = ? WHERE name = ?", [.text(name), .text(table)])
  }

  /// Forgets what is written down of a table that is dropped.
  static func remove(_ table: String, _ connection: any Connection, _ dialect: any Dialect) throws {
    try connection.run("DELETE FROM \(dialect.quoted(LayoutNames.sequences)) WHERE name = ?", [.text(table)])
  }
}
