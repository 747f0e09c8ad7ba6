import Relational

/// Assigns keys of rows, and positions of members. No number was ever used before, not even by a deleted row. A source
/// serves one write transaction.
protocol KeySource: AnyObject {
  /// Join tables, which have no key column of their own.
  var joins: Set<String> { get set }

  /// Says how many keys of a table will be needed, before the first one is.
  func expect(_ count: Int, of table: String) throws
  /// The next key of a table.
  func next(of table: String) throws -> Int64
  /// The sequence of a table, for callers that need many keys.
  func sequence(of table: String) throws -> KeySequence
  /// A number after all keys of a table that becomes a position, and no key.
  func nextPosition(of table: String) throws -> Int64

  /// Records that a row was deleted, so that its key is not assigned again.
  func retire(_ key: Int64, of table: String)
  /// Records that all rows of a table are about to be deleted.
  func retireAll(of table: String) throws
  /// Writes the last numbers that no row has.
  func finish() throws
}

/// Keys for a database with one writer at a time: they continue after the largest key of the rows and of the recorded
/// numbers.
final class KeySequences: KeySource {
  private let connection: any Connection
  private let dialect: any Dialect
  private let shapes: StatementShapes
  private let known: LastKeys
  // Lazy, because a server has to answer first: the question for expected keys goes with it.
  private(set) lazy var generation = connection.writeGeneration
  // Exclusivity is unchecked below, because no other code runs during an access.

  /// The last sequence used: a save writes many successive rows of one table.
  @exclusivity(unchecked) private var recent: (table: String, sequence: KeySequence, isUnrecorded: Bool)?
  /// The keys of deleted rows, which are not assigned again.
  private var retired: [String: Int64] = [:]
  /// Tables of which no row has the last number.
  private var unrecorded: Set<String> = []
  var joins: Set<String> = []

  init(_ connection: any Connection, _ dialect: any Dialect, _ shapes: StatementShapes, _ known: LastKeys) {
    self.known = known
    self.connection = connection
    self.dialect = dialect
    self.shapes = shapes
  }

  func expect(_ count: Int, of table: String) {}

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

  /// Selects the recorded number of the table whose name is the parameter.
  static var recorded: Select {
    Select(columns: [last], from: LayoutNames.sequences, condition: isOfTable)
  }

  func finish() throws {
    if retired.isEmpty, unrecorded.isEmpty { return }
    for table in Set(retired.keys).union(unrecorded).sorted() {
      var last = retired[table] ?? 0
      if unrecorded.contains(table) { last = max(last, try sequence(of: table).last) }
      // A number out of range is from another program.
      guard RowIdentity.isValid(last) else { continue }
      try Self.record(last, of: table, connection, dialect)
    }
  }

  /// Records that numbers up to one were used.
  static func record(
    _ last: Int64, of table: String, _ connection: any Connection, _ dialect: any Dialect
  ) throws {
    let record = Insert(
      into: LayoutNames.sequences, columns: [name, Self.last],
      conflict: .init(key: [name], column: Self.last, resolution: .takeLarger))
    try connection.send(dialect.render(record).sql, [.text(table), .integer(last)])
  }

  /// Moves the recorded number of a renamed table.
  static func rename(_ table: String, to name: String, _ connection: any Connection, _ dialect: any Dialect) throws {
    // A number with the new name is from a dropped table.
    try remove(name, connection, dialect)
    let rename = Update(LayoutNames.sequences, set: [.init(Self.name, .parameter)], where: isOfTable)
    try connection.run(dialect.render(rename).sql, [.text(name), .text(table)])
  }

  /// Removes the recorded number of a dropped table.
  static func remove(_ table: String, _ connection: any Connection, _ dialect: any Dialect) throws {
    try connection.run(dialect.render(Delete(from: LayoutNames.sequences, where: isOfTable)).sql, [.text(table)])
  }
}
