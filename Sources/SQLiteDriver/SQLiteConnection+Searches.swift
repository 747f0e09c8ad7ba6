package import Relational
import SystemSQLite

extension SQLiteConnection {
  package func schemaVersion() throws -> Int64 {
    var version: Int64 = 0
    try forEachRow("PRAGMA schema_version") { version = $0.integer(0) }
    return version
  }

  package func searches() throws -> ExistingSearches {
    var found = ExistingSearches()
    try forEachRow("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'") {
      found.triggers[$0.text(0)] = $0.text(1)
    }
    let parts = TrigramIndexes.parts.map { "search.name || '_\($0)'" }.joined(separator: ", ")
    var tables: [String: String] = [:]
    // A virtual table has no root page of its own. Another table may have the name of one of its parts.
    try forEachRow(
      """
      SELECT name, sql FROM sqlite_master AS search
      WHERE type = 'table' AND rootpage = 0 AND sql LIKE 'CREATE VIRTUAL TABLE % USING fts5%'
      AND (SELECT count(*) FROM sqlite_master AS part
        WHERE part.type = 'table' AND part.rootpage > 0 AND part.name IN (\(parts))) = \(TrigramIndexes.parts.count)
      """
    ) { tables[$0.text(0)] = $0.text(1) }
    found.tables = try tables.filter { try isReadable($0.key) }
    return found
  }

  /// Whether FTS5 can read the tables of an index.
  private func isReadable(_ index: String) throws -> Bool {
    do {
      // Preparing a statement makes FTS5 check the index. A statement that runs into damage would end the transaction.
      _ = try statement("SELECT rowid FROM \(SQLiteDialect().quoted(index)) LIMIT 0")
      return true
    } catch let error as DatabaseError where [.other, .corrupt].contains(error.reason) {
      return false
    }
  }

  package func isSound(search name: String) throws -> Bool {
    let index = SQLiteDialect().quoted(name)
    try LockedFiles.check(location)
    do {
      try run("INSERT INTO \(index) (\(index)) VALUES ('integrity-check')")
      return true
    } catch let error as DatabaseError where [.other, .corrupt].contains(error.reason) {
      return false
    }
  }

  package func trustTriggers(calling functions: [FoldingFunction]) throws {
    let handle = try openHandle()
    for function in functions where try !knows(function.name) { try SearchRegistration.register(function, on: handle) }
    let code = sqlite3_trust_schema(handle)
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle) }
  }

  private func knows(_ function: String) throws -> Bool {
    var isKnown = false
    try forEachRow("SELECT 1 FROM pragma_function_list WHERE name = ? LIMIT 1", [.text(function)]) { _ in isKnown = true
    }
    return isKnown
  }
}
