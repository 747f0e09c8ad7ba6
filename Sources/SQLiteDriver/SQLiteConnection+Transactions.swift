import Relational
import SystemSQLite

/// How deep a connection is in transactions, and whether the outermost one can still be committed.
struct TransactionState {
  /// The transaction and the savepoints inside it.
  var depth = 0
  /// The error after which the transaction can only be rolled back.
  var failure: DatabaseError?
}

extension SQLiteConnection {
  enum TransactionKind: String {
    /// Sees the state that is committed when it first reads.
    case deferred = "BEGIN DEFERRED"
    /// Is the only writer from the start.
    case immediate = "BEGIN IMMEDIATE"
  }

  /// Runs `body` in a transaction, or inside the current one in a part that is undone alone.
  func inTransaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
    if isInTransaction { return try inSavepoint(body) }
    try control(kind.rawValue)
    transactions = TransactionState(depth: 1)
    defer { transactions = TransactionState() }
    do {
      if kind == .immediate {
        try checkPlace()
        writingBegan()
      }
      let result = try body()
      if let failure = transactions.failure { throw failure }
      try control("COMMIT")
      if kind == .immediate { writingEnded() }
      return result
    } catch {
      rollback()
      throw error
    }
  }

  /// Rolls back a transaction that is still open. Without one there is nothing to do: some errors end it on their own.
  func rollback() {
    guard isInTransaction else { return }
    try? control("ROLLBACK")
  }

  /// Notes what a failed statement means for the transaction it was part of.
  ///
  /// After some errors SQLite rolls the transaction back by itself, or the disk may hold half of a change. Should the
  /// caller carry on, nothing that follows may be committed: neither alone, for lack of a transaction, nor with the rest.
  func statementFailed(_ code: Int32, _ error: DatabaseError) {
    guard transactions.depth > 0, transactions.failure == nil else { return }
    if !isInTransaction {
      transactions.failure = error
      try? control("BEGIN DEFERRED")
    } else if [SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_CORRUPT].contains(code & 0xff) {
      transactions.failure = error
    }
  }

  private func inSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let name = "nested_\(transactions.depth)"
    try control("SAVEPOINT \(name)")
    transactions.depth += 1
    defer { transactions.depth -= 1 }
    do {
      let result = try body()
      if let failure = transactions.failure { throw failure }
      try control("RELEASE \(name)")
      return result
    } catch {
      if transactions.failure == nil {
        try control("ROLLBACK TO \(name)")
        try control("RELEASE \(name)")
      }
      throw error
    }
  }

  /// Runs a statement that steers transactions, which observers are not told of.
  private func control(_ sql: String) throws {
    let statement = try sqliteStatement(sql)
    try statement.control()
  }
}
