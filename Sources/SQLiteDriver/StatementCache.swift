/// The prepared statements of one connection by their SQL, as many as are worth keeping.
struct StatementCache {
  private struct Entry {
    var statement: SQLiteStatement
    var lastUse: UInt64
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The statement kept for `sql`, or else a new one from `prepare`, which is then the one that is kept.
  ///
  /// A statement that someone still holds may be in the middle of its rows, so it is left to its holder.
  mutating func statement(_ sql: String, prepare: () throws -> SQLiteStatement) rethrows -> SQLiteStatement {
    clock += 1
    if let kept = entries.index(forKey: sql), isKnownUniquelyReferenced(&entries.values[kept].statement) {
      entries.values[kept].lastUse = clock
      entries.values[kept].statement.clear()
      return entries.values[kept].statement
    }
    let statement = try prepare()
    if entries.count >= capacity && entries[sql] == nil { removeOldest() }
    entries[sql] = Entry(statement: statement, lastUse: clock)
    return statement
  }

  mutating func removeAll() {
    for entry in entries.values { entry.statement.finalize() }
    entries = [:]
  }

  private mutating func removeOldest() {
    guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    entries[oldest.key] = nil
  }
}
