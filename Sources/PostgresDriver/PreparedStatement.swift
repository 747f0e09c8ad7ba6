import Relational
import Support
import SystemPostgres

/// What the server knows about one SQL text on one connection.
final class PreparedStatement {
  enum State {
    case unknown
    /// The answer of the server is on its way.
    case sent
    case known
  }

  let sql: String
  /// The name on the server; nil when it does not keep the statement.
  let name: String?
  /// The types of the parameters; nil until they are known.
  var types: [Oid]?
  var state = State.unknown
  /// The statement, which is used again when no caller holds it.
  var statement: PostgresStatement?
  /// Whether the statement has to be prepared under another name.
  var isOutdated = false
  /// The time of the last use.
  var lastUse: UInt64 = 0

  init(sql: String, name: String?) {
    self.sql = sql
    self.name = name
    // A statement without parameters needs no description.
    if !sql.utf8.contains(UInt8(ascii: "$")) { types = [] }
  }
}

/// The most recently used statements of one connection, by their SQL.
struct PreparedStatements {
  private let capacity: Int
  private var statements: [String: PreparedStatement] = [:]
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  mutating func statement(_ sql: String) -> PreparedStatement? {
    clock += 1
    let found = statements[sql]
    found?.lastUse = clock
    return found
  }

  /// - Returns: The least recently used statement, which had to leave.
  mutating func keep(_ statement: PreparedStatement) -> PreparedStatement? {
    var oldest: PreparedStatement?
    if statements.count >= capacity, statements[statement.sql] == nil {
      oldest = statements.values.min { $0.lastUse < $1.lastUse }
      if let oldest { statements[oldest.sql] = nil }
    }
    statement.lastUse = clock
    statements[statement.sql] = statement
    return oldest
  }

  mutating func remove(_ statement: PreparedStatement) {
    if statements[statement.sql] === statement { statements[statement.sql] = nil }
  }

  mutating func removeAll() {
    for statement in statements.values { statement.statement = nil }
    statements = [:]
  }
}
