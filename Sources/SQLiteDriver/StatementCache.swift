/// The most recently used prepared statements of one connection, by their SQL.
struct StatementCache {
  private final class Entry {
    let sql: String
    let length: Int
    // Unchecked, because one call at a time has the connection and its cache, and no access re-enters the cache.
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
  /// The last few statements: most programs repeat them with the same string, which is found without hashing and without
  /// counting references. Each is in `entries`, and leaves this list before it leaves `entries`.
  private var recent: [Unmanaged<Entry>] = []
  private static let recentCount = 8
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The cached statement for `sql`, ready to be bound and run; nil when there is none.
  ///
  /// A statement that a caller still retains may be in the middle of its rows, so the cache drops it.
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

  /// Caches a statement. It replaces a statement with the same SQL or else the least recently used one.
  mutating func keep(_ statement: SQLiteStatement) {
    if let known = entries[statement.sql] {
      known.statement = statement
    } else {
      if entries.count == capacity { removeOldest() }
      entries[statement.sql] = Entry(statement, lastUse: clock)
    }
  }

  private mutating func entry(of sql: String) -> Unmanaged<Entry>? {
    // Most other statements differ in length, which is checked first.
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
