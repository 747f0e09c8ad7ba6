/// An error of a driver, independent of the kind of database.
package struct DatabaseError: Error, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    case busy
    /// Another connection has changed the database that was about to be replaced.
    case overtaken
    case corrupt
    /// The contents of a search index are damaged.
    case damagedSearch
    case notADatabase
    case diskFull
    case readOnly
    case cannotOpen
    /// The file was deleted, renamed or replaced while it was open.
    case moved
    case uniqueViolation
    case foreignKeyViolation
    case notNullViolation
    case checkViolation
    /// A trigger rejects the row.
    case refusedByTrigger
    /// Rows that a statement was to change do not exist.
    case missingRows
    /// The server cancelled the transaction because of a concurrent one; it can be repeated.
    case conflict
    /// The connection to the server is lost. What was not committed is undone.
    case disconnected
    /// The connection to the server is lost, and the server did not say whether the transaction was committed.
    case commitUnknown
    case interrupted
    case closed
    /// The statement exceeds the database's limits for its size or depth.
    case tooComplex
    case other
  }

  package var reason: Reason
  package var message: String
  package var sql: String?

  package init(reason: Reason, message: String, sql: String? = nil) {
    self.reason = reason
    self.message = message
    self.sql = sql
  }

  package var description: String {
    sql.map { "\(message) (\(reason)) in: \($0)" } ?? "\(message) (\(reason))"
  }
}
