package import Relational

extension PostgresConnection {
  /// The schema of the store, for conditions.
  static let schema = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"

  /// The collations that stores have created.
  package static let collations = "SELECT collname::text FROM pg_collation WHERE collnamespace = \(schema)"

  package func tableNames() throws -> Set<String> {
    var names: Set<String> = []
    try forEachRow("SELECT relname FROM pg_class WHERE relnamespace = \(Self.schema) AND relkind IN ('r', 'p')") {
      names.insert($0.text(0))
    }
    return names
  }

  package func indexNames() throws -> Set<String> {
    var names: Set<String> = []
    try forEachIndex { _, index in names.insert(index) }
    return names
  }

  /// Passes the tables and names of all indexes to `body`, except those of primary keys.
  private func forEachIndex(_ body: (_ table: String, _ index: String) -> Void) throws {
    try forEachRow(
      """
      SELECT t.relname, c.relname FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
      WHERE t.relnamespace = \(Self.schema) AND t.relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'x'))
      """
    ) { body($0.text(0), $0.text(1)) }
  }

  package func tables() throws -> [String: ExistingTable] {
    var tables: [String: ExistingTable] = [:]
    try forEachRow(
      """
      SELECT t.relname, a.attname, concat(format_type(a.atttypid, a.atttypmod), ' COLLATE ' || quote_ident(c.collname)),
        NOT a.attnotnull
      FROM pg_class t LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_collation c ON c.oid = a.attcollation AND c.collname <> 'default'
      WHERE t.relnamespace = \(Self.schema) AND t.relkind IN ('r', 'p') ORDER BY t.relname, a.attnum
      """
    ) { row in
      let name = row.text(0)
      var table = tables[name] ?? ExistingTable(name: name, columns: [], indexes: [])
      if !row.isNull(1) {
        table.columns.append(.init(name: row.text(1), type: row.text(2), isNullable: row.integer(3) != 0))
      }
      tables[name] = table
    }
    try forEachIndex { table, index in _ = tables[table]?.indexes.insert(index) }
    return tables
  }

  /// A hash of the tables, columns, indexes and triggers.
  package func schemaVersion() throws -> Int64 {
    var version: Int64 = 0
    try forEachRow(
      """
      SELECT coalesce(hashtextextended(string_agg(part, '|' ORDER BY part COLLATE "C"), 0), 0) FROM (
        SELECT concat_ws(',', c.oid, c.relname, c.relkind, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull)
        FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = \(Self.schema)
        UNION ALL SELECT concat_ws(',', t.tgrelid, t.tgname, t.tgfoid, t.tgenabled) FROM pg_trigger t
        JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = \(Self.schema) AND NOT t.tgisinternal
      ) AS parts(part)
      """
    ) { version = $0.integer(0) }
    return version
  }

  /// There are no search indexes beside the database's own.
  package func searches() throws -> ExistingSearches { ExistingSearches() }
  package func isSound(search name: String) throws -> Bool { true }
  package func trustTriggers(calling functions: [FoldingFunction]) throws {}

  package func copy(to path: String) throws {
    throw DatabaseError.other("copies of a PostgreSQL database are made with pg_dump")
  }

  /// None: the database does not let them come into being.
  package func danglingReferences(of table: String) throws -> [DanglingReferences] { [] }
}
