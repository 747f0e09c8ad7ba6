import Relational
import SQLiteDriver
import Testing

private func column(_ name: String) -> Expression { .column(table: "t", name: name) }
private func integer(_ value: Int64) -> Expression { .value(.integer(value)) }

@Suite("Rendering of expressions and statements for SQLite")
struct RenderingTests {
  private static let a = column("a")
  private static let b = column("b")
  private static let c = column("c")
  private static let one = Select(columns: [], from: .init(table: "u", alias: "u"))

  @Test(
    "Expressions have the necessary parentheses",
    arguments: [
      (.binary(.and, .binary(.or, a, b), c), #"("t"."a" OR "t"."b") AND "t"."c""#),
      (.binary(.or, .binary(.and, a, b), c), #"("t"."a" AND "t"."b") OR "t"."c""#),
      (.binary(.and, a, .binary(.and, b, c)), #""t"."a" AND "t"."b" AND "t"."c""#),
      (.unary(.not, .binary(.equal, a, b)), #"NOT ("t"."a" = "t"."b")"#),
      (.unary(.not, a), #"NOT "t"."a""#),
      (.unary(.not, .exists(one)), #"NOT EXISTS (SELECT 1 FROM "u")"#),
      (.binary(.and, .unary(.not, a), b), #"NOT "t"."a" AND "t"."b""#),
      (.binary(.equal, .unary(.not, a), b), #"(NOT "t"."a") = "t"."b""#),
      (.binary(.equal, .binary(.less, a, b), c), #"("t"."a" < "t"."b") = "t"."c""#),
      (.binary(.isSame, a, b), #""t"."a" IS "t"."b""#),
      (.binary(.isNotSame, a, b), #""t"."a" IS NOT "t"."b""#),
      (.binary(.isSame, a, .value(.null)), #""t"."a" IS NULL"#),
      (.binary(.isNotSame, .value(.null), a), #""t"."a" IS NOT NULL"#),
      (.binary(.subtract, a, .binary(.subtract, b, c)), #""t"."a" - ("t"."b" - "t"."c")"#),
      (.binary(.subtract, .binary(.subtract, a, b), c), #""t"."a" - "t"."b" - "t"."c""#),
      (.binary(.multiply, .binary(.add, a, b), c), #"("t"."a" + "t"."b") * "t"."c""#),
      (.binary(.add, .binary(.multiply, a, b), c), #""t"."a" * "t"."b" + "t"."c""#),
      (.binary(.divide, a, .binary(.multiply, b, c)), #""t"."a" / ("t"."b" * "t"."c")"#),
      (.unary(.negate, .unary(.negate, a)), #"-(-"t"."a")"#),
      (.unary(.negate, .binary(.add, a, b)), #"-("t"."a" + "t"."b")"#),
      (.isNull(.binary(.equal, a, b)), #"("t"."a" = "t"."b") IS NULL"#),
      (.function(.custom("lower"), [a]), #"lower("t"."a")"#),
      (.function(.custom("odd name"), []), #""odd name"()"#),
      (.aggregate(.count, nil, distinct: false), "count(*)"),
      (.aggregate(.custom("sum"), a, distinct: true), #"sum(DISTINCT "t"."a")"#),
      (.scalar(one), #"(SELECT 1 FROM "u")"#),
      (.isInSelect(a, one), #""t"."a" IN (SELECT 1 FROM "u")"#),
      (.conditional(condition: a, then: b, otherwise: c), #"CASE WHEN "t"."a" THEN "t"."b" ELSE "t"."c" END"#),
      (.column(table: #"a"b"#, name: "c d"), #""a""b"."c d""#),
    ] as [(Expression, String)])
  func parentheses(expression: Expression, sql: String) {
    #expect(SQLiteDialect().render(expression).sql == sql)
  }

  @Test("A select statement has its clauses in order, and its values as parameters")
  func clauses() {
    var select = Select(columns: [Self.a, .value(.text("x"))], from: .init(table: "Trip", alias: "t"))
    select.joins = [
      .init(
        source: .init(table: "Person", alias: "p"),
        on: .binary(.equal, Self.b, .column(table: "p", name: "id"))),
      .init(source: .init(table: "Tag", alias: "Tag"), on: .binary(.equal, Self.c, integer(1))),
    ]
    select.condition = .binary(.greater, Self.a, integer(2))
    select.groupBy = [Self.a, Self.b]
    select.having = .binary(.greater, .aggregate(.count, nil, distinct: false), integer(3))
    select.orderBy = [.init(Self.a, isDescending: true, nulls: .last), .init(Self.b, nulls: .first), .init(Self.c)]
    select.limit = 4
    select.offset = 5
    let statement = SQLiteDialect().render(select)
    #expect(
      statement.sql == """
        SELECT "t"."a", ? FROM "Trip" AS "t" \
        JOIN "Person" AS "p" ON "t"."b" = "p"."id" JOIN "Tag" ON "t"."c" = ? \
        WHERE "t"."a" > ? GROUP BY "t"."a", "t"."b" HAVING count(*) > ? \
        ORDER BY 1 DESC NULLS LAST, "t"."b" NULLS FIRST, "t"."c" LIMIT ? OFFSET ?
        """)
    #expect(statement.parameters == [.text("x")] + (1...5).map { .integer($0) })
  }

  @Test("An offset without a limit has all rows as its limit")
  func offset() {
    var select = Self.one
    select.offset = 7
    let statement = SQLiteDialect().render(select)
    #expect(statement.sql == #"SELECT 1 FROM "u" LIMIT -1 OFFSET ?"#)
    #expect(statement.parameters == [.integer(7)])
  }

  @Test("A chain of any length is an expression that SQLite accepts", arguments: [100, 101, 5000])
  func longChain(count: Int) throws {
    let terms = (0..<count).map { Expression.binary(.equal, integer(-1), integer(Int64($0))) }
    let chain = terms.dropFirst().reduce(terms[0]) { .binary(.or, $0, $1) }
    let rendered = SQLiteDialect().render(chain)
    #expect(rendered.parameters.count == count * 2)
    #expect(try SQLiteDatabase.inMemory().integer("SELECT \(rendered.sql)", rendered.parameters) == 0)
  }
}
