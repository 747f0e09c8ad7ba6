import Relational

/// Keys for a database that assigns them, also to the rows of other programs: its sequences never return a number twice.
///
/// Positions in join tables, which have no keys, and the numbers of the history, which have the order of the commits, follow
/// the recorded ones.
final class AssignedKeys: KeySource {
  private let connection: any Connection
  private let dialect: any Dialect
  private let recorded: KeySequences
  private let known: LastKeys
  private var sequences: [String: KeySequence] = [:]
  /// Queries for expected keys whose answers are on their way, by table.
  private var expected: [String: Statement] = [:]

  init(_ connection: any Connection, _ dialect: any Dialect, _ recorded: KeySequences, _ known: LastKeys) {
    self.connection = connection
    self.dialect = dialect
    self.recorded = recorded
    self.known = known
  }

  var joins: Set<String> {
    get { recorded.joins }
    set { recorded.joins = newValue }
  }

  private func isRecorded(_ table: String) -> Bool {
    table == HistoryTable.name || joins.contains(table)
  }

  /// While no other connection writes, some keys more are asked for, and the next saves need not ask. They stay in the order of
  /// the saves: another connection's write ends the sequence that has them.
  func expect(_ count: Int, of table: String) throws {
    let recent = known.recentSequence(of: table)
    if let recent, recent.spareCount >= count { return }
    let spareCount = recent?.isReused == true ? Self.blockCount : 0
    guard expected[table] == nil, let query = try query(count + spareCount, table) else { return }
    try query.start()
    expected[table] = query
  }

  private func query(_ count: Int, _ table: String) throws -> Statement? {
    guard let sql = dialect.newKeys(of: table, in: LayoutNames.primaryKey) else { return nil }
    let statement = try connection.statement(sql)
    statement.bind(Int64(count), at: 1)
    return statement
  }

  /// How many keys are asked for at once.
  private static let blockCount = 32

  private func assign(_ table: String) throws -> [Int64] {
    guard let query = try expected.removeValue(forKey: table) ?? query(Self.blockCount, table) else { return [] }
    defer { query.reset() }
    var keys: [Int64] = []
    while try query.step() { keys.append(query.integer(0)) }
    return keys
  }

  func next(of table: String) throws -> Int64 {
    try sequence(of: table).next()
  }

  func sequence(of table: String) throws -> KeySequence {
    if isRecorded(table) { return try recorded.sequence(of: table) }
    if let sequence = sequences[table] { return sequence }
    let sequence = known.sequence(of: table, recorded.generation) { 0 }
    sequence.assign = { [unowned self] in try assign(table) }
    sequences[table] = sequence
    return sequence
  }

  func nextPosition(of table: String) throws -> Int64 {
    try isRecorded(table) ? recorded.nextPosition(of: table) : next(of: table)
  }

  func retire(_ key: Int64, of table: String) {
    if isRecorded(table) { recorded.retire(key, of: table) }
  }

  func retireAll(of table: String) throws {
    if isRecorded(table) { try recorded.retireAll(of: table) }
  }

  func finish() throws {
    for query in expected.values { query.reset() }
    expected = [:]
    try recorded.finish()
  }
}
