/// The prepared statements of one connection by their SQL, as many as are worth keeping.
struct StatementCache {
  private final class Entry {
    let sql: String
    let length: Int
    // Unchecked, because the cache is the connection's, which one call has at a time, and none comes back to it.
    @exclusivity(unchecked) var statement: SQLiteStatement
    @exclusivity(unchecked) var lastUse: UInt64

    init(_ statement: SQLiteStatement, lastUse: UInt64) {
      sql = statement.sql
      length = sql.utf8.count
      self.statement = statement
      self.lastUse = lastUse
    }
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  /// The last few statements: most programs run the same ones again, and their SQL is the same string, which is found
  /// without hashing it, and without counting references. Each is in `entries`, and leaves this list before that.
  private var recent: [Unmanaged<Entry>] = []
  private static let recentCount = 8
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The statement kept for `sql`, ready to be bound and run; nil when there is none.
  ///
  /// A statement that someone still holds may be in the middle of its rows, so it is left to its holder.
  mutating func statement(_ sql: String) -> SQLiteStatement? {
    clock += 1
    return entry(of: sql)?._withUnsafeGuaranteedRef { entry in
      entry.lastUse = clock
      guard isKnownUniquelyReferenced(&entry.statement) else { return nil }
      let statement = entry.statement
      statement.clear()
      return statement
    }
  }

  /// Keeps a statement, in place of one that has the same SQL or else of the one that was used least recently.
  mutating func keep(_ statement: SQLiteStatement) {
    if let known = entries[statement.sql] {
      known.statement = statement
    } else {
      if entries.count == capacity { removeOldest() }
      entries[statement.sql] = Entry(statement, lastUse: clock)
    }
  }

  private mutating func entry(of sql: String) -> Unmanaged<Entry>? {
    // Others are mostly longer or shorter, which is found out at once.
    let length = sql.utf8.count
    for entry in recent where entry._withUnsafeGuaranteedRef({ $0.length == length && $0.sql == sql }) {
      return entry
    }
    guard let entry = entries[sql].map(Unmanaged.passUnretained) else { return nil }
    if recent.count == Self.recentCount { recent.removeLast() }
    recent.insert(entry, at: 0)
    return entry
  }

  private mutating func removeOldest() {
    guard let oldest = entries.values.min(by: { $0.lastUse < $1.lastUse }) else { return }
    recent.removeAll { $0.toOpaque() == Unmanaged.passUnretained(oldest).toOpaque() }
    entries[oldest.sql] = nil
  }

  mutating func removeAll() {
    for entry in entries.values { entry.statement.finalize() }
    recent = []
    entries = [:]
  }
}
