import Relational
import SystemSQLite

/// How deep a connection is in transactions, and whether the outermost one can still be committed.
struct TransactionState {
  /// The transaction and the savepoints inside it.
  var depth = 0
  /// The error after which the transaction can only be rolled back.
  var failure: DatabaseError?
  /// Whether nothing was written yet, and the next one to write takes the transaction over.
  var isHeld = false
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
    // A cancelled task gives up what it reads, and not what it writes while it looks at rows.
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
    if kind == .immediate { try LockedFiles.check(place) }
    try control(kind.rawValue)
    transactions = TransactionState(depth: 1)
    if kind != .immediate { return }
    do {
      try checkPlace()
      writingBegan()
    } catch {
      transactions = TransactionState()
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

  // MARK: The lock

  package var holdsLock: Bool { transactions.isHeld }

  /// Runs `body` in a transaction that the first who writes takes over.
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
    LockedFiles.add(place)
  }

  /// Ends a transaction in which nothing was written.
  package func giveLockBack() {
    guard transactions.isHeld else { return }
    recordRollback()
    do {
      // A rollback would tell those who count write transactions that one of them came to nothing.
      try control("COMMIT")
      writingEnded()
    } catch {
      rollback()
    }
  }

  private func recordRollback() {
    transactions = TransactionState()
    LockedFiles.remove(place)
  }

  /// Runs `body`, which writes, in the transaction that holds the lock, and commits it.
  private func takingOver<Result>(_ body: () throws -> Result) throws -> Result {
    try checkPlace()
    try control("SAVEPOINT held")
    transactions.depth = 2
    do {
      let result = try body()
      if let failure = transactions.failure { throw failure }
      // The savepoint is still there when this fails, because a reference leads nowhere.
      try control("COMMIT")
      recordRollback()
      writingEnded()
      return result
    } catch {
      undoAdopted()
      throw error
    }
  }

  /// Goes back to where nothing was written, with the lock if that is possible.
  private func undoAdopted() {
    transactions.depth = 1
    do {
      if let failure = transactions.failure { throw failure }
      try control("ROLLBACK TO held")
      try control("RELEASE held")
      // What was given out for what is undone is given out again.
      recordUndone()
    } catch {
      recordRollback()
      rollback()
    }
  }

  /// Runs a statement that steers transactions, which observers are not told of.
  private func control(_ sql: String) throws {
    let statement = try sqliteStatement(sql)
    try statement.control()
  }
}
