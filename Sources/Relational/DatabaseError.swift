/// What a driver throws, in terms that hold for every database.
package struct DatabaseError: Error, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    case busy
    /// Others have changed what was about to be replaced.
    case overtaken
    case corrupt
    /// An index for searches has something else than was written to it.
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
    /// A trigger does not let the row be written.
    case refusedByTrigger
    case interrupted
    /// The database was closed before.
    case closed
    /// The statement is larger or deeper than the database takes.
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
