import Relational

/// Sets properties of many rows in a transaction of its own, by one statement where that is possible.
///
/// The results of expressions are read first, so that a value which a property cannot have is found before anything is
/// written. The values are then written row by row in two cases. A statement sees its own changes, so an expression that
/// reads other rows of the table would see some of them before the update and some after. And a database checks unique
/// values row by row, so numbers that are incremented would collide: when the one statement has failed for that reason,
/// the rows get temporary values before any gets its new value.
struct UpdateTransaction {
  /// The results of the expressions for a row.
  private typealias Result = (key: Int64, values: [Value])

  private let store: RelationalStore
  private let layout: EntityLayout
  private let columns: [UpdatedColumn]
  private let readsOwnTable: Bool
  private let author: String?
  /// The indices of the properties that it sets.
  private let properties: Set<Int>

  /// - Throws: An error for a property that cannot be set in this way.
  init(_ update: RowUpdate, author: String?, _ layout: EntityLayout, _ store: RelationalStore) throws {
    self.store = store
    self.layout = layout
    self.author = author
    properties = Set(update.assignments.map(\.property.index))
    let context = TranslationContext(layout: store.layout, store: store.identifier)
    columns = try update.assignments.flatMap { try UpdatedColumn.columns(for: $0, layout, context) }
    readsOwnTable = update.assignments.contains { assignment in
      guard case .expression(let operand) = assignment.source else { return false }
      guard let visited = operand.visitedTypes(layout.runtime) else { return true }
      return visited.contains {
        store.layout.layout(named: ModelRuntime.of($0).entityName.string)?.table == layout.table
      }
    }
  }

  /// Notifies contexts of the rows, if there are any: see ``RelationalStore/commit(_:announce:)``.
  typealias Announcement = (_ rows: [RowKey], _ historyToken: (any HistoryToken)?) -> Void

  /// - Parameters:
  ///   - graph: Identifies the graph of the caller.
  ///   - select: Selects the rows, inside the transaction.
  func run(by graph: UnsafeRawPointer, _ select: () throws -> [RowKey], _ announce: Announcement) throws {
    try store.saveGuard.check()
    try store.lockHolder.check(graph)
    do {
      do {
        try write(select, isByRow: readsOwnTable, announce)
      } catch let error as DatabaseError where error.reason == .uniqueViolation && !uniqueColumns.isEmpty {
        try write(select, isByRow: true, announce)
      }
    } catch let error as DatabaseError {
      try store.layoutGuard?.explain(error, store.database, isWriting: true)
      throw described(error)
    }
  }

  private func write(_ select: () throws -> [RowKey], isByRow: Bool, _ announce: Announcement) throws {
    var rows: [RowKey] = []
    var number: Int64?
    try store.commit { connection in
      try store.layoutGuard?.checkForWriting(connection)
      rows = try store.saveGuard.saving(allowsReads: true, select)
      if rows.isEmpty || columns.isEmpty { return nil }
      let areRows = SQLExpression.isIn(key, rows.map { .integer($0.key) })
      let results = try results(where: areRows, connection, areKept: isByRow)
      if isByRow {
        try writeByRow(results, connection)
      } else {
        let update = Update(
          layout.table, as: Projection.alias, set: columns.map { .init($0.name, $0.value) }, where: areRows)
        try connection.run(store.database.dialect.render(update))
      }
      if store.keepsHistory { number = try recordHistory(of: rows, connection) }
      return number
    } announce: {
      if rows.isEmpty { return }
      announce(rows, number.map { DefaultHistoryToken(store: store.identifier.string, number: $0) })
    }
  }

  private func recordHistory(of rows: [RowKey], _ connection: any Connection) throws -> Int64? {
    var record = HistoryRecordWriter(origin: store.origin)
    for (entity, rows) in Dictionary(grouping: rows, by: \.entity).sorted(by: { $0.key < $1.key }) {
      let changed = ChangedProperties(properties)
      record.add(updatesOf: store.layout.layout(at: entity), changed, Set(rows.map(\.key)).sorted())
    }
    let sequences = store.keys(on: connection)
    let number = try store.record(
      record, author: author, sequences.sequence(of: HistoryTable.name), connection)
    try sequences.finish()
    return number
  }

  private var key: SQLExpression { .column(table: Projection.alias, name: LayoutNames.primaryKey) }

  // MARK: Expressions

  /// Evaluates the expressions, and checks whether the properties can have the results.
  private func results(
    where areRows: SQLExpression, _ connection: any Connection, areKept: Bool
  ) throws -> [Result] {
    let expressions = columns.filter { $0.check != nil }
    if expressions.isEmpty { return [] }
    var select = Select(
      columns: [key] + expressions.map(\.value), from: .init(table: layout.table, alias: Projection.alias))
    select.condition = areRows
    var results: [Result] = []
    try connection.forEachRow(store.database.dialect.render(select)) { row in
      for (index, column) in expressions.enumerated() {
        guard let check = column.check, !check.accepts(row, Int32(index + 1)) else { continue }
        throw refusal(of: check.property, key: row.integer(0))
      }
      if areKept { results.append((row.integer(0), expressions.indices.map { row.value(Int32($0 + 1)) })) }
    }
    return results
  }

  private func refusal(of property: String, key: Int64) -> SwiftDataError {
    SwiftDataError.unsupportedPredicate.with(
      entity: layout.entity.name, property: property,
      message: "The result of the expression for \(property) is no value of the property in one of the rows.",
      hint: "An integer overflows or is divided by zero, or the row is damaged. No row was changed.",
      identifiers: [PersistentIdentifier(store: store.identifier, entity: layout.runtime.entityName, key: key)])
  }

  // MARK: Row by row

  /// The columns with expressions that are part of unique values.
  private var uniqueColumns: [String] {
    let unique = layout.uniqueColumns
    return columns.filter { $0.check != nil && unique.contains($0.name) }.map(\.name)
  }

  private func writeByRow(_ results: [Result], _ connection: any Connection) throws {
    let temporaryColumns = uniqueColumns
    if !temporaryColumns.isEmpty, try !connection.deferUniqueness() {
      try update(temporaryColumns, connection, results.map(\.key)) { key, _ in
        temporaryColumns.map { _ in ColumnEncoding.temporaryValue(forRow: key) }
      }
    }
    try update(columns.map(\.name), connection, results.map(\.key)) { _, index in
      var values = results[index].values[...]
      return columns.map { $0.constant ?? values.popFirst() ?? .null }
    }
  }

  private func update(
    _ names: [String], _ connection: any Connection, _ keys: [Int64], _ values: (Int64, Int) -> [Value]
  ) throws {
    let update = Update(
      layout.table, set: names.map { .init($0, .parameter) },
      where: .binary(.equal, .column(LayoutNames.primaryKey), .parameter))
    let statement = try connection.statement(store.database.dialect.render(update).sql)
    defer { statement.reset() }
    for (index, key) in keys.enumerated() {
      statement.clear()
      statement.bind(values(key, index) + [.integer(key)])
      try statement.send()
    }
  }

  // MARK: Errors

  private func described(_ error: DatabaseError) -> any Error {
    if error.reason == .tooComplex {
      return SwiftDataError.unsupportedPredicate.with(
        entity: layout.entity.name, message: "The store cannot evaluate the expression: \(error.message).",
        hint: "An integer overflows or is divided by zero, or the database has no such function. No row was changed.",
        sql: error.sql, underlying: error)
    }
    guard let message = StoreErrors.brokenRule(error) else {
      return StoreErrors.writing(store.configuration, error)
    }
    return SwiftDataError.modelValidationFailure.with(
      entity: layout.entity.name, message: message, hint: "Nothing was changed.", sql: error.sql, underlying: error)
  }
}
