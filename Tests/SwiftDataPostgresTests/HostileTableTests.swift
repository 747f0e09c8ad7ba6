import Foundation
import PostgresDriver
import Relational
import Testing

/// Names that no model of Swift has, but other programs' tables may.
@Suite("Hostile names of tables and columns", .needsServer)
struct HostileTableTests {
  private let namespace: Namespace
  private var database: PostgresDatabase { namespace.database }
  private let dialect = PostgresDialect()

  init() throws {
    namespace = try Namespace("it's \"odd\"; \\")
  }

  private static let names = [
    "a\"b", "it's", "x; DROP SCHEMA public CASCADE; --", "\\", "\\'", "%s", "$1", "?", "a.b", "a b", "😀", "Ünïcode",
    "\u{1}", "\n",
    "select", "user", String(repeating: "long \"name\" ", count: 20), String(repeating: "é", count: 100), "$$", "/*",
    "E'\\'",
  ]

  private func definition(_ name: String) -> TableDefinition {
    typealias Column = TableDefinition.Column
    var date = Column(name: "date \(name)", type: .real, isNullable: true)
    date.meaning = "Date"
    return TableDefinition(
      name: name,
      columns: [
        Column(name: "_id", type: .integer, isNullable: false, isPrimaryKey: true),
        Column(name: name, type: .text, isNullable: false, defaultValue: .text(name)),
        Column(name: "\(name) 2", type: .integer, isNullable: true), date,
        Column(
          name: "parent \(name)", type: .integer, isNullable: true,
          references: .init(table: name, column: "_id", onDelete: .setNull)),
      ],
      indexes: [
        .init(name: "unique \(name)", columns: [name], isUnique: true),
        .init(name: "index \(name)", columns: ["\(name) 2", "parent \(name)"], isUnique: false),
      ])
  }

  @Test("Tables are created, written, read, changed and dropped", arguments: names)
  func table(name: String) throws {
    let table = definition(name)
    let columns = Array(table.columns.dropFirst())
    try database.write { connection in
      try connection.execute("CREATE TABLE IF NOT EXISTS swiftdata_sequences (name text PRIMARY KEY, last bigint)")
      try connection.execute(dialect.createTable(table).joined(separator: ";\n"))
      try connection.finishTableChanges(of: [table])
    }
    let short = dialect.shortened(name)
    try database.read { connection in
      let found = try #require(try connection.tables()[short])
      #expect(found.columns.map(\.name) == table.columns.map { dialect.shortened($0.name) })
      #expect(found.indexes == Set(table.indexes.map { dialect.shortened($0.name) }))
    }
    let batch = RowBatch(width: columns.count, firstParameter: 2)
    try database.write { connection in
      var keys: [Int64] = []
      let newKeys = try #require(dialect.newKeys(of: name, in: "_id"))
      try connection.forEachRow(newKeys, [.integer(3)]) { keys.append($0.integer(0)) }
      #expect(keys == [1, 2, 3])
      for key in keys {
        batch.addRow(key)
        batch.bind("\(name) \(key)", at: 2)
        batch.bind(key, at: 3)
        batch.bindNull(at: 4)
        batch.bind(Int64(1), at: 5)
      }
      let insertion = try #require(dialect.insertion(into: name, columns: columns, key: "_id"))
      try connection.statement(insertion).run(batch)
    }
    let insertion = try #require(dialect.update(name, setting: columns, ofRowsWith: "_id"))
    try database.write { try $0.statement(insertion).run(batch) }
    var select = Select(columns: ["_id"], from: name)
    select.condition = .binary(.equal, .column(name), .value(.text("\(name) 2")))
    try database.read { connection in
      var keys: [Int64] = []
      try connection.forEachRow(dialect.render(select)) { keys.append($0.integer(0)) }
      #expect(keys == [2])
      #expect(!(try connection.steps(of: dialect.render(select))).isEmpty)
    }
    var smaller = table
    smaller.columns.remove(at: 2)
    smaller.indexes.removeLast()
    try database.write { connection in
      try connection.beginTableChanges(of: [table])
      #expect(try connection.redefine(smaller))
      try connection.finishTableChanges(of: [smaller])
    }
    try database.read { connection in
      let found = try #require(try connection.tables()[short])
      #expect(found.columns.map(\.name) == smaller.columns.map { dialect.shortened($0.name) })
    }
    try database.write { connection in
      #expect(try connection.drop(index: "unique \(name)"))
      try connection.execute(dialect.renameTable(name, to: "renamed \(name)"))
      try connection.execute(dialect.renameColumn(name, of: "renamed \(name)", to: "renamed \(name)"))
      try connection.execute(dialect.dropTable("renamed \(name)"))
    }
    #expect(try database.read { try $0.tableNames() } == ["swiftdata_sequences"])
  }
}
