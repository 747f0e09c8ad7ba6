import Relational
import Support

/// Detects that another program has changed the meaning of tables in an open store, such as one with a later version of the
/// schema. Without it, this store would misread or overwrite values.
final class LayoutGuard: Sendable {
  /// The tables of this store when it was opened, with the search indexes that it uses.
  private let tables: [TableDefinition]
  private let dialect: any Dialect
  private let identifierQuery: RenderedStatement
  /// The names of the functions that indexes of sort keys may use.
  private let sortKeys: Set<String>
  private let layout: StoreLayout
  /// The revision identifier when the store was opened.
  private let revisionIdentifier: String?
  private let known: Mutex<Known>

  private struct Known {
    var layoutIdentifier: String?
    /// The present tables of the store.
    var tables: [TableDefinition]
    /// The schema version of the database in which the search indexes were found complete.
    var searchedVersion: Int64?
    /// The schema version in which an index was last found sound after a failed statement, by its name.
    var soundVersions: [String: Int64] = [:]
    /// The schema version in which triggers were last trusted.
    var trustedVersion: Int64?
    /// The write generation of the connection at the last check.
    var generation: UInt64?
    /// The data version at the last successful check, by connection.
    var soundStates: [Int: UInt32] = [:]
    /// When the store was last checked, for a database without a version of its state.
    var checkedAt = ContinuousClock.now
    /// A function of an index that this process lacks.
    var missingFunction: String?
    /// A property with normalized texts that this store would not normalize.
    var normalizedProperty: String?
  }

  /// - Parameters:
  ///   - tables: The tables of the layout, with the existing search indexes.
  ///   - metadata: The metadata when the store was opened.
  init(_ tables: [TableDefinition], _ layout: StoreLayout, _ metadata: StoreMetadata, _ dialect: any Dialect) {
    self.tables = tables
    sortKeys = Set(layout.sorting.functions.map(\.name))
    self.layout = layout
    self.dialect = dialect
    revisionIdentifier = metadata.revisionIdentifier
    identifierQuery = dialect.render(StoreMetadata.layoutIdentifierQuery)
    known = Mutex(Known(layoutIdentifier: metadata.layoutIdentifier, tables: tables))
  }

  /// Checks the store in a write transaction, unless no other connection has written to it since the last check.
  ///
  /// - Throws: `SwiftDataError` when the tables have another meaning, their indexes have other functions, or they have
  ///   unique texts that are not unique in this schema.
  func checkForWriting(_ connection: any Connection) throws {
    let generation = connection.writeGeneration
    if known.withLock({ $0.generation == generation }) { return }
    try check(connection)
    let (function, property) = known.withLock { ($0.missingFunction, $0.normalizedProperty) }
    if let function {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: """
          A program with another locale or release has rebuilt the text indexes since the store was opened: \
          they use the function \(function), which this process lacks.
          """,
        hint: "Make a new ModelContainer, and use one locale in all programs that share the store. Nothing was written."
      )
    }
    if let property {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: """
          A program with another schema has made \(property) unique since the store was opened, and normalized its \
          texts.
          """,
        hint: "Make a new ModelContainer with a schema in which they are unique. Nothing was written.")
    }
    try trustTriggers(connection)
    known.withLock { $0.generation = generation }
  }

  /// Checks the store, unless the connection saw the same state at its last check.
  ///
  /// - Parameter state: The `dataVersion` of the connection.
  /// - Throws: See `checkForWriting`.
  func check(_ connection: any Connection, in state: UInt32) throws {
    let serial = connection.serial
    if known.withLock({ $0.soundStates[serial] == state }) { return }
    try check(connection)
    known.withLock {
      // Nothing reports when a connection closes, so the states are cleared at a limit.
      if $0.soundStates.count >= 32 { $0.soundStates.removeAll() }
      $0.soundStates[serial] = state
    }
  }

  /// How long a database without a version of its state is assumed to have the same tables: a check takes as long as a fetch
  /// of one row.
  private static let trustedTime = Duration.milliseconds(10)

  /// Checks the store from time to time, if the database has no version of its state.
  ///
  /// - Throws: See `checkForWriting`.
  func checkFromTimeToTime(_ connection: any Connection) throws {
    if connection.seesDataVersion { return }
    let now = ContinuousClock.now
    if known.withLock({ $0.checkedAt + Self.trustedTime > now }) { return }
    try check(connection)
    known.withLock { $0.checkedAt = now }
  }

  /// - Throws: See `checkForWriting`.
  private func check(_ connection: any Connection) throws {
    var identifier: String?
    try connection.forEachRow(identifierQuery) { identifier = $0.text(0) }
    if known.withLock({ $0.layoutIdentifier == identifier }) { return try checkSearches(connection) }
    let metadata = try StoreMetadata(reading: connection, dialect)
    let found = try metadata?.layout() ?? []
    let byName = Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
    guard metadata?.revisionIdentifier == revisionIdentifier,
      tables.allSatisfy({ byName[$0.name]?.serves($0) == true })
    else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store was given another schema since it was opened.",
        hint: "Make a new ModelContainer. Nothing was read or written.")
    }
    try checkSearches(connection)
    let missing = missingFunction(of: found)
    let property = tables.lazy.compactMap { byName[$0.name]?.normalizedProperty(unknownTo: $0) }.first
    known.withLock {
      ($0.layoutIdentifier, $0.missingFunction, $0.normalizedProperty) = (identifier, missing, property)
      $0.tables = found
    }
  }

  private func missingFunction(of tables: [TableDefinition]) -> String? {
    let sorting = tables.flatMap(\.indexes).compactMap(\.functions).joined().compactMap { $0 }
    let searching = tables.flatMap { $0.searches ?? [] }.map(\.function)
    return sorting.first { !sortKeys.contains($0) } ?? searching.first { $0 != layout.folding.name }
  }

  // MARK: Searches

  /// Checks whether the search indexes and their triggers still exist.
  private func checkSearches(_ connection: any Connection) throws {
    guard tables.haveSearches else { return }
    let version = try connection.schemaVersion()
    if known.withLock({ $0.searchedVersion == version }) { return }
    guard try tables.withFoundSearches(connection, dialect) == tables else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "A search index was dropped or changed since the store was opened.",
        hint: "Make a new ModelContainer, which rebuilds the index. Nothing was read or written.")
    }
    known.withLock { $0.searchedVersion = version }
  }

  /// Allows triggers to write to the search indexes of the store, even if this schema has none.
  private func trustTriggers(_ connection: any Connection) throws {
    let tables = known.withLock { $0.tables }
    guard tables.haveSearches else { return }
    let version = try connection.schemaVersion()
    if known.withLock({ $0.trustedVersion == version }) { return }
    try tables.trustTriggers(connection, dialect, layout.folding)
    known.withLock { $0.trustedVersion = version }
  }

  /// Finds out whether a statement failed because the tables have another meaning now, or because a search index is missing
  /// or damaged, which it then rebuilds.
  ///
  /// - Parameter isWriting: Whether the statement wrote, and so may have used an index that it does not name.
  /// - Throws: `SwiftDataError` if so.
  func explain(_ error: DatabaseError, _ database: any Database, isWriting: Bool) throws {
    let isDamage = [.corrupt, .damagedSearch].contains(error.reason)
    guard isDamage && known.withLock({ $0.tables }).haveSearches || [.refusedByTrigger, .other].contains(error.reason)
    else { return }
    do {
      try database.read { try isDamage ? checkSearches($0) : check($0) }
    } catch is DatabaseError {
      // The statement failed for another reason.
    }
    guard isDamage else { return }
    let met = tables.flatMap { table in (table.searches ?? []).map { (table: table, search: $0) } }
      .filter { isWriting || error.sql?.contains($0.search.name) == true }
    let names: [String]
    do {
      names = try remakeDamaged(met, database, all: error.reason == .damagedSearch)
    } catch let failure as DatabaseError {
      Log.store.error("A damaged search index could not be rebuilt: \(failure)")
      return
    }
    if names.isEmpty { return }
    Log.store.error("Search indexes were damaged, and were rebuilt: \(names.joined(separator: ", "))")
    throw SwiftDataError.loadIssueModelContainer.with(
      message: "A search index was damaged, and was rebuilt: \(names.joined(separator: ", ")).",
      hint: "Repeat the operation. No model was read or written.", underlying: error)
  }

  /// Rebuilds damaged indexes. Checking an index reads all of it, so it is checked only after a statement has failed.
  ///
  /// - Parameter all: Whether one of them is known to be damaged, so that all are rebuilt without a check.
  /// - Returns: The names of the rebuilt indexes; none inside a transaction, which the check would end.
  private func remakeDamaged(
    _ searches: [(table: TableDefinition, search: TableDefinition.Search)], _ database: any Database, all: Bool
  ) throws -> [String] {
    guard let searchDialect = dialect.searches, !searches.isEmpty else { return [] }
    var damaged = searches
    var version: Int64?
    try database.withoutTransaction { connection in
      // A connection has no data version inside a transaction of this thread.
      guard connection.dataVersion != nil else {
        damaged = []
        return
      }
      let current = try connection.schemaVersion()
      version = current
      if all { return }
      // A sound index is checked once for each schema version; then the damage is elsewhere.
      let sound = known.withLock { $0.soundVersions }
      damaged = try searches.filter { sound[$0.search.name] != current }
        .filter { try !connection.isSound(search: $0.search.name) }
      let names = Set(searches.map(\.search.name)).subtracting(damaged.map(\.search.name))
      known.withLock { known in for name in names { known.soundVersions[name] = current } }
    }
    if damaged.isEmpty { return [] }
    return try database.write { connection in
      // Another connection may have rebuilt them since.
      guard try connection.schemaVersion() == version else { return [] }
      try tables.trustTriggers(connection, dialect, layout.folding)
      for (table, search) in damaged {
        for sql in searchDialect.drop(search) + searchDialect.create(search, on: table) { try connection.execute(sql) }
      }
      known.withLock { $0.generation = nil }
      return damaged.map(\.search.name)
    }
  }
}

extension TableDefinition {
  /// Whether reading and writing the table with the definition `other` keeps the meaning of its columns.
  fileprivate func serves(_ other: TableDefinition) -> Bool {
    let byName = Dictionary(columns.map { ($0.name, $0) }) { first, _ in first }
    let links = other.relationships ?? [:]
    return links.allSatisfy { relationships?[$0.key] == $0.value }
      && (other.searches ?? []).allSatisfy { searches?.contains($0) == true }
      && other.columns.allSatisfy { column in byName[column.name].map { $0.serves(column) } ?? false }
  }

  /// A property with normalized texts that the definition `other` would not normalize.
  fileprivate func normalizedProperty(unknownTo other: TableDefinition) -> String? {
    let known = Set(other.columns.filter { $0.isNormalized != true }.map(\.name))
    return columns.first { $0.isNormalized == true && known.contains($0.name) }
      .map { "\($0.owner ?? name).\($0.property?.name ?? $0.name)" }
  }
}

extension TableDefinition.Column {
  fileprivate func serves(_ other: Self) -> Bool {
    means(other) && originalName == other.originalName && owner == other.owner && isPart(ofPropertyOf: other)
      && references?.table == other.references?.table
      // A nil value is from an earlier release, which did not record files.
      && (namesFiles == other.namesFiles || namesFiles == nil || other.namesFiles == nil)
  }

  /// Whether both have the same part of one property; where one does not record its property, the names are enough.
  private func isPart(ofPropertyOf other: Self) -> Bool {
    guard let property, let others = other.property else { return true }
    return property.name == others.name && property.part == others.part
  }
}
