package import Relational
import SystemSQLite

extension SQLiteDialect {
  /// Nil when SQLite is built without FTS5.
  package var searches: (any SearchDialect)? { Self.hasFTS5 ? TrigramIndexes(dialect: self) : nil }

  private static let hasFTS5 = sqlite3_compileoption_used("ENABLE_FTS5") != 0

  func writeSearch(
    of text: Relational.Expression, in search: TableDefinition.Search, _ key: Relational.Expression,
    to writer: inout SQLWriter<SQLiteDialect>
  ) {
    let name = quoted(search.name)
    writer.write(operand: key)
    writer.write(" IN (SELECT rowid FROM \(name) WHERE \(name) MATCH ")
    writer.write(word: SearchRegistration.queryName(search.function))
    writer.write("(")
    writer.write(text)
    writer.write(", \(literal(search.name))))")
  }
}

/// Indexes of all sequences of three scalars in texts, by FTS5.
///
/// An index stores which rows have a sequence, and neither its position nor its frequency, which halves its size. A longer text
/// is found in the rows that have all of its sequences.
struct TrigramIndexes: SearchDialect {
  let dialect: SQLiteDialect

  private enum Event: String {
    case insert, update, delete
  }

  /// The suffixes of the tables in which FTS5 keeps an index.
  static let parts = ["data", "idx", "config"]

  func definition(of search: TableDefinition.Search, on table: TableDefinition) -> SearchDefinition {
    let (column, key) = (quoted(search.column), quoted(Self.key(of: table)))
    let isChanged = "old.\(key) IS NOT new.\(key) OR old.\(column) IS NOT new.\(column)"
    return SearchDefinition(
      table: """
        CREATE VIRTUAL TABLE \(quoted(search.name)) USING fts5("text", content = '', columnsize = 0, detail = none, \
        tokenize = 'trigram case_sensitive 1')
        """,
      triggers: [
        trigger(.insert, "INSERT", search, table, when: "new.\(column) IS NOT NULL", [addition(search, key, column)]),
        trigger(
          .update, "UPDATE OF \(key), \(column)", search, table, when: isChanged,
          [removal(search, key, column), addition(search, key, column)]),
        trigger(.delete, "DELETE", search, table, when: "old.\(column) IS NOT NULL", [removal(search, key, column)]),
      ])
  }

  func fill(_ search: TableDefinition.Search, from table: TableDefinition) -> String {
    let (column, key) = (quoted(search.column), quoted(Self.key(of: table)))
    return """
      INSERT INTO \(quoted(search.name)) (rowid, "text") SELECT \(key), \(search.function)(\(column)) \
      FROM \(quoted(table.name)) WHERE \(column) IS NOT NULL
      """
  }

  /// FTS5 can only drop an index that it can read, so its tables are first replaced by new and empty ones.
  func drop(_ search: TableDefinition.Search) -> [String] {
    let triggers = [Event.insert, .update, .delete].map { "DROP TRIGGER IF EXISTS \(name(of: search, $0.rawValue))" }
    let parts = Self.parts.map { "DROP TABLE IF EXISTS \(name(of: search, $0))" }
    return triggers + parts + [
      "CREATE TABLE \(name(of: search, "data")) (id INTEGER PRIMARY KEY, block BLOB)",
      "CREATE TABLE \(name(of: search, "idx")) (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID",
      "CREATE TABLE \(name(of: search, "config")) (k PRIMARY KEY, v) WITHOUT ROWID",
      "INSERT INTO \(name(of: search, "data")) VALUES (1, X''), (10, X'00000000000000')",
      "INSERT INTO \(name(of: search, "config")) VALUES ('version', 4)",
      "DROP TABLE IF EXISTS \(quoted(search.name))",
    ] + parts
  }

  private func quoted(_ name: String) -> String {
    dialect.quoted(name)
  }

  private func name(of search: TableDefinition.Search, _ part: String) -> String {
    quoted("\(search.name)_\(part)")
  }

  private static func key(of table: TableDefinition) -> String {
    table.columns.first(where: \.isPrimaryKey)?.name ?? "rowid"
  }

  private func trigger(
    _ event: Event, _ words: String, _ search: TableDefinition.Search, _ table: TableDefinition, when: String,
    _ statements: [String]
  ) -> SearchDefinition.Trigger {
    let body = statements.map { "\($0); " }.joined()
    let sql = """
      CREATE TRIGGER \(name(of: search, event.rawValue)) AFTER \(words) ON \(quoted(table.name)) WHEN \(when) \
      BEGIN \(body)END
      """
    return .init(name: "\(search.name)_\(event.rawValue)", sql: sql)
  }

  private func addition(_ search: TableDefinition.Search, _ key: String, _ column: String) -> String {
    """
    INSERT INTO \(quoted(search.name)) (rowid, "text") SELECT new.\(key), \(search.function)(new.\(column)) \
    WHERE new.\(column) IS NOT NULL
    """
  }

  /// The command includes the old text, because the index does not store it.
  private func removal(_ search: TableDefinition.Search, _ key: String, _ column: String) -> String {
    """
    INSERT INTO \(quoted(search.name)) (\(quoted(search.name)), rowid, "text") \
    SELECT 'delete', old.\(key), \(search.function)(old.\(column)) WHERE old.\(column) IS NOT NULL
    """
  }
}
