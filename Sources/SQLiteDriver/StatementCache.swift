/// The prepared statements of one connection by their SQL, as many as are worth keeping.
struct StatementCache {
  private final class Entry {
    let sql: String
    @exclusivity(unchecked) var statement: SQLiteStatement
    @exclusivity(unchecked) var lastUse: UInt64

    init(_ sql: String, _ statement: SQLiteStatement, lastUse: UInt64) {
      self.sql = sql
      self.statement = statement
      self.lastUse = lastUse
    }
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  /// The last few statements: most programs run the same ones again, and their SQL is the same string, which is found
  /// without hashing it.
  private var recent: [Entry] = []
  private static let recentCount = 4
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The statement kept for `sql`, or else a new one from `prepare`, which is then the one that is kept.
  ///
  /// A statement that someone still holds may be in the middle of its rows, so it is left to its holder.
  mutating func statement(_ sql: String, prepare: () throws -> SQLiteStatement) rethrows -> SQLiteStatement {
    clock += 1
    guard let known = entry(of: sql) else {
      let statement = try prepare()
      if entries.count == capacity { removeOldest() }
      entries[sql] = Entry(sql, statement, lastUse: clock)
      return statement
    }
    known.lastUse = clock
    if isKnownUniquelyReferenced(&known.statement) {
      known.statement.clear()
    } else {
      known.statement = try prepare()
    }
    return known.statement
  }

  private mutating func entry(of sql: String) -> Entry? {
    for entry in recent where entry.sql == sql { return entry }
    guard let entry = entries[sql] else { return nil }
    if recent.count == Self.recentCount { recent.removeLast() }
    recent.insert(entry, at: 0)
    return entry
  }

  private mutating func removeOldest() {
    guard let oldest = entries.values.min(by: { $0.lastUse < $1.lastUse }) else { return }
    entries[oldest.sql] = nil
    recent.removeAll { $0 === oldest }
  }

  mutating func removeAll() {
    for entry in entries.values { entry.statement.finalize() }
    entries = [:]
    recent = []
  }
}
