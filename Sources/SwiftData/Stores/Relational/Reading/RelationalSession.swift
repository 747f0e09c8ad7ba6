import Foundation
import Relational

/// The session of a context with a relational store.
final class RelationalSession: LockableSession {
  let store: RelationalStore
  var layout: StoreLayout { store.layout }
  /// The statements that read one row of an entity by its key, and the last one used.
  private var lookups: [ObjectIdentifier: Lookup] = [:]
  private var lastLookup: Lookup?

  /// The last connection, the data version that it saw, and the age of rows that this session gives that version.
  private var lastConnection: Int?
  private var lastVersion: UInt32 = 0
  private var age: UInt32 = 0

  /// The number of the last transaction that the context knew when it last merged changes.
  private var seenNumber: Int64 = 0
  /// The write generation of the connection when the lock was last held.
  private var lastGenerations: [UntrackedRows: UInt64] = [:]

  init(store: RelationalStore) {
    self.store = store
  }

  var lockable: (any LockableSession)? { self }

  var storeIdentifier: InternedString {
    store.identifier
  }

  var storeName: String {
    store.configuration.name
  }

  /// A relationship is one column, or one row of a join table.
  var keepsBothSides: Bool { false }

  func keepsTarget(of relationship: String, in entity: Schema.Entity) -> Bool {
    if case .inverseReference? = store.layout.layout(named: entity.name)?.property(named: relationship)?.storage {
      return false
    }
    return true
  }

  func ordersTextsAsWritten(at keyPath: AnyKeyPath, of entity: Schema.Entity) -> Bool {
    layout.keepsForms(ofTextsAt: keyPath, in: layout.layout(of: entity))
  }

  func close() {}

  func plan<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, for result: FetchResultType, allowsResidue: Bool
  ) throws -> any FetchPlan {
    try RelationalPlan(
      descriptor, self, for: result, allowsResidue: allowsResidue || DatabaseServerInterception.make != nil)
  }

  /// Whether the database accepts a statement. It prepares one that is not small, which is then ready to run.
  func takes(_ statement: RenderedStatement) throws -> Bool {
    if store.database.dialect.isSmall(statement) { return true }
    do {
      try store.read(preferring: lastConnection) { _ = try $0.statement(statement.sql) }
      return true
    } catch let failure as SwiftDataError where failure.isTooComplex {
      return false
    }
  }

  func lastKey(of entity: Schema.Entity) throws -> Int64? {
    let key = SQLExpression.column(table: Projection.alias, name: LayoutNames.primaryKey)
    let select = Select(
      columns: [.aggregate(.maximum, key, distinct: false)],
      from: .init(table: layout.layout(of: entity).table, alias: Projection.alias))
    let rendered = store.database.dialect.render(select)
    var last: Int64 = 0
    try readUnregistered { connection in
      try connection.forEachRow(rendered.sql, rendered.parameters) { last = $0.integer(0) }
    }
    return last
  }

  func rows(
    of entity: Schema.Entity, keys: [Int64], including selection: PropertySelection?,
    receive: (RowKey, _RowReader) throws -> Void
  ) throws {
    if keys.count == 1, selection == nil { return try row(of: entity, key: keys[0], receive: receive) }
    let layout = layout.layout(of: entity)
    let projection = selection.map { Projection(layout, including: $0) } ?? self.layout.projection(of: layout)
    if let range = KeyRange(keys) {
      let bounds = select(projection, from: layout) {
        .binary(
          .and, .binary(.greaterOrEqual, $0, .value(.integer(range.first))),
          .binary(.lessOrEqual, $0, .value(.integer(range.last))))
      }
      return try read(bounds, projection, layout) { if range.contains($0.key) { try receive($0, $1) } }
    }
    try read(select(projection, from: layout) { .isIn($0, keys.map { .integer($0) }) }, projection, layout, receive)
  }

  /// The statement for the rows of an entity whose keys meet a condition.
  private func select(
    _ projection: Projection, from layout: EntityLayout, where condition: (SQLExpression) -> SQLExpression
  ) -> RenderedStatement {
    var select = Select(columns: projection.columns, from: .init(table: layout.table, alias: Projection.alias))
    select.condition = condition(.column(table: Projection.alias, name: LayoutNames.primaryKey))
    return store.database.dialect.render(select)
  }

  func readingTogether<Result>(_ body: () throws -> Result) throws -> Result {
    try store.database.read { _ in try body() }
  }

  /// Runs `body`, which runs one statement and registers none of its rows.
  ///
  /// - Throws: What `body` throws, or an error if the store has another schema now.
  func readUnregistered<Result>(
    isCancellable: Bool = false, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    try store.read(preferring: lastConnection, isCancellable: isCancellable) { connection in
      let result = try body(connection)
      _ = try age(of: connection)
      return result
    }
  }

  func read(
    _ rendered: RenderedStatement, _ projection: Projection, _ layout: EntityLayout,
    _ receive: (RowKey, _RowReader) throws -> Void
  ) throws {
    var hasBegun = false
    try read(rendered, projection, layout, isCancellable: false, &hasBegun, receive)
  }

  /// - Parameters:
  ///   - isCancellable: Whether it ends when the task is cancelled.
  ///   - hasBegun: Set at the first row: a later failure is not due to the statement as such.
  func read(
    _ rendered: RenderedStatement, _ projection: Projection, _ layout: EntityLayout, isCancellable: Bool,
    _ hasBegun: inout Bool, _ receive: (RowKey, _RowReader) throws -> Void
  ) throws {
    try store.read(preferring: lastConnection, isCancellable: isCancellable) { connection in
      let statement = try connection.statement(rendered.sql)
      defer { statement.reset() }
      statement.bind(rendered.parameters)
      guard try statement.step() else {
        _ = try age(of: connection)
        return
      }
      hasBegun = true
      let reader = StatementRowReader(statement, projection, layout.ordinal, store.files)
      defer { reader.end() }
      reader.age = try age(of: connection)
      reader.isPartial = projection.isPartial
      repeat {
        try pass(reader, statement, projection, to: receive)
      } while try statement.step()
    }
  }

  /// Passes the current row of a statement.
  @inline(__always)
  private func pass(
    _ reader: StatementRowReader, _ statement: Statement, _ projection: Projection,
    to receive: (RowKey, _RowReader) throws -> Void
  ) throws {
    let row = try projection.row(reader.number(0), statement)
    reader.begin(row.entity)
    try receive(row, reader)
    if let failure = reader.failure { throw failure }
  }

  // MARK: Single rows

  /// The statement that reads the row of an entity with a given key.
  private final class Lookup {
    let entity: Schema.Entity
    let layout: EntityLayout
    let projection: Projection
    /// With the key as its last parameter.
    let statement: RenderedStatement
    /// The parameter of the key.
    let keyParameter: Int32
    /// The reader of the last row, unless it is in use.
    private var reader: StatementRowReader?

    init(_ entity: Schema.Entity, _ layout: EntityLayout, _ projection: Projection, _ statement: RenderedStatement) {
      self.entity = entity
      self.layout = layout
      self.projection = projection
      self.statement = statement
      keyParameter = Int32(statement.parameters.count)
    }

    /// A reader for `statement`. A decoder that looks up another row meanwhile gets a new one.
    func takeReader(for statement: Statement, _ files: ExternalFiles?) -> StatementRowReader {
      let kept = reader.take()
      if let kept, kept.resume(statement) { return kept }
      return StatementRowReader(statement, projection, layout.ordinal, files)
    }

    func keep(_ reader: StatementRowReader) {
      self.reader = reader
    }
  }

  private func lookup(of entity: Schema.Entity) -> Lookup {
    if let lastLookup, lastLookup.entity === entity { return lastLookup }
    let lookup = lookups[ObjectIdentifier(entity)] ?? makeLookup(of: entity)
    lastLookup = lookup
    return lookup
  }

  private func makeLookup(of entity: Schema.Entity) -> Lookup {
    let layout = layout.layout(of: entity)
    let projection = self.layout.projection(of: layout)
    let statement = select(projection, from: layout) { .binary(.equal, $0, .value(.integer(0))) }
    let lookup = Lookup(entity, layout, projection, statement)
    lookups[ObjectIdentifier(entity)] = lookup
    return lookup
  }

  func row(of entity: Schema.Entity, key: Int64, receive: (RowKey, _RowReader) throws -> Void) throws {
    let lookup = lookup(of: entity)
    try store.read(preferring: lastConnection) { connection in
      let statement = try connection.statement(lookup.statement.sql)
      defer { statement.reset() }
      if lookup.keyParameter > 1 { statement.bind(lookup.statement.parameters) }
      statement.bind(key, at: lookup.keyParameter)
      guard try statement.step() else {
        _ = try age(of: connection)
        return
      }
      let reader = lookup.takeReader(for: statement, store.files)
      defer { reader.end() }
      reader.age = try age(of: connection)
      // A reader that met an unreadable value is not used again.
      try pass(reader, statement, lookup.projection, to: receive)
      lookup.keep(reader)
    }
  }

  /// The age of rows that a connection reads; zero inside a transaction, which may be rolled back.
  ///
  /// - Throws: An error if the store has another schema now.
  private func age(of connection: any Connection) throws -> UInt32 {
    guard let version = connection.dataVersion else {
      try store.layoutGuard?.checkFromTimeToTime(connection)
      return 0
    }
    if version != lastVersion || connection.serial != lastConnection || age == 0 {
      try store.layoutGuard?.check(connection, in: version)
      lastVersion = version
      lastConnection = connection.serial
      // Zero stands for an unknown state.
      age = age == .max ? 1 : age + 1
    }
    return age
  }

  func save(_ plan: SavePlan, announce: (SaveOutcome) -> Void) throws {
    try checkWritable()
    try SaveTransaction.run(plan, in: store, seen: seenNumber, announce)
  }

  func update(
    _ update: RowUpdate, of entity: Schema.Entity, by graph: UnsafeRawPointer, author: String?,
    _ select: () throws -> [RowKey], announce: (_ rows: [RowKey], _ historyToken: (any HistoryToken)?) -> Void
  ) throws {
    try checkWritable()
    let transaction = try UpdateTransaction(update, author: author, layout.layout(of: entity), store)
    try transaction.run(by: graph, select, announce)
  }

  private func checkWritable() throws {
    guard store.configuration.allowsSave else {
      throw SwiftDataError.modelValidationFailure.with(
        message: "The store \(store.configuration.name) is read-only.",
        hint: "Make its configuration with allowsSave: true.")
    }
  }

  func updateChangeReporting() {
    seenNumber = store.notifiedNumber.load(ordering: .acquiring)
  }

  // MARK: The lock

  func holdingLock<Result>(for graph: UnsafeRawPointer, _ body: () throws -> Result) throws -> Result {
    store.configuration.allowsSave ? try store.holdingLock(for: graph, body) : try body()
  }

  var lacksLock: Bool { store.lockHolder.connection?.holdsLock == false }

  func giveLockBack() {
    store.lockHolder.connection?.giveLockBack()
  }

  func renewLock() throws {
    try store.renewLock()
  }

  func hasMissedChanges(of models: UntrackedRows) -> Bool {
    guard let generation = store.lockHolder.connection?.writeGeneration else { return false }
    return lastGenerations.updateValue(generation, forKey: models) != generation
  }
}

/// Keys so close together that scanning the rows from the first to the last is faster than looking up each.
private struct KeyRange {
  let first: Int64
  let last: Int64
  /// Whether the key at each distance from the first is included.
  private var members: [Bool]

  /// Nil for few or sparse keys.
  init?(_ keys: [Int64]) {
    guard keys.count >= 64, let first = keys.min(), let last = keys.max() else { return nil }
    let (width, isTooWide) = last.subtractingReportingOverflow(first)
    guard !isTooWide, width < 4 * keys.count else { return nil }
    self.first = first
    self.last = last
    members = Array(repeating: false, count: Int(last - first) + 1)
    for key in keys { members[Int(key - first)] = true }
  }

  func contains(_ key: Int64) -> Bool {
    // The rows of a damaged table may be out of order, so a scan can return other keys.
    first <= key && key <= last && members[Int(key - first)]
  }
}
