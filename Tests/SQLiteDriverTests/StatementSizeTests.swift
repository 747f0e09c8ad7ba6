import Relational
import SQLiteDriver
import Testing

@Suite("Statements within SQLite's limits")
struct StatementSizeTests {
  /// Ways to nest an expression in another one.
  enum Nesting: CaseIterable {
    case conditions, negations, sums, functions, choices, alternatives, subqueries, memberships, joins, lists

    func around(_ inner: Expression) -> Expression {
      let x = Expression.column(table: "t", name: "x")
      var select = Select(columns: [x], from: .init(table: "t", alias: "t"), condition: inner)
      switch self {
      case .conditions:
        return .binary(.and, .isNotNull(x), .binary(.or, .isNull(x), inner))
      case .negations: return .unary(.not, .unary(.not, inner))
      case .sums: return .binary(.add, x, .binary(.multiply, x, inner))
      case .functions: return .function(.coalesce, [x, x, inner])
      case .choices: return .conditional(condition: .isNull(x), then: inner, otherwise: x)
      case .alternatives: return .conditional(condition: .isNull(x), then: x, otherwise: .unary(.negate, inner))
      case .subqueries: return .exists(select)
      case .memberships: return .isInSelect(x, select)
      case .joins:
        select.condition = nil
        select.joins = [.init(source: .init(table: "t", alias: "j"), on: inner)]
        return .binary(.or, .unary(.not, .isNull(x)), .exists(select))
      case .lists: return .binary(.or, .isNull(x), .isIn(inner, [.integer(1), .null]))
      }
    }
  }

  private func statement(_ nesting: Nesting, levels: Int) -> RenderedStatement {
    let x = Expression.column(table: "t", name: "x")
    let condition = (0..<levels).reduce(x) { inner, _ in nesting.around(inner) }
    return SQLiteDialect().render(
      Select(columns: [x, x], from: .init(table: "t", alias: "t"), condition: .binary(.and, .isNull(x), condition)))
  }

  @Test("A statement counted as small is accepted by the database", arguments: Nesting.allCases)
  func small(_ nesting: Nesting) throws {
    try SQLiteDatabase.inMemory().withoutTransaction { connection in
      try connection.execute("CREATE TABLE t (x)")
      let levels = (1...).prefix { SQLiteDialect().isSmall(statement(nesting, levels: $0)) }
      #expect(levels.count > 2)
      for count in levels { _ = try connection.statement(statement(nesting, levels: count).sql) }
    }
  }

  @Test("A statement nested too deeply is not small, and is refused as too complex")
  func tooDeep() throws {
    let deep = statement(.conditions, levels: 150)
    #expect(!SQLiteDialect().isSmall(deep))
    let error = #expect(throws: DatabaseError.self) {
      try SQLiteDatabase.inMemory().withoutTransaction { connection in
        try connection.execute("CREATE TABLE t (x)")
        _ = try connection.statement(deep.sql)
      }
    }
    #expect(error?.reason == .tooComplex)
  }

  @Test("A prepared expression has the same depth as before")
  func prepared() {
    let dialect = SQLiteDialect()
    let x = Expression.column(table: "t", name: "x")
    let expression = (0..<5).reduce(x) { inner, _ in Nesting.sums.around(inner) }
    let prepared = Expression.prepared(dialect.prepare(expression))
    let negated = dialect.render(.unary(.not, prepared))
    #expect(negated.depth > dialect.render(expression).depth)
    #expect(dialect.render(prepared) == dialect.render(expression))
  }
}
