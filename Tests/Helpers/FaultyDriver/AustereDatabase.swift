package import Relational

/// A database that has only the requirements of the protocols, as a database other than SQLite may: rows are read only
/// through their statement, and a write transaction refuses all statements after one that failed.
package final class AustereDatabase: Database {
  private let base: any Database

  package init(_ base: any Database) {
    self.base = base
  }

  package static func wrap(_ database: any Database) -> any Database {
    AustereDatabase(database)
  }

  package var dialect: any Dialect { base.dialect }
  package var signal: (any DatabaseSignal)? { base.signal }

  package func read<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.read { try body(AustereConnection($0)) }
  }

  package func readStatement<Result>(
    preferring connection: Int?, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    try base.readStatement(preferring: connection) { try body(AustereConnection($0)) }
  }

  package func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.write { try inTransaction($0, body) }
  }

  package func holdingLock<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.holdingLock { try body(AustereConnection($0)) }
  }

  package func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.writeWithoutForeignKeys { try inTransaction($0, body) }
  }

  private func inTransaction<Result>(
    _ connection: any Connection, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    let transaction = AustereTransaction()
    let result = try body(AustereConnection(connection, transaction))
    try transaction.check()
    return result
  }

  package func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws {
    try base.revise(inCopyAt: path, body)
  }

  package func withoutTransaction<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.withoutTransaction { try body(AustereConnection($0)) }
  }

  package func hasOnlyCurrentReaders() -> Bool {
    base.hasOnlyCurrentReaders()
  }

  package func close() throws {
    try base.close()
  }
}

/// Tracks whether a statement of a write transaction has failed.
private final class AustereTransaction {
  private var isAborted = false

  func check() throws {
    if isAborted { throw DatabaseError(reason: .other, message: "a statement of the transaction has failed before") }
  }

  func run<Result>(_ body: () throws -> Result) throws -> Result {
    try check()
    do {
      return try body()
    } catch {
      isAborted = true
      throw error
    }
  }
}

private final class AustereConnection: Connection {
  private let base: any Connection
  private let transaction: AustereTransaction?

  init(_ base: any Connection, _ transaction: AustereTransaction? = nil) {
    self.base = base
    self.transaction = transaction
  }

  func statement(_ sql: String) throws -> Statement {
    AustereStatement(try run { try base.statement(sql) }, transaction)
  }

  func execute(_ sql: String) throws {
    try run { try base.execute(sql) }
  }

  private func run<Result>(_ body: () throws -> Result) throws -> Result {
    try transaction.map { try $0.run(body) } ?? body()
  }

  var serial: Int { base.serial }
  var dataVersion: UInt32? { base.dataVersion }
  var seesDataVersion: Bool { base.seesDataVersion }
  var runsLater: Bool { base.runsLater }
  var roundTrips: Int { base.roundTrips }
  var writeGeneration: UInt64 { base.writeGeneration }
  var changeCount: Int { base.changeCount }
  var holdsLock: Bool { base.holdsLock }

  func takeLock() throws {
    try base.takeLock()
  }

  func giveLockBack() {
    base.giveLockBack()
  }

  var isCancellable: Bool {
    get { base.isCancellable }
    set { base.isCancellable = newValue }
  }

  func steps(of query: RenderedStatement) throws -> [QueryStep] {
    try base.steps(of: query)
  }

  func tableNames() throws -> Set<String> {
    try base.tableNames()
  }

  func indexNames() throws -> Set<String> {
    try base.indexNames()
  }

  func tables() throws -> [String: ExistingTable] {
    try base.tables()
  }

  func schemaVersion() throws -> Int64 {
    try base.schemaVersion()
  }

  func searches() throws -> ExistingSearches {
    try base.searches()
  }

  func isSound(search name: String) throws -> Bool {
    try base.isSound(search: name)
  }

  func trustTriggers(calling functions: [FoldingFunction]) throws {
    try base.trustTriggers(calling: functions)
  }

  var isInPlace: Bool { base.isInPlace }
  var writesOutOfPlace: Bool {
    get { base.writesOutOfPlace }
    set { base.writesOutOfPlace = newValue }
  }

  func copy(to path: String) throws {
    try base.copy(to: path)
  }

  func makeWorkingCopy(at path: String) throws {
    try base.makeWorkingCopy(at: path)
  }

  func removeWorkingCopy(at path: String) throws {
    try base.removeWorkingCopy(at: path)
  }

  func attempt<Result>(_ body: () throws -> Result) throws -> Result {
    try base.attempt(body)
  }

  func beginTableChanges(of tables: [TableDefinition]) throws {
    try base.beginTableChanges(of: tables)
  }

  func finishTableChanges(of tables: [TableDefinition]) throws {
    try base.finishTableChanges(of: tables)
  }

  func redefine(_ table: TableDefinition) throws -> Bool {
    try base.redefine(table)
  }

  func drop(index name: String) throws -> Bool {
    try base.drop(index: name)
  }

  func deferUniqueness() throws -> Bool {
    try base.deferUniqueness()
  }

  func danglingReferences(of table: String) throws -> [DanglingReferences] {
    try base.danglingReferences(of: table)
  }
}

/// Does not override `access`.
private final class AustereStatement: Statement {
  private let base: Statement
  private let transaction: AustereTransaction?

  init(_ base: Statement, _ transaction: AustereTransaction?) {
    self.base = base
    self.transaction = transaction
  }

  override func bindNull(at position: Int32) { base.bindNull(at: position) }
  override func bind(_ value: Int64, at position: Int32) { base.bind(value, at: position) }
  override func bind(_ value: Double, at position: Int32) { base.bind(value, at: position) }
  override func bind(_ value: String, at position: Int32) { base.bind(value, at: position) }
  override func bind(_ value: UnsafeRawBufferPointer, at position: Int32) { base.bind(value, at: position) }

  override func step() throws -> Bool {
    try transaction.map { try $0.run(base.step) } ?? base.step()
  }

  override func bind(_ batch: RowBatch) { base.bind(batch) }

  override func run(_ batch: RowBatch) throws {
    try transaction.map { transaction in try transaction.run { try base.run(batch) } } ?? base.run(batch)
  }

  override func reset() { base.reset() }
  override func clear() { base.clear() }
  override func type(of column: Int32) -> ColumnType { base.type(of: column) }
  override func isNull(_ column: Int32) -> Bool { base.isNull(column) }
  override func integer(_ column: Int32) -> Int64 { base.integer(column) }
  override func real(_ column: Int32) -> Double { base.real(column) }
  override func textIfPresent(_ column: Int32) -> String? { base.textIfPresent(column) }

  override func withBlob<Result>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try base.withBlob(column, body)
  }
}
