import Relational
import Testing

/// A dialect that departs from the standard as PostgreSQL does.
private struct NumberedDialect: SQLDialect {
  func placeholder(at position: Int) -> String { "$\(position)" }
  func typeName(_ type: TableDefinition.Column.ColumnType) -> String { type.rawValue.uppercased() }
  func literal(_ value: Value) -> String { "NULL" }
}

@Suite struct StandardDialectTests {
  private let dialect = NumberedDialect()

  @Test func `Parameters are numbered in the order of their values`() {
    let name = Expression.column(table: "t", name: "name")
    let statement = dialect.render(
      .binary(.or, .binary(.isSame, name, .value(.text("a"))), .isIn(name, [.text("b"), .text("c")])))
    #expect(statement.sql == #""t"."name" IS NOT DISTINCT FROM $1 OR "t"."name" IN ($2, $3)"#)
    #expect(statement.parameters == [.text("a"), .text("b"), .text("c")])
  }

  @Test func `An empty list holds nothing`() {
    #expect(dialect.render(.isIn(.value(.integer(1)), [])) == RenderedStatement(sql: "FALSE", parameters: []))
  }

  @Test(
    arguments: [
      (10, 5, " LIMIT $1 OFFSET $2"), (10, nil, " LIMIT $1"), (nil, 5, " OFFSET $1"), (nil, 0, ""), (nil, nil, ""),
    ] as [(Int?, Int?, String)])
  func `Limit and offset stand alone`(limit: Int?, offset: Int?, clause: String) {
    var select = Select(columns: [], from: .init(table: "t", alias: "t"))
    select.limit = limit
    select.offset = offset
    #expect(dialect.render(select).sql == #"SELECT 1 FROM "t""# + clause)
  }
}
