import Relational

/// The nesting depth of a connection's transactions, and what is known about the outermost one.
struct TransactionState {
  /// The transaction and the savepoints inside it.
  var depth = 0
  var isWriting = false
  /// The error after which the transaction can only be rolled back.
  var failure: DatabaseError?
  /// Whether the transaction holds the lock and has no writes yet; the next write takes it over.
  var isHeld = false
  /// The number of the writer, once the server has answered; nil while the table of the lock does not exist.
  var number: Int64?
  /// The server's identifier of the transaction, once it has answered.
  var identifier: String?
}

extension PostgresConnection {
  enum TransactionKind: String {
    /// Sees one committed state.
    case reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// Is the only writer from its first answer on.
    case writing = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
  }

  var isInTransaction: Bool { transactions.depth > 0 }

  /// Runs `body` in a transaction, or in a savepoint of the current one, which is rolled back on its own.
  func inTransaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
    // Cancellation interrupts reads, but not the reads inside a write.
    let wasCancellable = isCancellable
    if kind == .writing { isCancellable = false }
    defer { if kind == .writing { isCancellable = wasCancellable } }
    if transactions.isHeld, transactions.depth == 1, kind == .writing { return try takingOver(body) }
    if isInTransaction { return try inSavepoint(body) }
    try begin(kind)
    do {
      let result = try body()
      if kind == .writing { try commit() } else { try endReading() }
      return result
    } catch {
      rollback()
      throw error
    }
  }

  private func begin(_ kind: TransactionKind) throws {
    if let loss = pipeline.loss { throw loss }
    transactions = TransactionState(depth: 1, isWriting: kind == .writing)
    send(prepared: kind.rawValue, Request(kind.rawValue, .sent))
    if !shared.configuration.preparedStatements { sendSettings() }
    if kind == .reading {
      // Without it, a migration that is committed after the snapshot was taken, and before a table is read, would leave a new
      // table whose rows the snapshot does not see. The lock takes no snapshot yet.
      guard shared.writer.withLock({ $0.isStoreKnown }) else { return }
      let request = Request(Lock.keepTables, .sent)
      request.failed = { [shared] request in
        if request.state == "42P01" { shared.writer.withLock { $0.isStoreKnown = false } }
      }
      send(prepared: Lock.keepTables, request)
      return
    }
    do {
      try lockWriters()
    } catch {
      rollback()
      throw error
    }
  }

  @discardableResult
  private func control(_ sql: String, _ role: Request.Role = .sent) -> Request {
    let request = Request(sql, role)
    pipeline.send(sql, request)
    return request
  }

  /// Ends a transaction that only reads. The next user of the connection reads the answer.
  private func endReading() throws {
    if pipeline.isUnsynchronized { try waitForAnswers() }
    if let failure = transactions.failure { throw failure }
    transactions = TransactionState()
    send(prepared: "COMMIT", Request("COMMIT", .silent))
    pipeline.synchronize()
    pipeline.flush()
  }

  func commit() throws {
    if let failure = transactions.failure { throw failure }
    if let loss = pipeline.loss { throw loss }
    let request = Request("COMMIT", .awaited)
    send(prepared: "COMMIT", request)
    pipeline.isRepeatable = false
    do {
      try wait(for: request)
    } catch let error as DatabaseError where error.reason == .disconnected {
      try CommitOutcome(of: transactions.identifier, shared).resolve(error)
    }
    guard request.error != nil || request.command == "COMMIT" else {
      throw DatabaseError.other("the transaction was rolled back")
    }
    recordCommit()
  }

  private func recordCommit() {
    let number = transactions.number
    shared.writer.withLock { state in
      state.lastNumber = number
      // Not before the commit, which makes the row last that this transaction may have inserted.
      if number != nil { state.isTableKnown = true }
    }
    transactions = TransactionState()
  }

  /// Rolls back the open transaction, if there is one.
  ///
  /// - Returns: The number that the writer had.
  @discardableResult
  func rollback() -> Int64? {
    defer { transactions = TransactionState() }
    guard isUsable else { return nil }
    // A failure before must not make the server skip this.
    if pipeline.isUnsynchronized { pipeline.synchronize() }
    control("ROLLBACK", .silent)
    try? pipeline.wait()
    return transactions.number
  }

  /// Waits for everything that was sent.
  private func waitForAnswers() throws {
    do {
      try pipeline.wait()
    } catch let error as DatabaseError {
      throw failed(error)
    }
  }

  func inSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
    if let failure = transactions.failure { throw failure }
    // A failure of an earlier statement belongs to the enclosing transaction.
    if pipeline.isUnsynchronized { try waitForAnswers() }
    let name = "nested_\(transactions.depth)"
    control("SAVEPOINT \(name)")
    transactions.depth += 1
    defer { transactions.depth -= 1 }
    do {
      let result = try body()
      // A failure of a statement inside belongs to the savepoint.
      if pipeline.isUnsynchronized { try waitForAnswers() }
      if let failure = transactions.failure { throw failure }
      control("RELEASE \(name)")
      return result
    } catch {
      undo(name)
      throw error
    }
  }

  /// Returns to a savepoint, also from a failed transaction.
  private func undo(_ savepoint: String) {
    guard isUsable else { return }
    if pipeline.isUnsynchronized { pipeline.synchronize() }
    let request = control("ROLLBACK TO \(savepoint)", .silent)
    control("RELEASE \(savepoint)", .silent)
    try? pipeline.wait()
    if request.error == nil {
      transactions.failure = nil
    } else if transactions.failure == nil {
      transactions.failure = request.error
    }
  }

  package func attempt<Result>(_ body: () throws -> Result) throws -> Result {
    try inSavepoint(body)
  }

  package func deferUniqueness() throws -> Bool {
    control("SET CONSTRAINTS ALL DEFERRED")
    return true
  }

  // MARK: The writers' row

  /// Waits in the server until no other connection writes.
  ///
  /// The statement is only sent. Its answer arrives with that of the first statement for which the caller waits.
  private func lockWriters() throws {
    let expected = shared.writer.withLock { state in
      defer { state.lastNumber = nil }
      return state.lastNumber.map { $0 &+ 1 }
    }
    if !shared.writer.withLock({ $0.isTableKnown }), try !prepareLock() {
      shared.writer.withLock { $0.generation += 1 }
      return
    }
    let request = Request(Lock.take, .sent)
    send(prepared: request.sql, request)
    request.succeeded = { [unowned self] request in
      guard let number = request.firstValue(0), number.count == 8 else {
        // Another program has emptied the table. The next transaction will insert the row again.
        shared.writer.withLock { $0.isTableKnown = false }
        _ = failed(DatabaseError(reason: .conflict, message: "the row that writers lock is missing"))
        return
      }
      let value = Int64(bigEndian: number.loadUnaligned(as: Int64.self))
      transactions.number = value
      transactions.identifier = request.firstValue(1).map { String(decoding: $0, as: UTF8.self) }
      shared.writer.withLock {
        if value != expected { $0.generation += 1 }
      }
    }
    request.failed = { [shared] request in
      shared.writer.withLock {
        $0.generation += 1
        // There is no state when the statement could not be prepared.
        if request.state == "42P01" || request.state.isEmpty { $0.isTableKnown = false }
      }
    }
  }

  /// Makes sure that the row exists which writers lock.
  ///
  /// - Returns: False while the table does not exist. The transaction has another lock then, that only writers take which do not
  ///   find the table either.
  private func prepareLock() throws -> Bool {
    if try !hasLockTable() {
      control(Lock.takeWithoutTable)
      if try !hasLockTable() { return false }
    }
    control(Lock.insert)
    return true
  }

  private func hasLockTable() throws -> Bool {
    let request = control(Lock.exists, .awaited)
    try wait(for: request)
    return request.firstValue(0)?.first == 1
  }

  package var writeGeneration: UInt64 {
    // The transaction keeps an error, and the next statement throws it.
    if transactions.isWriting, transactions.number == nil { try? waitForAnswers() }
    return shared.writer.withLock { $0.generation }
  }

  // MARK: The lock

  package var holdsLock: Bool { transactions.isHeld }

  /// Runs `body` in a transaction that the first write inside takes over.
  func holdingLock<Result>(_ body: () throws -> Result) throws -> Result {
    if isInTransaction { throw DatabaseError.other("the lock cannot be taken inside a transaction") }
    try takeLock()
    defer { giveLockBack() }
    return try body()
  }

  package func takeLock() throws {
    if isInTransaction { return }
    try begin(.writing)
    do {
      // The caller relies on the lock before it runs any statement.
      try waitForAnswers()
    } catch {
      rollback()
      throw error
    }
    transactions.isHeld = true
  }

  package func giveLockBack() {
    guard transactions.isHeld else { return }
    // The rollback takes the number back too.
    if let number = rollback() { shared.writer.withLock { $0.lastNumber = number - 1 } }
  }

  /// Runs `body`, which writes, in the transaction that holds the lock, and commits it.
  private func takingOver<Result>(_ body: () throws -> Result) throws -> Result {
    if let failure = transactions.failure { throw failure }
    if pipeline.isUnsynchronized { try waitForAnswers() }
    control("SAVEPOINT held")
    transactions.depth = 2
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      undoTakenOver()
      throw error
    }
  }

  /// Returns to the state before the first write, and keeps the lock if that is possible.
  private func undoTakenOver() {
    transactions.depth = 1
    undo("held")
    guard transactions.failure == nil, isUsable else {
      rollback()
      return
    }
    // The undone rows' identifiers are assigned again.
    shared.writer.withLock { $0.generation += 1 }
  }

  private enum Lock {
    static let keepTables = "LOCK TABLE swiftdata_metadata IN ACCESS SHARE MODE"
    static let exists = "SELECT to_regclass('swiftdata_sequences') IS NOT NULL"
    static let insert = """
      INSERT INTO swiftdata_sequences (name, last) VALUES ('swiftdata_writer', 0) ON CONFLICT DO NOTHING
      """
    static let take = """
      UPDATE swiftdata_sequences SET last = last + 1 WHERE name = 'swiftdata_writer' \
      RETURNING last, pg_current_xact_id()::text
      """
    static let takeWithoutTable = "SELECT pg_advisory_xact_lock(hashtext('swiftdata ' || current_schema()))"
  }
}
