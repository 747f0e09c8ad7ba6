/// A database that several threads may use at a time.
package protocol Database: AnyObject, Sendable {
  var dialect: any Dialect { get }

  /// Runs `body` on a connection that sees one committed state throughout. Reads run beside each other and beside a write.
  func read<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Runs `body`, which runs one statement: that sees one committed state by itself, so that this takes less than `read`.
  ///
  /// - Parameter connection: The serial number of the connection to use if it is free.
  func readStatement<Result>(preferring connection: Int?, _ body: (any Connection) throws -> Result) throws -> Result

  /// Runs `body` in a transaction that is the only writer, waiting for others up to the database's busy timeout. An
  /// error that `body` throws rolls everything back.
  func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Runs `body` while nobody else can write. It waits for others as `write` does.
  ///
  /// What is read inside, on the same thread, is what was committed when the lock was taken. The first `write` inside
  /// commits and gives the lock up; one that throws keeps it. `Connection.takeLock` takes it again.
  func holdingLock<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Runs `body` as `write` does, without checking foreign keys: a table can be made anew without losing the rows that
  /// refer to it. `Connection.brokenReferences(of:)` finds the references that lead nowhere afterwards.
  func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Copies the database in the state that is committed, and lets `body` change the copy and put what it has become in the
  /// place of what is here. Others can read meanwhile, and wait with what they write.
  ///
  /// - Parameters:
  ///   - path: Called once nobody else can write, for a path where nothing is yet, and where the caller removes what is
  ///     left.
  ///   - body: Called once, with nothing open of the copy. What it has not committed when it returns is rolled back.
  /// - Throws: What `path` or `body` throws.
  func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws

  /// Runs `body` on the writing connection outside a transaction, for what cannot run in one.
  func withoutTransaction<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Whether nobody, in this process or another, reads an older state than the last one. It waits for nobody, and is
  /// false where it cannot be told at the moment.
  func hasOnlyCurrentReaders() -> Bool

  /// Folds the log into the file as far as others let it, and closes all connections. Later calls throw with the reason
  /// `closed`.
  ///
  /// - Throws: When the thread is inside another call.
  func close() throws
}

/// How a copy takes the place of a database, in one transaction with two steps: several databases can take the first one
/// before any takes the second.
package protocol Revision: AnyObject {
  /// Writes all contents of a copy, of which nothing is open, in a transaction that stays open.
  ///
  /// - Parameter path: That of the copy.
  /// - Throws: Why it cannot take the place: with the reason `overtaken` when others have written to the database since
  ///   it was copied, or the copy is gone.
  func write(contentsOf path: String) throws

  /// Commits what was written, so that it survives a loss of power.
  func commit() throws
}

/// One connection, lent for the duration of a call.
package protocol Connection: AnyObject {
  /// The statement for `sql`, prepared once and kept: the caller resets it after use and gives it no second use meanwhile.
  func statement(_ sql: String) throws -> Statement

  /// Runs one or more statements that return nothing of interest.
  func execute(_ sql: String) throws

  /// What tells the connection from every other of the process.
  var serial: Int { get }

  /// A number that is another one as soon as the connection sees that anybody, itself included, has changed the database.
  /// It is that of the state which a statement sees from its first row on; nil inside a transaction.
  var dataVersion: UInt32? { get }

  /// A number that a write transaction has in common with the connection's last one as long as nobody else wrote to the
  /// database in between.
  var writeGeneration: UInt64 { get }

  /// Whether the connection keeps others from writing between what it reads and what it writes: see
  /// `Database.holdingLock`.
  var holdsLock: Bool { get }

  /// Takes the lock of `Database.holdingLock` again, inside the call. Nothing happens while it is held.
  func takeLock() throws

  /// Ends the lock of `Database.holdingLock`, inside the call, if it is held.
  func giveLockBack()

  /// Whether a statement that returns rows may be interrupted because the task that runs it was cancelled. It fails with
  /// the reason `interrupted` then.
  var isCancellable: Bool { get set }

  /// The number of rows that the last statement inserted, updated or deleted.
  var changeCount: Int { get }

  /// How the database would run a query, without running it.
  func steps(of query: RenderedStatement) throws -> [QueryStep]

  /// The names of the tables that exist. A view is none.
  func tableNames() throws -> Set<String>

  /// The names of the indexes that exist, but for those that a constraint brought along.
  func indexNames() throws -> Set<String>

  /// The tables that exist, by name, with the columns they really have.
  func tables() throws -> [String: ExistingTable]

  /// A number that is another one as soon as the connection sees other tables, indexes or triggers.
  func schemaVersion() throws -> Int64

  /// The indexes for searches that exist, and the triggers.
  func searches() throws -> ExistingSearches

  /// Whether all of an index for searches can be read, which takes reading all of it, and the lock for writing. Not asked
  /// inside a transaction, which damage ends.
  func isSound(search name: String) throws -> Bool

  /// Lets triggers write to indexes for searches from now on, and call functions. Whoever calls it has looked at them:
  /// those that others made could do harm.
  func trustTriggers(calling functions: [FoldingFunction]) throws

  /// Whether the path leads to the database still that was opened. One that has no path is always in its place.
  var isInPlace: Bool { get }

  /// Whether it writes to the open file wherever that is now, and even if it was deleted: to copy it elsewhere.
  var writesOutOfPlace: Bool { get set }

  /// Copies the whole database, in the state that the connection sees, to a new file.
  ///
  /// - Parameter path: Where nothing is yet. When this throws, a part of the copy may be there.
  func copy(to path: String) throws

  /// The references of a table's rows that lead nowhere, whether or not foreign keys are looked after.
  func brokenReferences(of table: String) throws -> [BrokenReferences]
}

/// Rows whose references in one column lead to rows that are not there.
package struct BrokenReferences: Hashable, Sendable {
  package var column: String
  /// The table in which there are no such rows.
  package var target: String
  package var count: Int

  package init(column: String, target: String, count: Int) {
    self.column = column
    self.target = target
    self.count = count
  }
}

/// A table found in a database file.
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
  /// The names of the table's own indexes; those that a constraint brought along are left out.
  package var indexes: Set<String>

  package init(name: String, columns: [Column], indexes: Set<String>) {
    self.name = name
    self.columns = columns
    self.indexes = indexes
  }
}

extension Connection {
  /// Runs `sql` and hands each row to `body`.
  package func forEachRow(_ sql: String, _ parameters: [Value] = [], _ body: (Statement) throws -> Void) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    statement.bind(parameters)
    while try statement.step() {
      try body(statement)
    }
  }

  /// Runs `sql`, which returns no rows or whose rows do not matter.
  package func run(_ sql: String, _ parameters: [Value] = []) throws {
    try forEachRow(sql, parameters) { _ in }
  }

  /// Runs a statement that has all its values, and hands each row to `body`.
  package func forEachRow(_ statement: RenderedStatement, _ body: (Statement) throws -> Void) throws {
    try forEachRow(statement.sql, statement.parameters, body)
  }

  /// Runs a statement that has all its values.
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
