import Foundation
import Relational

/// An aggregate query as one select statement, and how its rows are read.
struct AggregateStatement {
  private(set) var select: Select
  /// Whether the statement filters, orders and limits groups itself.
  private(set) var isFinished = false
  private var readers: [CellReader] = []

  /// - Parameter base: The descriptor of the query, without a residue.
  /// - Throws: ``Untranslatable`` when models have to be evaluated in memory.
  init<Model: PersistentModel>(
    _ query: AggregateQuery<Model>, over base: RelationalQuery, _ store: RelationalStore
  ) throws {
    select = Self.rows(base, query.descriptor)
    let context = TranslationContext(layout: store.layout, store: store.identifier)
    let model = ModelTerm(base.layout, source: Projection.alias)
    var orders: [[Select.Ordering]?] = []

    for operand in query.keys {
      let key = try AggregateTerm(operand, model, context)
      select.columns += key.columns
      select.groupBy += key.columns
      readers.append(CellReader(key.reading, width: key.columns.count))
      orders.append(key.order)
    }
    var results: [Term] = []
    for column in query.columns {
      let result = try Self.result(of: column, model, context)
      select.columns.append(result.expression)
      readers.append(CellReader(.scalar(result.kind), width: 1))
      orders.append([Select.Ordering(result.expression)])
      results.append(.scalar(result))
    }
    try finish(query, results, orders, context)
    let parts = select.columns + select.groupBy + select.orderBy.map(\.expression) + [select.having].compactMap(\.self)
    guard parts.allSatisfy(store.layout.rules.supports) else {
      throw Untranslatable("the database has no function for it")
    }
  }

  /// Adds the parts after grouping, unless SQL cannot express one of them: then all of them are evaluated in memory.
  private mutating func finish<Model: PersistentModel>(
    _ query: AggregateQuery<Model>, _ results: [Term], _ orders: [[Select.Ordering]?], _ context: TranslationContext
  ) throws {
    var having: SQLExpression?
    if let condition = try query.having?.translate(results, context) {
      guard let test = try? condition.exactTest() else { return }
      having = condition.constant == true ? nil : test.expression
    }
    var orderings: [Select.Ordering] = []
    for ordering in query.orderings {
      guard let order = orders[ordering.cell] else { return }
      orderings += order.map { part in
        // Nil is the least value, and so the last one in a descending order.
        Select.Ordering(
          part.expression, isDescending: ordering.isDescending, nulls: ordering.isDescending ? .last : .first)
      }
    }
    select.having = having
    select.orderBy = orderings
    select.limit = query.limit
    select.offset = query.offset
    isFinished = true
  }

  /// All rows that the descriptor selects, still without columns.
  private static func rows<Model: PersistentModel>(
    _ base: RelationalQuery, _ descriptor: FetchDescriptor<Model>
  ) -> Select {
    let key = SQLExpression.column(table: Projection.alias, name: LayoutNames.primaryKey)
    guard descriptor.limit != nil || (descriptor.fetchOffset ?? 0) > 0 else {
      var select = base.select([], FetchRestriction(limit: .none))
      select.orderBy = []
      return select
    }
    let page = base.select([key], FetchRestriction())
    return Select(columns: [], from: page.from, condition: .isInSelect(key, page))
  }

  private static func result(
    of column: AggregateColumn, _ model: ModelTerm, _ context: TranslationContext
  ) throws -> ScalarTerm {
    guard let operand = column.operand else {
      return ScalarTerm(.aggregate(.count, nil, distinct: false), .int, isOptional: false)
    }
    let term = try AggregateTerm(operand, model, context)
    switch column.function {
    case .count, .distinctCount:
      // The key identifies a model without its entity.
      return ScalarTerm(.aggregate(.count, term.columns.last, distinct: true), .int, isOptional: false)
    case .arithmetic(let outcome, let arithmetic):
      return ScalarTerm(
        .aggregate(
          .custom(ArithmeticFunctions.name(outcome, arithmetic)), try term.number(in: operand), distinct: false),
        ScalarKind(valueType: column.resultType), isOptional: outcome == .average)
    case .minimum, .maximum:
      let (scalar, kind) = try term.comparable()
      let extreme: SQLExpression.Aggregate = column.function == .minimum ? .minimum : .maximum
      guard kind.mayBeNaN else {
        return ScalarTerm(.aggregate(extreme, scalar, distinct: false), kind, isOptional: true)
      }
      let notANumber = SQLExpression.value(ColumnEncoding.notANumber)
      if kind.isFloatingPoint, column.function == .minimum {
        // NaN is the largest value in the column, so that an index still finds the smallest number.
        return ScalarTerm(
          .function(.nullIf, [.aggregate(extreme, scalar, distinct: false), notANumber]), kind, isOptional: true)
      }
      return ScalarTerm(
        .aggregate(extreme, .function(.nullIf, [scalar, notANumber]), distinct: false), kind, isOptional: true)
    }
  }

  /// The group in the current row of a statement.
  func row(_ statement: Statement) throws -> AggregateRow {
    var column: Int32 = 0
    var cells: [Any?] = []
    cells.reserveCapacity(readers.count)
    for reader in readers {
      cells.append(try reader.read(statement, column))
      column += Int32(reader.width)
    }
    return AggregateRow(cells: cells)
  }
}

extension ScalarKind {
  /// Whether a value can be NaN, which is not ordered among numbers.
  fileprivate var mayBeNaN: Bool {
    isFloatingPoint || primitive == Decimal.self
  }
}
