import Relational

extension RelationalStore {
  func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
    guard keepsHistory, let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else { return nil }
    try saveGuard.check(isReading: true)
    let query = try HistoryQuery(descriptor, self)
    do {
      try makeIndexes(for: query)
      return try database.read { try query.transactions($0) as? [T] }
    } catch let error as DatabaseError {
      if try isWithoutHistory() { return [] }
      throw StoreErrors.reading(configuration, error)
    }
  }

  /// The numbers and times of the last transactions, in ascending order, and the number of the last one that was deleted.
  ///
  /// - Parameters:
  ///   - end: The number of the last transaction to return.
  ///   - earliest: The time to go back to: the first returned transaction is an earlier one, if there is any.
  func timeline(
    through end: Int64, backTo earliest: Double
  ) throws -> (entries: [(number: Int64, time: Double)], deleted: Int64) {
    var select = Select(columns: [HistoryTable.number, HistoryTable.time], from: HistoryTable.name)
    select.condition = .binary(.lessOrEqual, .column(HistoryTable.number), .value(.integer(end)))
    select.orderBy = [Select.Ordering(.column(HistoryTable.number), isDescending: true)]
    let rendered = database.dialect.render(select)
    do {
      return try database.read { connection in
        var entries: [(number: Int64, time: Double)] = []
        let rows = try connection.statement(rendered.sql)
        rows.bind(rendered.parameters)
        defer { rows.reset() }
        while entries.last.map({ $0.time >= earliest }) ?? true, try rows.step() {
          entries.append((rows.integer(0), rows.real(1)))
        }
        return (entries.reversed(), try HistoryTable.lastDeleted(connection, database.dialect))
      }
    } catch let error as DatabaseError {
      if try isWithoutHistory() { return ([], 0) }
      throw StoreErrors.reading(configuration, error)
    }
  }

  private var isWritable: Bool { configuration.allowsSave || configuration.isStoredInMemoryOnly }

  /// Whether the store has no history because it is read-only and of an earlier release.
  ///
  /// - Throws: An error if a writable store has lost its history.
  func isWithoutHistory() throws -> Bool {
    if try database.read({ try $0.tableNames().contains(HistoryTable.name) }) { return false }
    if !isWritable { return true }
    throw SwiftDataError.storeFailure(
      .reading, store: name, reason: .corrupt,
      message: "the table of the history is gone",
      hint: "Make a new ModelContainer, which makes the table again.")
  }

  func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
    guard keepsHistory, let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else {
      return false
    }
    try saveGuard.check()
    try lockHolder.check(nil)
    guard isWritable else {
      throw SwiftDataError.modelValidationFailure.with(
        message: "The store \(name) is read-only, so that its history cannot be deleted.")
    }
    let query = try HistoryQuery(descriptor, self)
    do {
      let numbers = try database.read { try query.numbers($0).sorted() }
      // In batches: a long transaction would block other writers.
      for start in stride(from: 0, to: numbers.count, by: Self.deletionCount) {
        try delete(Array(numbers[start..<min(start + Self.deletionCount, numbers.count)]))
      }
    } catch let error as DatabaseError {
      _ = try isWithoutHistory()
      throw StoreErrors.writing(configuration, error)
    }
    return true
  }

  /// - Parameter numbers: The numbers in ascending order, at least one.
  private func delete(_ numbers: [Int64]) throws {
    guard let last = numbers.last else { return }
    try database.write { connection in
      try layoutGuard?.checkForWriting(connection)
      let dialect = database.dialect
      let sequences = keys(on: connection)
      // Without transactions, the sequence has to have the last number.
      sequences.retire(last, of: HistoryTable.name)
      let areDeleted = SQLExpression.isIn(.column(HistoryTable.number), numbers.map { .integer($0) })
      try connection.run(dialect.render(Delete(from: HistoryTable.name, where: areDeleted)))
      try HistoryTable.recordDeletion(through: last, connection, dialect)
      try sequences.finish()
    }
  }

  private static let deletionCount = 1000

  /// Makes the indexes that a query can use, if there are enough transactions.
  private func makeIndexes(for query: HistoryQuery) throws {
    guard !query.indexableColumns.isEmpty, isWritable else { return }
    let dialect = database.dialect
    let wanted = query.indexableColumns.sorted().map(HistoryTable.index)
    func missing(_ connection: any Connection) throws -> [TableDefinition.Index] {
      let names = try connection.indexNames()
      return wanted.filter { !names.contains($0.name) }
    }
    let isWorthwhile = try database.read { connection -> Bool in
      guard try !missing(connection).isEmpty else { return false }
      var count = 0
      var some = Select(columns: [HistoryTable.number], from: HistoryTable.name)
      some.limit = Self.scanLimit
      try connection.forEachRow(dialect.render(some)) { _ in count += 1 }
      return count >= Self.scanLimit
    }
    // A read must not write in a transaction of the caller.
    guard isWorthwhile, lockHolder.connection == nil else { return }
    do {
      try database.write { connection in
        try layoutGuard?.checkForWriting(connection)
        for index in try missing(connection) {
          try connection.execute(dialect.createIndex(index, on: HistoryTable.name))
        }
      }
    } catch let error as DatabaseError where error.reason == .busy {
      // The query works without an index as well.
      Log.store.notice(
        """
        The history of \(name) has no index of \(wanted.map(\.columns)), because another connection holds the write lock; \
        the query scans the history.
        """)
    } catch is SwiftDataError {
      // The query works without an index as well. A save reports why the store must not be written.
    }
  }

  /// The number of transactions that are scanned without an index.
  private static let scanLimit = 1000
}
