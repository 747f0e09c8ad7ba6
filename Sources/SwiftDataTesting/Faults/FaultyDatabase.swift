import Foundation
package import Relational

/// A database whose calls fail by rules.
package final class FaultyDatabase: Database {
  private let base: any Database
  private let faults: CallFailures

  package init(_ base: any Database, _ faults: CallFailures) {
    self.base = base
    self.faults = faults
  }

  package var dialect: any Dialect { base.dialect }
  package var signal: (any DatabaseSignal)? { base.signal }

  package func read<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.read { try body(FaultyConnection($0, faults)) }
  }

  package func readStatement<Result>(
    preferring connection: Int?, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    try base.readStatement(preferring: connection) { try body(FaultyConnection($0, faults)) }
  }

  package func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.write { connection in
      let result = try body(FaultyConnection(connection, faults))
      try faults.check(.commit, "COMMIT")
      return result
    }
  }

  package func holdingLock<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try faults.check(.step, "BEGIN")
    return try base.holdingLock { try body(FaultyConnection($0, faults)) }
  }

  package func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.writeWithoutForeignKeys { connection in
      let result = try body(FaultyConnection(connection, faults))
      try faults.check(.commit, "COMMIT")
      return result
    }
  }

  package func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws {
    try base.revise(inCopyAt: path) { try body(FaultyRevision($0, faults)) }
  }

  package func withoutTransaction<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.withoutTransaction { try body(FaultyConnection($0, faults)) }
  }

  package func hasOnlyCurrentReaders() -> Bool {
    base.hasOnlyCurrentReaders()
  }

  package func close() throws {
    try base.close()
  }
}

private final class FaultyRevision: Revision {
  private let base: any Revision
  private let faults: CallFailures

  init(_ base: any Revision, _ faults: CallFailures) {
    self.base = base
    self.faults = faults
  }

  func write(contentsOf path: String) throws {
    try faults.check(.step, "BEGIN")
    try base.write(contentsOf: path)
  }

  func commit() throws {
    faults.recordRevision()
    try faults.check(.commit, "COMMIT")
    try base.commit()
  }
}

private final class FaultyConnection: Connection {
  private let base: any Connection
  private let faults: CallFailures

  init(_ base: any Connection, _ faults: CallFailures) {
    self.base = base
    self.faults = faults
  }

  func statement(_ sql: String) throws -> Statement {
    try faults.check(.prepare, sql)
    return FaultyStatement(try base.statement(sql), sql, faults)
  }

  func execute(_ sql: String) throws {
    try faults.check(.step, sql)
    try base.execute(sql)
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
    try faults.check(.step, "BEGIN")
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
    try faults.check(.step, query.sql)
    return try base.steps(of: query)
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
    try faults.check(.step, nil)
    try base.copy(to: path)
  }

  func makeWorkingCopy(at path: String) throws {
    try faults.check(.step, nil)
    try base.makeWorkingCopy(at: path)
  }

  func removeWorkingCopy(at path: String) throws {
    try base.removeWorkingCopy(at: path)
  }

  func beginTableChanges(of tables: [TableDefinition]) throws {
    try faults.check(.step, nil)
    try base.beginTableChanges(of: tables)
  }

  func finishTableChanges(of tables: [TableDefinition]) throws {
    try faults.check(.step, nil)
    try base.finishTableChanges(of: tables)
  }

  func redefine(_ table: TableDefinition) throws -> Bool {
    try faults.check(.step, nil)
    return try base.redefine(table)
  }

  func drop(index name: String) throws -> Bool {
    try faults.check(.step, nil)
    return try base.drop(index: name)
  }

  func attempt<Result>(_ body: () throws -> Result) throws -> Result {
    try base.attempt(body)
  }

  func deferUniqueness() throws -> Bool {
    try faults.check(.step, nil)
    return try base.deferUniqueness()
  }

  func danglingReferences(of table: String) throws -> [DanglingReferences] {
    try faults.check(.step, nil)
    return try base.danglingReferences(of: table)
  }
}

private final class FaultyStatement: Statement {
  private let base: Statement
  private let sql: String
  private let faults: CallFailures

  init(_ base: Statement, _ sql: String, _ faults: CallFailures) {
    self.base = base
    self.sql = sql
    self.faults = faults
  }

  override func bindNull(at position: Int32) { base.bindNull(at: position) }
  override func bind(_ value: Int64, at position: Int32) { base.bind(value, at: position) }
  override func bind(_ value: Double, at position: Int32) { base.bind(value, at: position) }
  override func bind(_ value: String, at position: Int32) { base.bind(value, at: position) }
  override func bind(_ value: UnsafeRawBufferPointer, at position: Int32) { base.bind(value, at: position) }

  override func step() throws -> Bool {
    try faults.check(.step, sql)
    return try base.step()
  }

  override func send() throws {
    try faults.check(.step, sql)
    try base.send()
  }

  override func start() throws { try base.start() }

  override func bind(_ batch: RowBatch) { base.bind(batch) }

  override func run(_ batch: RowBatch) throws {
    try faults.check(.step, sql)
    try base.run(batch)
  }

  override func reset() { base.reset() }
  override func clear() { base.clear() }
  override func type(of column: Int32) -> ColumnType { base.type(of: column) }
  override func isNull(_ column: Int32) -> Bool { base.isNull(column) }
  override func integer(_ column: Int32) -> Int64 { base.integer(column) }
  override func real(_ column: Int32) -> Double { base.real(column) }
  override func textIfPresent(_ column: Int32) -> String? { base.textIfPresent(column) }
  override var access: RowAccess { base.access }

  override func withBlob<Result>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try base.withBlob(column, body)
  }
}
