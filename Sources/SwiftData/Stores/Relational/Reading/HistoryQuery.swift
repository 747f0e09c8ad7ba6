import Foundation
import Relational

/// A descriptor of transactions, translated for a store.
struct HistoryQuery {
  private let store: RelationalStore
  private let descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  private let condition: SQLExpression?
  /// The predicate to evaluate in memory.
  private let predicate: CheckedPredicate<DefaultHistoryTransaction>?
  /// Nil when the transactions are sorted in memory.
  private let orderings: [Select.Ordering]?
  /// The columns with which an index makes the query faster.
  let indexableColumns: Set<String>
  /// The transactions after this number are selected.
  let earliestToken: Int64?

  init(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, _ store: RelationalStore) throws {
    self.store = store
    self.descriptor = descriptor
    orderings = Self.orderings(descriptor.sortBy)
    guard let predicate = descriptor.predicate else {
      (condition, self.predicate, earliestToken, indexableColumns) = (nil, nil, nil, Self.columns(of: orderings))
      return
    }
    let checked = CheckedPredicate(predicate)
    try checked.checkDepth()
    let context = TranslationContext(layout: store.layout, store: store.identifier)
    context.bind(predicate.variable, to: .transaction(TransactionTerm()))
    let translated = try context.condition(predicate.expression)
    self.predicate = translated.isExact ? nil : checked
    switch translated.possible {
    case .always(true): condition = nil
    case .always(false): condition = SQLTest.never.expression
    case .test(let test): condition = test.expression
    }
    // A condition that is never met cannot miss deleted transactions.
    earliestToken = translated.possible == .always(false) ? nil : context.earliestToken
    indexableColumns = context.historyColumns.union(Self.columns(of: orderings))
      .intersection(HistoryTable.indexableColumns)
  }

  private static func columns(of orderings: [Select.Ordering]?) -> Set<String> {
    guard case .column(_, let name)? = orderings?.first?.expression else { return [] }
    return Set([name]).intersection(HistoryTable.indexableColumns)
  }

  private static func orderings(_ descriptors: [SortDescriptor<DefaultHistoryTransaction>]) -> [Select.Ordering]? {
    var orderings: [Select.Ordering] = []
    for descriptor in descriptors {
      // SQL orders texts differently.
      guard let keyPath = descriptor.keyPath, let column = TransactionTerm.column(of: keyPath), !column.kind.isText
      else { return nil }
      let expression = SQLExpression.column(table: Projection.alias, name: column.name)
      orderings.append(Select.Ordering(expression, isDescending: descriptor.order == .reverse))
    }
    if orderings.last?.expression != number { orderings.append(Select.Ordering(number)) }
    return orderings
  }

  private static var number: SQLExpression { .column(table: Projection.alias, name: HistoryTable.number) }

  private var limit: Int? {
    descriptor.fetchLimit == 0 ? nil : Int(clamping: descriptor.fetchLimit)
  }

  private func select(_ columns: [String]) -> Select {
    var select = Select(
      columns: columns.map { .column(table: Projection.alias, name: $0) },
      from: .init(table: HistoryTable.name, alias: Projection.alias), condition: condition)
    select.orderBy = orderings ?? [Select.Ordering(Self.number)]
    if predicate == nil, orderings != nil { select.limit = limit }
    return select
  }

  // MARK: Reading

  /// The transactions that the descriptor selects, read in one transaction of the database.
  func transactions(_ connection: any Connection) throws -> [DefaultHistoryTransaction] {
    try checkToken(connection)
    let reader = try HistoryReader(store, connection)
    var found: [DefaultHistoryTransaction] = []
    struct LimitReached: Error {}
    do {
      try connection.forEachRow(store.database.dialect.render(select(HistoryTable.columns))) { row in
        let transaction = try reader.transaction(row)
        if let predicate, try !predicate.evaluate(transaction) { return }
        found.append(transaction)
        if orderings != nil, let limit, found.count >= limit { throw LimitReached() }
      }
    } catch is LimitReached {}
    if orderings == nil {
      found = found.sorted(using: descriptor.sortBy)
      if let limit { found.removeLast(max(0, found.count - limit)) }
    }
    return found
  }

  /// The numbers of the selected transactions, in the order of the descriptor.
  func numbers(_ connection: any Connection) throws -> [Int64] {
    if predicate != nil || orderings == nil { return try transactions(connection).map(\.transactionIdentifier) }
    var numbers: [Int64] = []
    try connection.forEachRow(store.database.dialect.render(select([HistoryTable.number]))) {
      numbers.append($0.integer(0))
    }
    return numbers
  }

  private func checkToken(_ connection: any Connection) throws {
    guard let earliestToken else { return }
    let last = try HistoryTable.lastDeleted(connection, store.database.dialect)
    guard earliestToken < last else { return }
    throw SwiftDataError.historyTokenExpired.with(
      message: "Transactions behind the token \(earliestToken) of the store \(store.name) were deleted, up to \(last).",
      hint: "Discard the token, read what the store has, and go on from the last transaction.")
  }
}
