import Relational

/// A working copy of the store's schema is another schema of the same database.
///
/// The transaction from which it was made, and those from which further copies are made, share an advisory lock. Without the
/// lock, the copy belongs to a program that has ended.
extension PostgresConnection {
  package func makeWorkingCopy(at path: String) throws {
    // The transaction is idle while others change the copy.
    try run(
      """
      SELECT set_config(name, '0', true) FROM pg_settings \
      WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')
      """)
    try run("SELECT pg_advisory_xact_lock_shared(\(Self.lockKey(of: path.inSingleQuotes)))")
    try checkObstacles()
    let snapshot = try texts(of: "SELECT pg_export_snapshot()").joined()
    let statements = try texts(of: Self.copying)
    var configuration = shared.configuration
    configuration.schema = path
    configuration.isReadOnly = false
    let other = try PostgresConnector.open(SharedState(configuration))
    defer { other.invalidate() }
    let settings = SessionSettings(configuration).sql(isLocal: true)
    let start = [
      "BEGIN ISOLATION LEVEL REPEATABLE READ", "SET TRANSACTION SNAPSHOT \(snapshot.inSingleQuotes)", settings,
    ]
    _ = try other.pipeline.run(script: (start + statements + ["COMMIT"]).joined(separator: ";\n"))
  }

  package func removeWorkingCopy(at path: String) throws {
    try execute(
      """
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT nspname FROM pg_namespace
          WHERE starts_with(nspname, \(workingCopyPrefix.inSingleQuotes)) AND pg_has_role(nspowner, 'USAGE')
          AND (nspname = \(path.inSingleQuotes) OR pg_try_advisory_xact_lock(\(Self.lockKey(of: "nspname"))))
        LOOP
          BEGIN
            EXECUTE format('DROP SCHEMA %I CASCADE', name);
          EXCEPTION WHEN OTHERS THEN NULL; -- Another session uses it; the next call tries again.
          END;
        END LOOP;
      END $$
      """)
  }

  /// The key of the lock that all copies with one identifier share.
  private static func lockKey(of name: String) -> String {
    "hashtext(regexp_replace(\(name), '_[0-9]+$', ''))"
  }

  /// Replaces the tables of the schema with those of a copy. The table with the row that writers lock stays, because they
  /// wait for it.
  func replaceTables(by copy: String) throws {
    let statements = try texts(of: Self.replacing(copy.inSingleQuotes))
    try lockTables()
    try checkObstacles()
    try execute(statements.joined(separator: ";\n"))
  }

  private func checkObstacles() throws {
    let obstacles = try texts(of: Self.obstacles)
    if !obstacles.isEmpty { throw DatabaseError.other(obstacles.joined(separator: "; ")) }
  }

  /// Waits until no one reads any table.
  private func lockTables() throws {
    let tables = try tableNames().subtracting([Self.writersTable]).sorted().map(\.inDoubleQuotes).joined(
      separator: ", ")
    let deadline = ContinuousClock.now + .seconds(max(1, min(shared.configuration.busyTimeout, 1e6)))
    while true {
      do {
        return try inSavepoint { try execute("LOCK TABLE \(tables) IN ACCESS EXCLUSIVE MODE") }
      } catch let error as DatabaseError where error.reason == .conflict && ContinuousClock.now < deadline {
        // A reader that had one of the tables waited for another one. Without the locks it can go on.
      }
    }
  }

  private func texts(of query: String) throws -> [String] {
    var texts: [String] = []
    try forEachRow(query) { texts.append($0.text(0)) }
    return texts
  }

  // MARK: Statements

  private static let writersTable = "swiftdata_sequences"

  /// What the tables have that a copy would not, or that would keep them from being replaced.
  private static let obstacles = """
    SELECT format('the table %I has row security or partitions, or belongs to a publication', c.relname) FROM pg_class c
    WHERE c.relnamespace = \(schema) AND c.relkind IN ('r', 'p') AND (c.relkind = 'p' OR c.relispartition
      OR c.relrowsecurity OR EXISTS (SELECT FROM pg_publication_rel p WHERE p.prrelid = c.oid))
    UNION SELECT format('a view or rule of %s uses the table %I', r.ev_class::regclass, c.relname) FROM pg_class c
    JOIN pg_depend d ON d.refobjid = c.oid AND d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_rewrite'::regclass
    JOIN pg_rewrite r ON r.oid = d.objid WHERE c.relnamespace = \(schema) AND c.relkind IN ('r', 'p') ORDER BY 1
    """

  /// The statements that copy the schema into another one, which is that of their connection. The definitions name no
  /// schema, as they are read with the original as the only one.
  private static let copying = """
    WITH tables AS (SELECT * FROM pg_class WHERE relnamespace = \(schema) AND relkind = 'r')
    SELECT statement FROM (
      SELECT 1, collname::text, format('CREATE COLLATION %I FROM %I.%I', collname, current_schema(), collname)
      FROM pg_collation WHERE collnamespace = \(schema)
      UNION ALL SELECT 2, relname,
        format('CREATE TABLE %I (LIKE %I.%I INCLUDING ALL EXCLUDING INDEXES)', relname, current_schema(), relname)
      FROM tables
      UNION ALL SELECT 3, relname, format(
        'INSERT INTO %1$I (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM %3$I.%1$I', relname,
        string_agg(quote_ident(attname), ', ' ORDER BY attnum), current_schema())
      FROM tables c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      GROUP BY relname
      UNION ALL SELECT CASE contype WHEN 'f' THEN 6 ELSE 4 END, conname,
        format('ALTER TABLE %I ADD CONSTRAINT %I %s', relname, conname, pg_get_constraintdef(k.oid))
      FROM pg_constraint k JOIN tables c ON c.oid = conrelid WHERE contype IN ('p', 'u', 'x', 'f')
      UNION ALL SELECT 5, relname, pg_get_indexdef(indexrelid, 0, true) FROM pg_index i JOIN tables c ON c.oid = indrelid
      WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
      UNION ALL SELECT 7, relname, format(
        'SELECT setval(pg_get_serial_sequence(%L, %L), %s)', quote_ident(relname), attname, last)
      FROM tables c JOIN pg_attribute a ON a.attrelid = c.oid AND attidentity <> '',
        pg_sequence_last_value(pg_get_serial_sequence(format('%I.%I', current_schema(), relname), attname)::regclass) last
      WHERE last IS NOT NULL
      UNION ALL SELECT 8, relname, format('COMMENT ON TABLE %I IS %L', relname, obj_description(oid, 'pg_class'))
      FROM tables WHERE obj_description(oid, 'pg_class') IS NOT NULL
      UNION ALL SELECT 9, relname, format('ALTER TABLE %I SET (%s)', relname, array_to_string(reloptions, ', '))
      FROM tables WHERE reloptions IS NOT NULL
    ) AS steps (step, name, statement) ORDER BY step, name
    """

  /// The statements that replace the tables, and give those with the same name the owner, the rights and the triggers.
  ///
  /// - Parameter copy: The name of the other schema, as a literal.
  private static func replacing(_ copy: String) -> String {
    let copied = "(SELECT oid FROM pg_namespace WHERE nspname = \(copy))"
    return """
      WITH parts AS (SELECT * FROM pg_class WHERE relkind IN ('r', 'S') AND relname <> '\(writersTable)'),
      old AS (SELECT * FROM parts WHERE relnamespace = \(schema)),
      new AS (SELECT * FROM parts WHERE relnamespace = \(copied)),
      pairs AS (
        SELECT old.*, new.oid AS newoid, new.relowner AS newowner,
          format(CASE relkind WHEN 'S' THEN 'SEQUENCE %I' ELSE 'TABLE %I' END, relname) AS object
        FROM old JOIN new USING (relname, relkind)),
      rights AS (
        SELECT object, relowner, '' AS columns, relacl AS acl FROM pairs
        UNION ALL SELECT object, relowner, format(' (%I)', a.attname), a.attacl
        FROM pairs JOIN pg_attribute a ON a.attrelid = pairs.oid
        JOIN pg_attribute b ON b.attrelid = newoid AND b.attname = a.attname AND NOT b.attisdropped)
      SELECT statement FROM (
        SELECT 1, format('DROP TABLE %s', string_agg(quote_ident(relname), ', ')) FROM old WHERE relkind = 'r'
        UNION ALL SELECT 2, format('DROP COLLATION IF EXISTS %I', collname)
        FROM pg_collation WHERE collnamespace = \(copied)
        UNION ALL SELECT 3, format('ALTER COLLATION %I.%I SET SCHEMA %I', \(copy), collname, current_schema())
        FROM pg_collation WHERE collnamespace = \(copied)
        UNION ALL SELECT 3, format('ALTER TABLE %I.%I SET SCHEMA %I', \(copy), relname, current_schema())
        FROM new WHERE relkind = 'r'
        UNION ALL VALUES (4, 'DELETE FROM \(writersTable) WHERE name <> ''swiftdata_writer'''), (5, format(
          'INSERT INTO \(writersTable) SELECT * FROM %I.\(writersTable) WHERE name <> ''swiftdata_writer''', \(copy)))
        UNION ALL SELECT 6, format('ALTER %s OWNER TO %I', object, pg_get_userbyid(relowner))
        FROM pairs WHERE relkind = 'r' AND relowner <> newowner
        UNION ALL SELECT 7, format('GRANT %s%s ON %s TO %s%s', privilege_type, columns, object,
          CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
          CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
        FROM rights, aclexplode(acl) WHERE grantee <> relowner
        UNION ALL SELECT 8, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pairs ON tgrelid = pairs.oid
        WHERE NOT tgisinternal
        UNION ALL VALUES (9, format('DROP SCHEMA %I CASCADE', \(copy)))
      ) AS steps (step, statement) ORDER BY step
      """
  }
}
