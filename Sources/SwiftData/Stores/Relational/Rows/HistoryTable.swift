import Foundation
import Relational

/// The table of a store's history: a row for each transaction, and the number of the last deleted one.
enum HistoryTable {
  static let name = LayoutNames.history
  /// The sequence with the number of the last deleted transaction.
  static let deleted = "\(name)/deleted"

  static let (number, time, author, process, bundle, changes) = (
    LayoutNames.primaryKey, "at", "author", "process", "bundle", "changes"
  )

  static let definition = TableDefinition(
    name: name,
    columns: [
      .init(name: number, type: .integer, isNullable: false, isPrimaryKey: true),
      .init(name: time, type: .real, isNullable: false), .init(name: author, type: .text, isNullable: true),
      .init(name: process, type: .text, isNullable: false), .init(name: bundle, type: .text, isNullable: false),
      .init(name: changes, type: .blob, isNullable: false),
    ])

  /// The sequence with the last number when a container without a history opened the store.
  static let paused = "\(name)/paused"

  /// The columns in the order of writing and reading.
  static let columns = [number, time, author, process, bundle, changes]

  static let insertion = Insert(into: name, columns: columns)

  /// The bundle identifier of the app, or the name of the program without one.
  static let bundleIdentifier = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
  static let processIdentifier =
    "\(ProcessInfo.processInfo.processName) (\(ProcessInfo.processInfo.processIdentifier))"

  // MARK: Indexes

  /// The columns that get an index when transactions are first queried by them.
  static let indexableColumns: Set = [time, author, process, bundle]

  static func index(of column: String) -> TableDefinition.Index {
    TableDefinition.Index(name: "\(name)_\(column)", columns: [column], isUnique: false)
  }

  // MARK: The table

  /// What a database has under the name of the table.
  enum Finding {
    case table, nothing
    /// A table that no release makes.
    case other
  }

  static func inspect(_ connection: any Connection, _ dialect: any Dialect) throws -> Finding {
    guard try connection.tableNames().contains(name) else { return .nothing }
    do {
      // Preparing the statement is enough: it needs all columns.
      _ = try connection.statement(dialect.render(Select(columns: columns, from: name)).sql)
      return .table
    } catch let error as DatabaseError where error.reason == .other {
      let found = Set(try connection.tables()[name]?.columns.map(\.name) ?? [])
      guard !found.isSuperset(of: columns) else { throw error }
      return .other
    }
  }

  /// The numbers of the first and the last existing transaction; nil if there are none.
  static func ends(_ connection: any Connection, _ dialect: any Dialect) throws -> (first: Int64, last: Int64)? {
    guard try inspect(connection, dialect) == .table else { return nil }
    func end(isDescending: Bool) throws -> Int64? {
      var query = Select(columns: [number], from: name)
      query.orderBy = [Select.Ordering(.column(number), isDescending: isDescending)]
      query.limit = 1
      var end: Int64?
      try connection.forEachRow(dialect.render(query)) { end = $0.integer(0) }
      return end
    }
    guard let first = try end(isDescending: false), let last = try end(isDescending: true) else { return nil }
    return (first, last)
  }

  // MARK: Deletions

  /// Records that transactions up to a number were deleted.
  static func recordDeletion(through number: Int64, _ connection: any Connection, _ dialect: any Dialect) throws {
    try KeySequences.record(number, of: deleted, connection, dialect)
  }

  /// Deletes all transactions. Their numbers are not assigned again, nor is the next one: a token of the last transaction
  /// has expired as well, because later transactions may not be complete.
  ///
  /// - Returns: The number that is not assigned.
  static func deleteAll(
    _ sequences: any KeySource, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Int64 {
    let last = try sequences.next(of: name)
    sequences.retire(last, of: name)
    try recordDeletion(through: last, connection, dialect)
    try connection.run(dialect.render(Delete(from: name)))
    return last
  }

  /// Begins the history of an existing store. Tokens of a removed history may exist, so the numbers begin after all
  /// possible ones: with the milliseconds of the clock.
  static func begin(_ sequences: any KeySource, _ connection: any Connection, _ dialect: any Dialect) throws {
    let now = Int64((Date.now.timeIntervalSinceReferenceDate * 1000).rounded())
    let last = max(try sequences.sequence(of: name).last, now)
    sequences.retire(last, of: name)
    try recordDeletion(through: last, connection, dialect)
  }

  /// Deletes all transactions, because later changes are not recorded.
  static func pause(_ sequences: any KeySource, _ connection: any Connection, _ dialect: any Dialect) throws {
    let last = try deleteAll(sequences, connection, dialect)
    try KeySequences.record(last, of: paused, connection, dialect)
  }

  /// Whether no transaction was recorded since `pause`.
  static func isPaused(_ sequences: any KeySource, _ connection: any Connection, _ dialect: any Dialect) throws -> Bool
  {
    try recorded(paused, connection, dialect) == sequences.sequence(of: name).last
  }

  /// The number of the last deleted transaction; zero if there is none.
  static func lastDeleted(_ connection: any Connection, _ dialect: any Dialect) throws -> Int64 {
    try recorded(deleted, connection, dialect)
  }

  private static func recorded(
    _ sequence: String, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Int64 {
    var last: Int64 = 0
    try connection.forEachRow(dialect.render(KeySequences.recorded).sql, [.text(sequence)]) {
      last = max(last, $0.integer(0))
    }
    return last
  }

  // Trimming so many keeps pace with all saves, and takes a save as long as a few rows.
  static let trimInterval: Int64 = 16
  private static let trimCount = 64

  /// Selects the first transactions, as many as are deleted at once.
  static var beginning: Select {
    var select = Select(columns: [number, time], from: name)
    select.orderBy = [Select.Ordering(.column(number))]
    select.limit = trimCount
    return select
  }

  /// Deletes the first transactions that are too old, or exceed the limit.
  ///
  /// - Parameters:
  ///   - last: The number of the last transaction.
  ///   - beginning: ``beginning`` as SQL.
  static func trim(
    _ retention: ModelConfiguration.HistoryRetention, last: Int64, _ beginning: RenderedStatement,
    _ connection: any Connection, _ dialect: any Dialect
  ) throws {
    let oldest = retention.age.map { Date.now.timeIntervalSinceReferenceDate - $0 / .seconds(1) }
    let first = retention.count.map { last - Int64($0) } ?? 0
    var through: Int64?
    let rows = try connection.statement(beginning.sql)
    rows.bind(beginning.parameters)
    do {
      defer { rows.reset() }
      // Usually the first one stays, and no other is read.
      while try rows.step() {
        // The last one stays: it has the last assigned number.
        guard rows.integer(0) < last, rows.integer(0) <= first || oldest.map({ rows.real(1) < $0 }) == true else {
          break
        }
        through = rows.integer(0)
      }
    }
    guard let through else { return }
    let isOld = SQLExpression.binary(.lessOrEqual, .column(number), .value(.integer(through)))
    try connection.run(dialect.render(Delete(from: name, where: isOld)))
    try recordDeletion(through: through, connection, dialect)
  }
}
