/// The prepared statements of one connection by their SQL, as many as are worth keeping.
struct StatementCache {
  private struct Entry {
    var statement: SQLiteStatement
    var lastUse: UInt64
  }

  private let capacity: Int
  private var entries: [Entry] = []
  private var positions: [String: Int] = [:]
  /// The positions of the last few statements: most programs run the same ones again, and their SQL is the same string,
  /// which is found without hashing it.
  private var recent: [Int] = []
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
    let known = position(of: sql)
    if let known, isKnownUniquelyReferenced(&entries[known].statement) {
      entries[known].lastUse = clock
      entries[known].statement.clear()
      return entries[known].statement
    }
    let entry = Entry(statement: try prepare(), lastUse: clock)
    if let known {
      entries[known] = entry
    } else if entries.count < capacity {
      positions[sql] = entries.count
      entries.append(entry)
    } else if let oldest = entries.indices.min(by: { entries[$0].lastUse < entries[$1].lastUse }) {
      positions[entries[oldest].statement.sql] = nil
      positions[sql] = oldest
      entries[oldest] = entry
    }
    return entry.statement
  }

  private mutating func position(of sql: String) -> Int? {
    if let position = recent.first(where: { entries[$0].statement.sql == sql }) { return position }
    guard let position = positions[sql] else { return nil }
    if recent.count == Self.recentCount { recent.removeLast() }
    recent.insert(position, at: 0)
    return position
  }

  mutating func removeAll() {
    for entry in entries { entry.statement.finalize() }
    entries = []
    positions = [:]
    recent = []
  }
}
