import Relational
import Testing

/// A dialect that differs from the standard as PostgreSQL does.
private struct NumberedDialect: SQLDialect {
  func placeholder(at position: Int) -> String { "$\(position)" }
  func typeName(_ column: TableDefinition.Column) -> String { column.type.rawValue.uppercased() }
  func literal(_ value: Value, in column: TableDefinition.Column) -> String { "NULL" }

  func name(of function: Expression.Function) -> String {
    switch function {
    case .coalesce: "coalesce"
    case .nullIf: "nullif"
    case .position: "strpos"
    case .byteCount: "octet_length"
    case .custom(let name): name
    }
  }

  func write(_ idiom: Expression.Idiom, to writer: inout SQLWriter<NumberedDialect>) {
    switch idiom {
    case .isTrue(let condition):
      writer.write("(")
      writer.write(condition)
      writer.write(" IS TRUE)")
    case .isNaN(let real): writer.write(.binary(.equal, real, .value(.real(.infinity))))
    case .isNotNaN(let real): writer.write(.binary(.notEqual, real, .value(.real(.infinity))))
    case .truth(let condition):
      writer.write("CAST(")
      writer.write(condition)
      writer.write(" AS INTEGER)")
    case .holds(let value): writer.write(.binary(.notEqual, value, .value(.integer(0))))
    case .isFileName, .isFound: writer.write(alwaysFalse)
    case .jsonMember(let json, let name): writer.write(.function(.custom("member"), [json, .value(.text(name))]))
    case .jsonText(let value, _, _): writer.write(value)
    }
  }

  func writeElements(of json: Expression, as alias: String, to writer: inout SQLWriter<NumberedDialect>) {
    writer.write("elements(")
    writer.write(json)
    writer.write(") AS \(quoted(alias)) (value, key)")
  }

  func writeConflict(_ conflict: Insert.Conflict, in table: String, to writer: inout SQLWriter<NumberedDialect>) {
    writer.write(" OR TAKE ")
    writer.write(identifier: conflict.column)
  }
}

@Suite("SQL of a dialect without additions")
struct StandardDialectTests {
  private let dialect = NumberedDialect()

  @Test("Parameters are numbered in the order of their values")
  func parameterOrder() {
    let name = Expression.column(table: "t", name: "name")
    let statement = dialect.render(
      .binary(.or, .binary(.isSame, name, .value(.text("a"))), .isIn(name, [.text("b"), .text("c")])))
    #expect(statement.sql == #""t"."name" IS NOT DISTINCT FROM $1 OR "t"."name" IN ($2, $3)"#)
    #expect(statement.parameters == [.text("a"), .text("b"), .text("c")])
  }

  @Test("No value is in an empty list")
  func emptyList() {
    #expect(dialect.render(.isIn(.value(.integer(1)), [])) == RenderedStatement(sql: "FALSE", parameters: []))
  }

  @Test(
    "A limit needs no offset, and an offset no limit",
    arguments: [
      (10, 5, " LIMIT $1 OFFSET $2"), (10, nil, " LIMIT $1"), (nil, 5, " OFFSET $1"), (nil, 0, ""), (nil, nil, ""),
    ] as [(Int?, Int?, String)])
  func limitAndOffset(limit: Int?, offset: Int?, clause: String) {
    var select = Select(columns: [], from: .init(table: "t", alias: "t"))
    select.limit = limit
    select.offset = offset
    #expect(dialect.render(select).sql == #"SELECT 1 FROM "t""# + clause)
  }

  @Test("Truth values and conditions are converted into each other")
  func truthAndConditions() {
    let flag = Expression.column(table: "t", name: "flag")
    let isSet = Expression.idiom(.holds(flag))
    #expect(dialect.render(isSet).sql == #""t"."flag" <> $1"#)
    #expect(
      dialect.render(.binary(.equal, .idiom(.truth(.isNull(flag))), flag)).sql
        == #"(CAST("t"."flag" IS NULL AS INTEGER)) = "t"."flag""#)
  }

  @Test("A grouping expression with parameters is named by its column number")
  func groupsByPlace() {
    let name = Expression.column(table: "t", name: "name")
    let part = Expression.function(.custom("part"), [name, .value(.integer(2))])
    var select = Select(columns: [name, part], from: .init(table: "t", alias: "t"))
    select.groupBy = [name, part]
    #expect(dialect.render(select).sql == #"SELECT "t"."name", part("t"."name", $1) FROM "t" GROUP BY "t"."name", 2"#)
    #expect(dialect.render(select).parameters == [.integer(2)])
  }

  @Test("A prefix with no later text has no upper bound in a column of texts")
  func lastPrefix() {
    let name = Expression.column(table: "t", name: "name")
    #expect(dialect.render(.hasPrefix(name, .text("\u{10FFFF}"))).sql == #""t"."name" >= $1"#)
  }

  @Test("Writing statements number their parameters in the order of the text")
  func writingStatements() {
    let isRow = Expression.binary(.equal, .column("id"), .parameter)
    let conflict = Insert.Conflict(key: ["id"], column: "name", resolution: .takeNew)
    #expect(
      dialect.render(Insert(into: "t", columns: ["id", "name"], conflict: conflict)).sql
        == #"INSERT INTO "t" ("id", "name") VALUES ($1, $2) OR TAKE "name""#)
    #expect(
      dialect.render(Update("t", set: [.init("a", .parameter), .init("b", .value(.text("x")))], where: isRow))
        == RenderedStatement(
          sql: #"UPDATE "t" SET "a" = $1, "b" = $2 WHERE "id" = $3"#, parameters: [.null, .text("x"), .null]))
    #expect(dialect.render(Delete(from: "t", where: isRow)).sql == #"DELETE FROM "t" WHERE "id" = $1"#)
    #expect(dialect.render(Delete(from: "t")).sql == #"DELETE FROM "t""#)
  }

  @Test("Database-specific expressions are left to the dialect")
  func databaseSpecific() {
    let name = Expression.column("name")
    let elements = Select(
      columns: [.function(.position, [name, .value(.text("a"))])], from: .init(elements: name, alias: "e"),
      condition: .unary(.not, .idiom(.isTrue(.idiom(.isFileName(name))))))
    #expect(
      dialect.render(elements).sql
        == #"SELECT strpos("name", $1) FROM elements("name") AS "e" (value, key) WHERE NOT (FALSE IS TRUE)"#)
  }

  @Test("A select without a table has one row")
  func noTable() {
    #expect(dialect.render(Select(row: [.value(.integer(1)), .parameter])).sql == "SELECT $1, $2")
  }
}
