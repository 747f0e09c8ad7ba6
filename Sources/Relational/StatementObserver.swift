/// Is notified of the statements that a database runs, on the thread that runs them.
package struct StatementObserver: Sendable {
  /// Called with the SQL of each statement that starts to run, except BEGIN, COMMIT and the like.
  package var began: (@Sendable (_ sql: String) -> Void)?
  /// Called when a statement has ended or failed, or is reset before its last row.
  package var ended: (@Sendable (StatementReport) -> Void)?
  /// Whether reports include the bound values.
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

/// The result of one run of a statement.
package struct StatementReport: Sendable {
  /// The SQL, with values instead of parameters where the observer asked for them.
  package var sql: String
  /// The time that the database took, without the caller's time between rows.
  package var duration: Duration
  /// The number of rows that were read; for a statement that returns none, the number that it inserted, updated or deleted.
  package var rowCount: Int
  /// The error of a failed statement.
  package var error: DatabaseError?

  package init(sql: String, duration: Duration, rowCount: Int, error: DatabaseError? = nil) {
    self.sql = sql
    self.duration = duration
    self.rowCount = rowCount
    self.error = error
  }
}
