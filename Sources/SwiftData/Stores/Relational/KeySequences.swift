import Relational
import Synchronization

/// Gives out keys and places that were never used before, not even by rows that are gone.
final class KeySequences {
  private final class Sequence {
    @exclusivity(unchecked) var last: Int64
    /// Whether no row of the table tells the last number any more.
    var isUnrecorded = false

    init(last: Int64) {
      self.last = last
    }
  }

  private let connection: any Connection
  private let dialect: any Dialect
  private let shapes: StatementShapes
  private let known: LastKeys
  private let generation: UInt64
  private var sequences: [String: Sequence] = [:]
  /// The sequence that was asked for last: a save writes many rows of one table after the other.
  @exclusivity(unchecked) private var recent: (table: String, sequence: Sequence)?
  /// Keys of rows that were deleted, which are not given out again.
  private var retired: [String: Int64] = [:]
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
    let sequence = try sequence(of: table)
    sequence.last += 1
    return sequence.last
  }

  /// A number after all keys of a table that is used for something else than a key.
  func nextPlace(of table: String) throws -> Int64 {
    try sequence(of: table).isUnrecorded = true
    return try next(of: table)
  }

  /// Notes that a row was deleted, so that its key is not given out again.
  func retire(_ key: Int64, of table: String) {
    retired[table] = max(retired[table] ?? 0, key)
  }

  /// Notes that all rows of a table are about to be deleted.
  func retireAll(of table: String) throws {
    retire(try sequence(of: table).last, of: table)
  }

  private func sequence(of table: String) throws -> Sequence {
    if let recent, recent.table == table { return recent.sequence }
    let sequence: Sequence
    if let known = sequences[table] {
      sequence = known
    } else {
      sequence = Sequence(last: try lastKey(of: table))
      sequences[table] = sequence
    }
    recent = (table, sequence)
    return sequence
  }

  private func lastKey(of table: String) throws -> Int64 {
    if let last = known.last(of: table, generation) { return max(last, retired[table] ?? 0) }
    var last: Int64 = retired[table] ?? 0
    let sql =
      joins.contains(table)
      ? "SELECT ifnull((SELECT last FROM \(dialect.quoted(LayoutNames.sequences)) WHERE name = ?), 0)"
      : shapes.lastKey(of: table)
    try connection.forEachRow(sql, [.text(table)]) { last = max(last, $0.integer(0)) }
    return last
  }

  /// Tells later saves what was given out. A transaction that is not committed ends the generation, and so makes them
  /// forget it.
  func remember() {
    known.remember(sequences.mapValues(\.last), generation)
  }

  func finish() throws {
    let tables = Set(retired.keys).union(sequences.filter(\.value.isUnrecorded).keys)
    for table in tables.sorted() {
      let last = max(sequences[table]?.last ?? 0, retired[table] ?? 0)
      guard last > 0 else { continue }
      try connection.run(
        """
        INSERT INTO \(dialect.quoted(LayoutNames.sequences)) (name, last) VALUES (?, ?) \
        ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last)
        """, [.text(table), .integer(last)])
    }
  }
}

/// The last numbers that the saves of one store gave out, which spares asking for them as long as nobody else writes to
/// its database.
final class LastKeys: Sendable {
  private struct Known {
    /// The connection's number for the time in which it was the only one that wrote.
    var generation: UInt64 = 0
    var last: [String: Int64] = [:]
  }

  private let known = Mutex(Known())

  func last(of table: String, _ generation: UInt64) -> Int64? {
    known.withLock { $0.generation == generation ? $0.last[table] : nil }
  }

  func remember(_ last: [String: Int64], _ generation: UInt64) {
    known.withLock { known in
      if known.generation != generation { known = Known(generation: generation) }
      known.last.merge(last) { $1 }
    }
  }
}
