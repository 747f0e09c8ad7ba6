import Foundation
import Relational

extension RelationalStore {
  /// Adds a transaction to the history, unless it has changed nothing.
  ///
  /// - Parameter numbers: The sequence of ``HistoryTable``.
  /// - Returns: The number of the transaction.
  func record(
    _ record: HistoryRecordWriter, author: String?, _ numbers: KeySequence, _ connection: any Connection
  ) throws -> Int64? {
    if record.isEmpty { return nil }
    let number = try numbers.next()
    let statement = try connection.statement(shapes.historyInsertion)
    defer { statement.reset() }
    statement.bind(number, at: 1)
    statement.bind(Date.now.timeIntervalSinceReferenceDate, at: 2)
    if let author { statement.bind(author, at: 3) } else { statement.bindNull(at: 3) }
    statement.bind(program.process, at: 4)
    statement.bind(program.bundle, at: 5)
    // The driver copies the bytes before it returns.
    record.bytes.withUnsafeBytes { statement.bind($0, at: 6) }
    try statement.send()
    if number % HistoryTable.trimInterval == 0, retention.age != nil || retention.count != nil {
      try HistoryTable.trim(retention, last: number, shapes.historyBeginning, connection, database.dialect)
    }
    return number
  }
}
