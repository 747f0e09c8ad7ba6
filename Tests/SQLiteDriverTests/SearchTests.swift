import Relational
import Testing

@testable import SQLiteDriver

@Suite("Search indexes in SQLite")
struct SearchTests {
  private let dialect = SQLiteDialect()
  private static let search = TableDefinition.Search(name: "s", column: "a\"b", function: "folded")

  private static let table: TableDefinition = {
    var table = TableDefinition(
      name: "t",
      columns: [
        .init(name: "id", type: .integer, isNullable: false, isPrimaryKey: true),
        .init(name: "a\"b", type: .text, isNullable: true),
      ])
    table.searches = [search]
    return table
  }()

  private static let folding = FoldingFunction(name: "folded") { text, body in
    String(decoding: text, as: UTF8.self).lowercased().withCString {
      body(UnsafeRawBufferPointer(start: $0, count: text.count))
    }
  }

  @Test("An index is created empty, filled, and updated by triggers")
  func creation() {
    #expect(
      dialect.createTable(Self.table).dropFirst() == [
        """
        CREATE VIRTUAL TABLE "s" USING fts5("text", content = '', columnsize = 0, detail = none, \
        tokenize = 'trigram case_sensitive 1')
        """,
        #"INSERT INTO "s" (rowid, "text") SELECT "id", folded("a""b") FROM "t" WHERE "a""b" IS NOT NULL"#,
        """
        CREATE TRIGGER "s_insert" AFTER INSERT ON "t" WHEN new."a""b" IS NOT NULL BEGIN \
        INSERT INTO "s" (rowid, "text") SELECT new."id", folded(new."a""b") WHERE new."a""b" IS NOT NULL; END
        """,
        """
        CREATE TRIGGER "s_update" AFTER UPDATE OF "id", "a""b" ON "t" \
        WHEN old."id" IS NOT new."id" OR old."a""b" IS NOT new."a""b" BEGIN \
        INSERT INTO "s" ("s", rowid, "text") SELECT 'delete', old."id", folded(old."a""b") WHERE old."a""b" IS NOT NULL; \
        INSERT INTO "s" (rowid, "text") SELECT new."id", folded(new."a""b") WHERE new."a""b" IS NOT NULL; END
        """,
        """
        CREATE TRIGGER "s_delete" AFTER DELETE ON "t" WHEN old."a""b" IS NOT NULL BEGIN \
        INSERT INTO "s" ("s", rowid, "text") SELECT 'delete', old."id", folded(old."a""b") WHERE old."a""b" IS NOT NULL; END
        """,
      ])
  }

  @Test("A text is searched by sequences of three scalars that cover it, quoted for FTS5")
  func queries() {
    func query(_ text: String) -> String? { TrigramQuery.parts(of: text).map(TrigramQuery.text) }
    #expect(query("ab") == nil)
    #expect(query("abc") == #""abc""#)
    #expect(query("abcd") == #""abc" AND "bcd""#)
    #expect(query("abcdefg") == #""abc" AND "def" AND "efg""#)
    #expect(query("a\"b") == #""a""b""#)
    #expect(query("e\u{301}日😀") == "\"e\u{301}日\" AND \"\u{301}日😀\"")
    #expect(TrigramQuery.parts(of: String(repeating: "abcdefg", count: 1_000))?.count == 16)
  }

  @Test("A search uses the rarest sequences of a text, and only one if no row has it")
  func frequencies() throws {
    let database = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .memory, foldings: [Self.folding]))
    try database.withoutTransaction { connection in
      for sql in dialect.createTable(Self.table) { try connection.execute(sql) }
      try connection.trustTriggers(calling: [Self.folding])
      try connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO t SELECT i, 'all' || CASE WHEN i % 2 THEN 'odd' ELSE 'yes' END || CASE WHEN i % 30 THEN '---' ELSE 'few' END
          || CASE i WHEN 7 THEN 'one' ELSE '...' END FROM n
        """)
      func asked(_ text: String) throws -> String {
        var query = ""
        try connection.forEachRow("SELECT folded_query(?, 's')", [.text(text)]) { query = $0.text(0) }
        return query
      }
      #expect(try asked("allodd") == #""odd" AND "all""#)
      #expect(try asked("oddfew") == #""few" AND "odd""#)
      #expect(try asked("allone") == #""one""#)
      #expect(try asked("all!!!odd") == #""!!!""#)
      #expect(try asked("all") == #""all""#)
      var count = 0
      let found = "SELECT count(*) FROM s WHERE s MATCH folded_query('yesfew', 's')"
      try connection.forEachRow(found) { count = Int($0.integer(0)) }
      #expect(count == 100)
      // Without a usable index the query is passed unchanged.
      var query = ""
      try connection.forEachRow("SELECT folded_query('allodd', 'nothing')") { query = $0.text(0) }
      #expect(query == #""all" AND "odd""#)
      // A view in the file cannot call the function.
      try connection.execute("CREATE VIEW v AS SELECT folded_query('abcdef', 's')")
      #expect(throws: DatabaseError.self) { try connection.run("SELECT * FROM v") }
    }
  }

  @Test("Triggers can write to an index once they are trusted, and SQL calls the functions they need")
  func trust() throws {
    let database = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .memory))
    try database.write { connection in
      // The index can be made without the functions.
      try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, \"a\"\"b\" TEXT)")
      let version = try connection.schemaVersion()
      let definition = try #require(dialect.searches).definition(of: Self.search, on: Self.table)
      try connection.execute(definition.table)
      for trigger in definition.triggers { try connection.execute(trigger.sql) }
      #expect(try connection.schemaVersion() != version)
      #expect(try connection.searches().tables == ["s": definition.table])
      #expect(try connection.searches().triggers.keys.sorted() == ["s_delete", "s_insert", "s_update"])

      #expect(throws: DatabaseError.self) { try connection.execute("INSERT INTO t VALUES (1, 'ABCD')") }
      try connection.trustTriggers(calling: [Self.folding])
      try connection.trustTriggers(calling: [Self.folding])
      try connection.execute("INSERT INTO t VALUES (1, 'ABCD'), (2, NULL), (3, 'bcd'), (4, X'61626364')")
      let found = Expression.idiom(
        .isFound(text: .value(.text("bCD")), search: Self.search, key: .column("id")))
      let select = Select(columns: ["id"], from: "t", condition: found)
      #expect(
        dialect.render(select).sql
          == #"SELECT "id" FROM "t" WHERE "id" IN (SELECT rowid FROM "s" WHERE "s" MATCH folded_query(?, 's'))"#)
      func keys() throws -> [Int64] {
        var keys: [Int64] = []
        try connection.forEachRow(dialect.render(select)) { keys.append($0.integer(0)) }
        return keys.sorted()
      }
      #expect(try keys() == [1, 3])
      try connection.execute("UPDATE t SET id = 9, \"a\"\"b\" = 'xbcdx' WHERE id = 1; DELETE FROM t WHERE id = 3")
      #expect(try keys() == [9])
      let steps = try connection.steps(of: dialect.render(select))
      #expect(steps.contains { $0.kind == .search && $0.index == "s" })

      for sql in try #require(dialect.searches).drop(Self.search) { try connection.execute(sql) }
      #expect(try connection.searches() == ExistingSearches())
      #expect(try connection.tableNames() == ["t"])
    }
  }

  @Test("An unreadable index does not count as one, and can be dropped")
  func damage() throws {
    let database = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .memory, foldings: [Self.folding]))
    try database.withoutTransaction { connection in
      for damage in ["DELETE FROM s_data", "DROP TABLE s_config", "DROP TABLE s_data", "UPDATE s_config SET v = 0"] {
        for sql in dialect.createTable(Self.table) { try connection.execute(sql) }
        try connection.execute(damage)
        for sql in try #require(dialect.searches).drop(Self.search) { try connection.execute(sql) }
        #expect(try connection.searches() == ExistingSearches())
        try connection.execute("DROP TABLE t")
      }
    }
  }

  @Test("A text too short for the index is an error, instead of no rows or all rows")
  func shortTexts() throws {
    let database = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .memory, foldings: [Self.folding]))
    try database.withoutTransaction { connection in
      #expect(throws: DatabaseError.self) { try connection.run("SELECT folded_query('ab', 's')") }
      var text = ""
      try connection.forEachRow("SELECT folded_query('abc', 's') || coalesce(folded(NULL), '-') || folded('')") {
        text = $0.text(0)
      }
      #expect(text == #""abc"-"#)
    }
  }
}
