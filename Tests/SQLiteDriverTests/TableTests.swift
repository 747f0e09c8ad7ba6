import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("Creating, changing and describing tables")
struct TableTests {
  private let dialect = SQLiteDialect()

  private let trip = TableDefinition(
    name: "Trip",
    columns: [
      .init(name: "id", type: .integer, isNullable: false, isPrimaryKey: true),
      .init(name: "name", type: .text, isNullable: false, defaultValue: .text("it's")),
      .init(name: "cost", type: .real, isNullable: true),
      .init(name: "photo", type: .blob, isNullable: true),
      .init(
        name: "owner", type: .integer, isNullable: true,
        references: .init(table: "Person", column: "id", onDelete: .setNull)),
      .init(
        name: "parent", type: .integer, isNullable: true,
        references: .init(table: "Trip", column: "id", onDelete: .restrict)),
    ],
    indexes: [
      .init(name: "Trip_owner", columns: ["owner"], isUnique: false),
      .init(name: "Trip_name", columns: ["name", "cost"], isUnique: true),
    ])

  @Test("A table is described as one column for each line, followed by its indexes")
  func description() {
    #expect(
      dialect.createTable(trip) == [
        """
        CREATE TABLE "Trip" (
          "id" INTEGER PRIMARY KEY,
          "name" TEXT NOT NULL DEFAULT 'it''s',
          "cost" REAL,
          "photo" BLOB,
          "owner" INTEGER REFERENCES "Person"("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          "parent" INTEGER REFERENCES "Trip"("id") DEFERRABLE INITIALLY DEFERRED
        )
        """,
        #"CREATE INDEX "Trip_owner" ON "Trip" ("owner")"#,
        #"CREATE UNIQUE INDEX "Trip_name" ON "Trip" ("name", "cost")"#,
      ])
  }

  @Test("A join table has its columns as primary key")
  func joinTable() {
    let reference = TableDefinition.Column.Reference(table: "Trip", column: "id", onDelete: .cascade)
    let table = TableDefinition(
      name: "Trip_tags",
      columns: [
        .init(name: "trip", type: .integer, isNullable: false, references: reference),
        .init(name: "tag", type: .text, isNullable: false),
      ],
      compositePrimaryKey: ["trip", "tag"])
    #expect(
      dialect.createTable(table) == [
        """
        CREATE TABLE "Trip_tags" (
          "trip" INTEGER NOT NULL REFERENCES "Trip"("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "tag" TEXT NOT NULL,
          PRIMARY KEY ("trip", "tag")
        ) WITHOUT ROWID
        """
      ])
  }

  @Test("Tables are changed by separate statements")
  func changes() {
    let column = TableDefinition.Column(name: "days", type: .integer, isNullable: false, defaultValue: .integer(1))
    #expect(
      dialect.addColumn(column, to: "Trip") == #"ALTER TABLE "Trip" ADD COLUMN "days" INTEGER NOT NULL DEFAULT 1"#)
    #expect(dialect.dropColumn("days", from: "Trip") == [#"ALTER TABLE "Trip" DROP COLUMN "days""#])
    #expect(dialect.dropIndex("Trip_name") == #"DROP INDEX IF EXISTS "Trip_name""#)
  }

  @Test(
    "An added column has its default value in existing rows",
    arguments: [
      .null, .integer(.min), .integer(.max), .real(0.1), .real(-.infinity), .real(.greatestFiniteMagnitude),
      .real(.leastNonzeroMagnitude), .text(""), .text("a'b\nc"), .text("a\0b"), .blob(Data()), .blob(Data([0, 255])),
    ] as [Value])
  func addedColumn(value: Value) throws {
    let database = try SQLiteDatabase.inMemory()
    let type: TableDefinition.Column.ColumnType =
      switch value {
      case .null, .blob: .blob
      case .integer: .integer
      case .real: .real
      case .text: .text
      }
    let column = TableDefinition.Column(name: "x", type: type, isNullable: value == .null, defaultValue: value)
    try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    try database.execute(dialect.addColumn(column, to: "t"))
    #expect(try database.read { try $0.rows("SELECT x FROM t") } == [value])
  }

  @Test("The tables of a database are read as they were created")
  func tables() throws {
    let database = try SQLiteDatabase.inMemory()
    try database.write { connection in
      for sql in dialect.createTable(trip) { try connection.execute(sql) }
      try connection.execute("CREATE TABLE Other (a TEXT UNIQUE, b REAL NOT NULL); CREATE VIEW v AS SELECT 1")
    }
    let tables = try database.read { try $0.tables() }
    #expect(tables.keys.sorted() == ["Other", "Trip"])
    let found = try #require(tables["Trip"])
    #expect(found.columns.map(\.name) == trip.columns.map(\.name))
    #expect(found.columns.map(\.type) == ["INTEGER", "TEXT", "REAL", "BLOB", "INTEGER", "INTEGER"])
    #expect(found.columns.map(\.isNullable) == trip.columns.map(\.isNullable))
    #expect(found.indexes == ["Trip_owner", "Trip_name"])
    #expect(tables["Other"]?.indexes == [])
  }
}
