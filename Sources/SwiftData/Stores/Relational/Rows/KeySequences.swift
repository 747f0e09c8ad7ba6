import Relational

/// Gives out keys of rows, and places: numbers for the order of members. None of them was ever used before, not even by
/// a row that is gone. It serves one write transaction.
protocol KeySource: AnyObject {
  /// Tables without a key column of their own.
  var joins: Set<String> { get set }

  /// The next key of a table.
  func next(of table: String) throws -> Int64
  /// The sequence that gives out the keys of a table, for callers that need many.
  func sequence(of table: String) throws -> KeySequence
  /// A number after all keys of a table that is used for something else than a key.
  func nextPosition(of table: String) throws -> Int64

  /// Notes that a row was deleted, so that its key is not given out again.
  func retire(_ key: Int64, of table: String)
  /// Notes that all rows of a table are about to be deleted.
  func retireAll(of table: String) throws
  /// Records the last numbers that no row has.
  func finish() throws
}

/// Keys for a database that has one writer at a time: they go on from the last one that a row has, or that is written
/// down because no row has it any more.
final class KeySequences: KeySource {
  private let connection: any Connection
  private let dialect: any Dialect
  private let shapes: StatementShapes
  private let known: LastKeys
  private let generation: UInt64
  // Exclusivity is unchecked below, because each access is over before other code runs.

  /// The sequence that was asked for last: a save writes many rows of one table after the other.
  @exclusivity(unchecked) private var recent: (table: String, sequence: KeySequence, isUnrecorded: Bool)?
  /// Keys of rows that were deleted, which are not given out again.
  private var retired: [String: Int64] = [:]
  /// Tables of which no row tells the last number any more.
  private var unrecorded: Set<String> = []
  var joins: Set<String> = []

  init(_ connection: any Connection, _ dialect: any Dialect, _ shapes: StatementShapes, _ known: LastKeys) {
    self.known = known
    generation = connection.writeGeneration
    self.connection = connection
    self.dialect = dialect
    self.shapes = shapes
  }

  func next(of table: String) throws -> Int64 {
    try sequence(of: table).next()
  }

  func nextPosition(of table: String) throws -> Int64 {
    let sequence = try sequence(of: table)
    if recent?.isUnrecorded != true {
      unrecorded.insert(table)
      recent?.isUnrecorded = true
    }
    return try sequence.next()
  }

  func retire(_ key: Int64, of table: String) {
    retired[table] = max(retired[table] ?? 0, key)
  }

  func retireAll(of table: String) throws {
    retire(try sequence(of: table).last, of: table)
  }

  func sequence(of table: String) throws -> KeySequence {
    if let recent, recent.table == table { return recent.sequence }
    let sequence = try known.sequence(of: table, generation) { try lastKey(of: table) }
    if let key = retired[table] { sequence.skip(to: key) }
    recent = (table, sequence, unrecorded.contains(table))
    return sequence
  }

  private func lastKey(of table: String) throws -> Int64 {
    var last: Int64 = 0
    if joins.contains(table) {
      try connection.forEachRow(dialect.render(Self.recorded).sql, [.text(table)]) { last = max(last, $0.integer(0)) }
    } else {
      try connection.forEachRow(shapes.lastKey(of: table), [.integer(RowIdentity.lastNumber), .text(table)]) {
        last = max(last, $0.integer(0), $0.integer(1))
      }
    }
    return last
  }

  private static let (name, last) = ("name", "last")
  private static var isOfTable: SQLExpression { .binary(.equal, .column(name), .parameter) }

  /// Selects what is recorded of the table whose name is the parameter.
  static var recorded: Select {
    Select(columns: [last], from: LayoutNames.sequences, condition: isOfTable)
  }

  func finish() throws {
    if retired.isEmpty, unrecorded.isEmpty { return }
    for table in Set(retired.keys).union(unrecorded).sorted() {
      var last = retired[table] ?? 0
      if unrecorded.contains(table) { last = max(last, try sequence(of: table).last) }
      // What no row of ours can have had is no number to go on from.
      guard RowIdentity.isNumber(last) else { continue }
      try Self.record(last, of: table, connection, dialect)
    }
  }

  /// Writes down that numbers up to one were used.
  static func record(
    _ last: Int64, of table: String, _ connection: any Connection, _ dialect: any Dialect
  ) throws {
    let record = Insert(
      into: LayoutNames.sequences, columns: [name, Self.last],
      conflict: .init(key: [name], column: Self.last, resolution: .takeLarger))
    try connection.run(dialect.render(record).sql, [.text(table), .integer(last)])
  }

  /// Gives a table that is renamed what is written down of it.
  static func rename(_ table: String, to name: String, _ connection: any Connection, _ dialect: any Dialect) throws {
    // What is there by the new name is left from a table that is gone.
    try remove(name, connection, dialect)
    let rename = Update(LayoutNames.sequences, set: [.init(Self.name, .parameter)], where: isOfTable)
    try connection.run(dialect.render(rename).sql, [.text(name), .text(table)])
  }

  /// Forgets what is written down of a table that is dropped.
  static func remove(_ table: String, _ connection: any Connection, _ dialect: any Dialect) throws {
    try connection.run(dialect.render(Delete(from: LayoutNames.sequences, where: isOfTable)).sql, [.text(table)])
  }
}
