package import Relational

/// A foreign key of one column.
private struct ForeignKey: Hashable {
  var table: String
  var column: String
  var target: String
  var targetColumn: String
  /// As in `pg_constraint`: a, n or c.
  var action: String
}

extension PostgresConnection {
  /// Drops all foreign keys of the tables, which would keep them from being changed or dropped, and records the last keys that
  /// their sequences have assigned: a rebuilt table gets another sequence.
  package func beginTableChanges(of tables: [TableDefinition]) throws {
    // Transactions that read hold a weaker lock until they end.
    if shared.writer.withLock({ $0.isStoreKnown }) {
      try send("LOCK TABLE swiftdata_metadata IN ACCESS EXCLUSIVE MODE")
    }
    let dialect = PostgresDialect()
    let names = Set(tables.map { dialect.shortened($0.name) })
    for reference in try existingReferences() where names.contains(reference.table) {
      try drop(reference.name, of: reference.table)
    }
    for table in tables where table.hasKeys {
      try run(
        """
        INSERT INTO swiftdata_sequences (name, last) \
        SELECT \(table.name.inSingleQuotes), last_value FROM pg_sequences \
        WHERE last_value IS NOT NULL AND (quote_ident(schemaname) || '.' || quote_ident(sequencename)) \
        = pg_get_serial_sequence(\(dialect.quoted(table.name).inSingleQuotes), \(table.keyColumn.inSingleQuotes)) \
        ON CONFLICT (name) DO UPDATE SET last = greatest(swiftdata_sequences.last, excluded.last)
        """)
    }
  }

  /// Keeps the table, and with it the sequence of its keys, views and rights.
  package func redefine(_ table: TableDefinition) throws -> Bool {
    guard table.compositePrimaryKey.isEmpty else { return false }
    let dialect = PostgresDialect()
    let name = dialect.quoted(table.name)
    let existing = try tables()[dialect.shortened(table.name)]
    for index in existing?.indexes.sorted() ?? [] { _ = try drop(index: index) }
    let kept = Set(table.columns.map { dialect.shortened($0.name) })
    for column in existing?.columns ?? [] where !kept.contains(column.name) {
      try run("ALTER TABLE \(name) DROP COLUMN \(column.name.inDoubleQuotes)")
    }
    for column in table.columns {
      let previous = existing?.columns.first { $0.name == dialect.shortened(column.name) }
      if let previous, previous.type != dialect.typeName(column) { try replace(previous, by: column, of: name) }
    }
    let changes = table.columns.filter { !$0.isPrimaryKey }.map { column in
      let start = "ALTER COLUMN \(dialect.quoted(column.name))"
      let value = column.defaultValue.map { "SET DEFAULT \(dialect.literal($0, in: column))" } ?? "DROP DEFAULT"
      return "\(start) \(column.isNullable ? "DROP" : "SET") NOT NULL, \(start) \(value)"
    }
    if !changes.isEmpty { try run("ALTER TABLE \(name) \(changes.joined(separator: ", "))") }
    for index in table.indexes { try run(dialect.createIndex(index, on: table.name)) }
    return true
  }

  /// Replaces a column by one of another type. Migrations convert values before, so the column must have none.
  private func replace(_ previous: ExistingTable.Column, by column: TableDefinition.Column, of table: String) throws {
    let dialect = PostgresDialect()
    var hasValues = false
    try forEachRow("SELECT 1 FROM \(table) WHERE \(previous.name.inDoubleQuotes) IS NOT NULL LIMIT 1") { _ in
      hasValues = true
    }
    guard !hasValues else {
      throw DatabaseError(
        reason: .other,
        message: "The column \(table).\(previous.name) has values and cannot become \(dialect.typeName(column)).")
    }
    try run("ALTER TABLE \(table) DROP COLUMN \(previous.name.inDoubleQuotes)")
    try run("ALTER TABLE \(table) ADD COLUMN \(dialect.quoted(column.name)) \(dialect.typeName(column))")
  }

  /// A unique index belongs to a constraint.
  package func drop(index name: String) throws -> Bool {
    let name = PostgresDialect().shortened(name)
    var table: String?
    try forEachRow(
      """
      SELECT t.relname FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
      WHERE k.contype = 'u' AND k.conname = \(name.inSingleQuotes)
      AND k.connamespace = \(Self.schema)
      """
    ) { table = $0.text(0) }
    if let table {
      try drop(name, of: table)
    } else {
      try run("DROP INDEX IF EXISTS \(name.inDoubleQuotes)")
    }
    return true
  }

  package func finishTableChanges(of tables: [TableDefinition]) throws {
    try completeReferences(of: tables)
    try forEachRow("SELECT to_regclass('swiftdata_metadata') IS NOT NULL") { row in
      if row.integer(0) == 1 { shared.writer.withLock { $0.isStoreKnown = true } }
    }
    let dialect = PostgresDialect()
    for table in tables where table.hasKeys {
      let (name, key) = (dialect.quoted(table.name), dialect.quoted(table.keyColumn))
      // A sequence that has assigned no key yet has no last value.
      try send(
        """
        SELECT setval(pg_get_serial_sequence(\(name.inSingleQuotes), \(table.keyColumn.inSingleQuotes)), last) FROM \
        (SELECT greatest((SELECT max(\(key)) FROM \(name)), \
        (SELECT last FROM swiftdata_sequences WHERE name = \(table.name.inSingleQuotes))) AS last) AS known WHERE last > 0
        """)
    }
  }

  private func completeReferences(of tables: [TableDefinition]) throws {
    let dialect = PostgresDialect()
    let names = Set(tables.map { dialect.shortened($0.name) })
    let wanted = tables.flatMap { references(of: $0, dialect) }
    var missing = Set(wanted)
    for existing in try existingReferences() where names.contains(existing.table) {
      if let key = existing.key, wanted.contains(key) {
        // A second one for the same column is superfluous.
        if missing.remove(key) != nil { continue }
      }
      try drop(existing.name, of: existing.table)
    }
    for key in wanted where missing.remove(key) != nil { try add(key, dialect) }
  }

  private func references(of table: TableDefinition, _ dialect: PostgresDialect) -> [ForeignKey] {
    table.columns.compactMap { column in
      column.references.map { reference in
        ForeignKey(
          table: dialect.shortened(table.name), column: dialect.shortened(column.name),
          target: dialect.shortened(reference.table), targetColumn: dialect.shortened(reference.column),
          action: reference.onDelete.code)
      }
    }
  }

  /// - Returns: The foreign keys; `key` is nil for one that has several columns, or is not deferred.
  private func existingReferences() throws -> [(name: String, table: String, key: ForeignKey?)] {
    var references: [(name: String, table: String, key: ForeignKey?)] = []
    try forEachRow(
      """
      SELECT k.conname, t.relname, c.attname, f.relname, d.attname, k.confdeltype::text,
        k.condeferrable AND k.condeferred AND k.convalidated AND cardinality(k.conkey) = 1
        AND f.relnamespace = t.relnamespace
      FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid
      JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum = k.conkey[1]
      JOIN pg_attribute d ON d.attrelid = f.oid AND d.attnum = k.confkey[1]
      WHERE k.contype = 'f' AND k.conparentid = 0
      AND t.relnamespace = \(Self.schema)
      ORDER BY t.relname, k.conname
      """
    ) { row in
      let key = ForeignKey(
        table: row.text(1), column: row.text(2), target: row.text(3), targetColumn: row.text(4), action: row.text(5))
      references.append((name: row.text(0), table: row.text(1), key: row.integer(6) == 0 ? nil : key))
    }
    return references
  }

  private func drop(_ name: String, of table: String) throws {
    try send("ALTER TABLE \(table.inDoubleQuotes) DROP CONSTRAINT \(name.inDoubleQuotes)")
  }

  private func add(_ key: ForeignKey, _ dialect: PostgresDialect) throws {
    let name = dialect.quoted("\(key.table)_\(key.column)_fkey")
    let action = ["n": "SET NULL", "c": "CASCADE"][key.action] ?? "NO ACTION"
    try send(
      """
      ALTER TABLE \(key.table.inDoubleQuotes) ADD CONSTRAINT \(name) FOREIGN KEY (\(key.column.inDoubleQuotes)) \
      REFERENCES \(key.target.inDoubleQuotes) (\(key.targetColumn.inDoubleQuotes)) ON DELETE \(action) \
      DEFERRABLE INITIALLY DEFERRED
      """)
  }
}

extension TableDefinition {
  /// Whether the rows have keys of a sequence.
  fileprivate var hasKeys: Bool { columns.contains { $0.isPrimaryKey && $0.type == .integer } }

  fileprivate var keyColumn: String { columns.first { $0.isPrimaryKey }?.name ?? "" }
}

extension TableDefinition.Column.Reference.DeleteAction {
  fileprivate var code: String {
    switch self {
    case .restrict: "a"
    case .setNull: "n"
    case .cascade: "c"
    }
  }
}
