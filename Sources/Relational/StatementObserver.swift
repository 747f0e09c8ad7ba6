/// Who is told of the statements that a database runs, on whichever thread that is.
package struct StatementObserver: Sendable {
  /// Called with the SQL of each statement that starts to run, apart from those that begin and end transactions.
  package var began: (@Sendable (_ sql: String) -> Void)?
  /// Called when a statement is done, has failed, or is given up before its last row.
  package var ended: (@Sendable (StatementReport) -> Void)?
  /// Whether reports have the values that were bound.
  package var includesValues: Bool

  package init(
    began: (@Sendable (String) -> Void)? = nil, ended: (@Sendable (StatementReport) -> Void)? = nil,
    includesValues: Bool = false
  ) {
    self.began = began
    self.ended = ended
    self.includesValues = includesValues
  }
}

/// What became of one run of a statement.
package struct StatementReport: Sendable {
  /// The SQL, with values in the place of its parameters where the observer asked for them.
  package var sql: String
  /// How long the database was at work. What became of the rows in between does not count.
  package var duration: Duration
  /// How many rows were read; for a statement that returns none, how many it inserted, updated or deleted.
  package var rowCount: Int
  /// Why the statement failed.
  package var error: DatabaseError?

  package init(sql: String, duration: Duration, rowCount: Int, error: DatabaseError? = nil) {
    self.sql = sql
    self.duration = duration
    self.rowCount = rowCount
    self.error = error
  }
}
