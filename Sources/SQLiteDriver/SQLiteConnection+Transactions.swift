import Relational
import SystemSQLite

/// The nesting depth of a connection's transactions, and whether the outermost one can still be committed.
struct TransactionState {
  /// The transaction and the savepoints inside it.
  var depth = 0
  /// The error after which the transaction can only be rolled back.
  var failure: DatabaseError?
  /// Whether the transaction holds the lock and has no writes yet; the next write takes it over.
  var isHeld = false
}

extension SQLiteConnection {
  enum TransactionKind: String {
    /// Sees the state that is committed at its first read.
    case deferred = "BEGIN DEFERRED"
    /// Is the only writer from the start.
    case immediate = "BEGIN IMMEDIATE"
  }

  /// Runs `body` in a transaction, or in a savepoint of the current one, which is rolled back on its own.
  func inTransaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
    // Cancellation interrupts reads, but not the reads inside a write.
    let wasCancellable = isCancellable
    if kind == .immediate { isCancellable = false }
    defer { if kind == .immediate { isCancellable = wasCancellable } }
    if transactions.isHeld, transactions.depth == 1, kind == .immediate { return try takingOver(body) }
    if isInTransaction { return try inSavepoint(body) }
    try begin(kind)
    defer { transactions = TransactionState() }
    do {
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

  private func begin(_ kind: TransactionKind) throws {
    if kind == .immediate { try LockedFiles.check(location) }
    try control(kind.rawValue)
    transactions = TransactionState(depth: 1)
    if kind != .immediate { return }
    do {
      try checkLocation()
      writingBegan()
    } catch {
      transactions = TransactionState()
      rollback()
      throw error
    }
  }

  /// Rolls back the open transaction, if there is one: some errors end it already.
  func rollback() {
    guard isInTransaction else { return }
    try? control("ROLLBACK")
  }

  /// Records what a failed statement means for its transaction.
  ///
  /// After some errors SQLite rolls the transaction back by itself, or the disk may hold half of a change. If the caller
  /// continues, later statements must not be committed, neither outside of a transaction nor with the rest of this one.
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

  // MARK: The lock

  package var holdsLock: Bool { transactions.isHeld }

  /// Runs `body` in a transaction that the first write inside takes over.
  func holdingLock<Result>(_ body: () throws -> Result) throws -> Result {
    if isInTransaction { throw LockedFiles.refusal }
    try takeLock()
    defer { giveLockBack() }
    return try body()
  }

  package func takeLock() throws {
    if isInTransaction { return }
    try begin(.immediate)
    transactions.isHeld = true
    LockedFiles.add(location)
  }

  /// Ends a transaction that has no writes.
  package func giveLockBack() {
    guard transactions.isHeld else { return }
    recordRollback()
    do {
      // A rollback would look like a failed write transaction to code that counts them.
      try control("COMMIT")
      writingEnded()
    } catch {
      rollback()
    }
  }

  private func recordRollback() {
    transactions = TransactionState()
    LockedFiles.remove(location)
  }

  /// Runs `body`, which writes, in the transaction that holds the lock, and commits it.
  private func takingOver<Result>(_ body: () throws -> Result) throws -> Result {
    try checkLocation()
    try control("SAVEPOINT held")
    transactions.depth = 2
    do {
      let result = try body()
      if let failure = transactions.failure { throw failure }
      // When the commit fails because of a dangling reference, the savepoint still exists.
      try control("COMMIT")
      recordRollback()
      writingEnded()
      return result
    } catch {
      undoAdopted()
      throw error
    }
  }

  /// Returns to the state before the first write, and keeps the lock if that is possible.
  private func undoAdopted() {
    transactions.depth = 1
    do {
      if let failure = transactions.failure { throw failure }
      try control("ROLLBACK TO held")
      try control("RELEASE held")
      // The undone rows' identifiers are assigned again.
      recordUndone()
    } catch {
      recordRollback()
      rollback()
    }
  }

  /// Runs a statement that begins or ends a transaction, without notifying observers.
  private func control(_ sql: String) throws {
    let statement = try sqliteStatement(sql)
    try statement.control()
  }
}
