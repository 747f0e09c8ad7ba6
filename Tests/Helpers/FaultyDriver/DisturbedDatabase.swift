package import Relational

/// A database that runs another statement after each statement of a kind, before the next one, as a bug of this library
/// might.
package final class DisturbedDatabase: DatabaseWrapper {
  package let base: any Database
  private let prefix: String
  private let disturbance: String

  /// - Parameters:
  ///   - prefix: The prefix of the statements.
  ///   - disturbance: The SQL to run after them.
  package init(_ base: any Database, after prefix: String, run disturbance: String) {
    self.base = base
    self.prefix = prefix
    self.disturbance = disturbance
  }

  package func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.write { try body(DisturbedConnection($0, prefix, disturbance)) }
  }

  package func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.writeWithoutForeignKeys { try body(DisturbedConnection($0, prefix, disturbance)) }
  }
}

private final class DisturbedConnection: Connection {
  private let base: any Connection
  private let prefix: String
  private let disturbance: String
  private var isDue = false

  init(_ base: any Connection, _ prefix: String, _ disturbance: String) {
    self.base = base
    self.prefix = prefix
    self.disturbance = disturbance
  }

  func statement(_ sql: String) throws -> Statement {
    try disturb()
    isDue = sql.hasPrefix(prefix)
    return try base.statement(sql)
  }

  func execute(_ sql: String) throws {
    try disturb()
    try base.execute(sql)
    isDue = sql.hasPrefix(prefix)
  }

  /// A prepared statement has run when the next statement is prepared.
  private func disturb() throws {
    if isDue { try base.execute(disturbance) }
    isDue = false
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
