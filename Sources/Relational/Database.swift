/// A database that several threads may use concurrently.
package protocol Database: AnyObject, Sendable {
  var dialect: any Dialect { get }

  /// Runs `body` on a connection that sees one committed state throughout. Reads run concurrently with each other and with a
  /// write.
  func read<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Runs `body`, which runs one statement. It costs less than `read`, because one statement sees one committed state by
  /// itself.
  ///
  /// - Parameter connection: The serial number of the connection to use if it is free.
  func readStatement<Result>(preferring connection: Int?, _ body: (any Connection) throws -> Result) throws -> Result

  /// Runs `body` in a write transaction, waiting for other writers up to the database's busy timeout. An error that `body`
  /// throws rolls the transaction back.
  func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Runs `body` while no other connection can write. It waits for other writers as `write` does.
  ///
  /// Reads inside, on the same thread, see the state that was committed when the lock was taken. The first `write` inside
  /// commits and releases the lock; one that throws keeps it. `Connection.takeLock` takes it again.
  func holdingLock<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Runs `body` as `write` does, without checking foreign keys: a table can be rebuilt without losing the rows that refer to
  /// it. `Connection.danglingReferences(of:)` finds dangling references afterwards.
  func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Copies the committed state of the database, lets `body` change the copy, and replaces the database with it. Meanwhile
  /// other connections can read, and their writes wait.
  ///
  /// - Parameters:
  ///   - path: Called once no other connection can write. Returns an unused path, as `Connection.makeWorkingCopy` takes it, at
  ///     which the caller removes the copy afterwards.
  ///   - body: Called once, while no connection to the copy is open. Changes that it has not committed when it returns are
  ///     rolled back.
  /// - Throws: The error of `path` or `body`.
  func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws

  /// Runs `body` on the writing connection outside a transaction, for statements that cannot run in one.
  func withoutTransaction<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Whether every reader, in this process or another, sees the latest state. It does not wait, and is false when the answer is
  /// not available.
  func hasOnlyCurrentReaders() -> Bool

  /// The signal of commits, if the database has one. Otherwise its file is watched.
  var signal: (any DatabaseSignal)? { get }

  /// Checkpoints the log as far as other connections allow it, and closes all connections. Later calls throw with the reason
  /// `closed`.
  ///
  /// - Throws: An error when the thread is inside another call.
  func close() throws
}

extension Database {
  package var signal: (any DatabaseSignal)? { nil }
}

/// Replaces a database with a copy, in one transaction with two steps: several databases can take the first step before any
/// takes the second.
package protocol Revision: AnyObject {
  /// Writes all contents of a copy, to which no connection is open, in a transaction that stays open.
  ///
  /// - Parameter path: The path of the copy.
  /// - Throws: An error with the reason `overtaken` when another connection has written to the database since it was copied, or
  ///   when the copy is gone.
  func write(contentsOf path: String) throws

  /// Commits the written contents durably.
  func commit() throws
}

/// One connection, lent for the duration of a call.
package protocol Connection: AnyObject {
  /// The cached prepared statement for `sql`. The caller resets it after use, and does not use it recursively.
  func statement(_ sql: String) throws -> Statement

  /// Runs one or more statements and ignores their rows.
  func execute(_ sql: String) throws

  /// Identifies the connection in the process.
  var serial: Int { get }

  /// A number that changes when the connection sees a change to the database, by itself or by another connection. It describes
  /// the state that a statement sees from its first row on; nil inside a transaction.
  var dataVersion: UInt32? { get }

  /// A number that stays the same between this connection's write transactions unless another connection wrote to the database
  /// in between.
  var writeGeneration: UInt64 { get }

  /// Whether the connection holds the lock of `Database.holdingLock`.
  var holdsLock: Bool { get }

  /// Takes the lock of `Database.holdingLock` again, inside the call. It has no effect while the lock is held.
  func takeLock() throws

  /// Releases the lock of `Database.holdingLock`, inside the call, if it is held.
  func giveLockBack()

  /// Whether a cancelled task may interrupt a statement that returns rows. The statement fails with the reason `interrupted`
  /// then.
  var isCancellable: Bool { get set }

  /// The number of rows that the last statement inserted, updated or deleted.
  var changeCount: Int { get }

  /// How the database would run a query, without running it.
  func steps(of query: RenderedStatement) throws -> [QueryStep]

  /// The names of the existing tables, without views.
  func tableNames() throws -> Set<String>

  /// The names of the existing indexes, except those of constraints.
  func indexNames() throws -> Set<String>

  /// The existing tables by name, with their actual columns.
  func tables() throws -> [String: ExistingTable]

  /// A number that changes when the connection sees other tables, indexes or triggers.
  func schemaVersion() throws -> Int64

  /// The existing search indexes, and the triggers.
  func searches() throws -> ExistingSearches

  /// Whether a search index is undamaged. The check reads all of it, and takes the write lock. It must run outside of a
  /// transaction, because damage ends one.
  func isSound(search name: String) throws -> Bool

  /// Lets triggers write to search indexes from now on, and call functions. The caller must have verified the triggers: a
  /// file's own ones may be malicious.
  func trustTriggers(calling functions: [FoldingFunction]) throws

  /// Whether the opened database is still at its path. A database without a path always is.
  var isInPlace: Bool { get }

  /// Whether it writes to the open file even after it was moved or deleted, in order to copy it elsewhere.
  var writesOutOfPlace: Bool { get set }

  /// Copies the whole database, in the state that the connection sees, to a new file.
  ///
  /// - Parameter path: An unused path. When this throws, an incomplete copy may be there.
  func copy(to path: String) throws

  /// Copies the whole database, in the state that the connection sees, for a migration that runs before the transaction ends.
  ///
  /// - Parameter path: An unused path. On a server it is the name of a namespace: `workingCopyPrefix` and an identifier, which
  ///   may end with an underscore and a number.
  func makeWorkingCopy(at path: String) throws

  /// Removes a working copy on a server, if it exists, and those of programs that have ended.
  func removeWorkingCopy(at path: String) throws

  /// The dangling references of a table's rows, whether or not foreign keys are enforced.
  func danglingReferences(of table: String) throws -> [DanglingReferences]

  /// Called in a transaction before tables change, with their present definitions.
  func beginTableChanges(of tables: [TableDefinition]) throws

  /// Called in a transaction after tables were created or have changed: completes what their statements leave out, foreign
  /// keys and sequences of keys.
  func finishTableChanges(of tables: [TableDefinition]) throws

  /// Gives an existing table another definition, without the columns that it lacks and with its indexes.
  ///
  /// - Returns: False where the database cannot do so: the table has to be rebuilt.
  func redefine(_ table: TableDefinition) throws -> Bool

  /// Drops an index that may belong to a constraint.
  ///
  /// - Returns: False where the statement of the dialect does.
  func drop(index name: String) throws -> Bool

  /// Runs `body` in a write transaction that the caller continues when it throws. A database whose transactions end with the
  /// first error undoes what `body` has done.
  func attempt<Result>(_ body: () throws -> Result) throws -> Result

  /// Checks the constraints on unique values only at the commit of the transaction, if the database can.
  ///
  /// - Returns: Whether it does.
  func deferUniqueness() throws -> Bool

  /// Whether `dataVersion` has a number outside of transactions.
  var seesDataVersion: Bool { get }

  /// Whether statements that are sent run later, so that an error does not say which row it is about.
  var runsLater: Bool { get }

  /// How often the connection has waited for an answer of the server; zero where there is no server.
  var roundTrips: Int { get }
}

/// The names of working copies on a server begin with it.
package let workingCopyPrefix = "swiftdata_copy_"

extension Connection {
  package func makeWorkingCopy(at path: String) throws { try copy(to: path) }
  package func removeWorkingCopy(at path: String) throws {}
  package func beginTableChanges(of tables: [TableDefinition]) throws {}
  package func finishTableChanges(of tables: [TableDefinition]) throws {}
  package func redefine(_ table: TableDefinition) throws -> Bool { false }
  package func drop(index name: String) throws -> Bool { false }
  package func attempt<Result>(_ body: () throws -> Result) throws -> Result { try body() }
  package func deferUniqueness() throws -> Bool { false }
  package var seesDataVersion: Bool { true }
  package var runsLater: Bool { false }
  package var roundTrips: Int { 0 }
}

/// Rows whose references in one column are dangling.
package struct DanglingReferences: Hashable, Sendable {
  package var column: String
  /// The table in which the rows are missing.
  package var target: String
  package var count: Int

  package init(column: String, target: String, count: Int) {
    self.column = column
    self.target = target
    self.count = count
  }
}

/// A table that exists in a database file.
package struct ExistingTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var type: String
    package var isNullable: Bool

    package init(name: String, type: String, isNullable: Bool) {
      self.name = name
      self.type = type
      self.isNullable = isNullable
    }
  }

  package var name: String
  package var columns: [Column]
  /// The names of the table's indexes, except those of constraints.
  package var indexes: Set<String>

  package init(name: String, columns: [Column], indexes: Set<String>) {
    self.name = name
    self.columns = columns
    self.indexes = indexes
  }
}

extension Connection {
  /// Runs `sql` and passes each row to `body`.
  package func forEachRow(_ sql: String, _ parameters: [Value] = [], _ body: (Statement) throws -> Void) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    statement.bind(parameters)
    while try statement.step() {
      try body(statement)
    }
  }

  /// Runs a statement whose rows and count are not needed: see `Statement.send`.
  package func send(_ sql: String, _ parameters: [Value] = []) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    statement.bind(parameters)
    try statement.send()
  }

  /// Runs a statement with all its values: see `Statement.send`.
  package func send(_ statement: RenderedStatement) throws {
    try send(statement.sql, statement.parameters)
  }

  /// Runs `sql` and ignores its rows.
  package func run(_ sql: String, _ parameters: [Value] = []) throws {
    try forEachRow(sql, parameters) { _ in }
  }

  /// Runs a statement with all its values, and passes each row to `body`.
  package func forEachRow(_ statement: RenderedStatement, _ body: (Statement) throws -> Void) throws {
    try forEachRow(statement.sql, statement.parameters, body)
  }

  /// Runs a statement with all its values.
  package func run(_ statement: RenderedStatement) throws {
    try run(statement.sql, statement.parameters)
  }
}

extension Parameters {
  package func bind(_ parameters: [Value]) {
    for (index, value) in parameters.enumerated() {
      bind(value, at: Int32(index + 1))
    }
  }

  package func bind(_ value: Value, at position: Int32) {
    switch value {
    case .null: bindNull(at: position)
    case .integer(let integer): bind(integer, at: position)
    case .real(let real): bind(real, at: position)
    case .text(let text): bind(text, at: position)
    // A driver copies the bytes before it returns.
    case .blob(let data): data.withUnsafeBytes { bind($0, at: position) }
    }
  }
}
