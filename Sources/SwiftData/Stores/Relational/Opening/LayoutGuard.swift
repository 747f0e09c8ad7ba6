import Relational
import Support

/// Notices that somebody has given tables of an open store another meaning: another program, say, that has a later version
/// of the schema. What is read or written by the old one would be taken for something else.
final class LayoutGuard: Sendable {
  /// The tables as this store was opened with them, with the indexes for searches that it goes by.
  private let tables: [TableDefinition]
  private let dialect: any Dialect
  private let identifierQuery: RenderedStatement
  /// The orders of text whose keys indexes may have.
  private let sortKeys: Set<String>
  private let layout: StoreLayout
  /// What the store said when it was ready.
  private let revisionIdentifier: String?
  private let known: Mutex<Known>

  private struct Known {
    var layoutIdentifier: String?
    /// The tables as the store has them.
    var tables: [TableDefinition]
    /// The number of the tables and triggers with which indexes for searches were found whole.
    var searchedVersion: Int64?
    /// The same, when an index was read after damage and found sound, by its name.
    var soundVersions: [String: Int64] = [:]
    /// The same, when triggers were trusted last.
    var trustedVersion: Int64?
    /// The connection's number for the time in which it has been the only one that wrote.
    var generation: UInt64?
    /// The state of the database in which each connection saw last that all is well.
    var soundStates: [Int: UInt32] = [:]
    /// A function that an index has and this process lacks.
    var missingFunction: String?
    /// A property whose texts have one form by now, which this store would not give them.
    var normalizedProperty: String?
  }

  /// - Parameters:
  ///   - tables: Those of the layout, with the indexes for searches that are there.
  ///   - metadata: What the store said about itself when it was ready.
  init(_ tables: [TableDefinition], _ layout: StoreLayout, _ metadata: StoreMetadata, _ dialect: any Dialect) {
    self.tables = tables
    sortKeys = Set(layout.sorting.functions.map(\.name))
    self.layout = layout
    self.dialect = dialect
    revisionIdentifier = metadata.revisionIdentifier
    identifierQuery = dialect.render(StoreMetadata.layoutIdentifierQuery)
    known = Mutex(Known(layoutIdentifier: metadata.layoutIdentifier, tables: tables))
  }

  /// Looks at the store in a transaction that writes, unless nobody else has written to it since the last time.
  ///
  /// - Throws: `SwiftDataError` when the tables mean something else by now, have indexes by other rules, or have unique
  ///   texts where this store knows of none.
  func checkForWriting(_ connection: any Connection) throws {
    let generation = connection.writeGeneration
    if known.withLock({ $0.generation == generation }) { return }
    try check(connection)
    let (function, property) = known.withLock { ($0.missingFunction, $0.normalizedProperty) }
    if let function {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: """
          The indexes of texts were made anew since the store was opened, by a program with another locale or release: \
          they have the function \(function), which is not known here.
          """,
        hint: "Make a new ModelContainer, and let programs that share a store have one locale. Nothing was written.")
    }
    if let property {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: """
          The texts of \(property) became unique values since the store was opened, by a program with another schema: \
          those that Swift takes for equal are the same bytes by now.
          """,
        hint: "Make a new ModelContainer with a schema in which they are unique. Nothing was written.")
    }
    try trustTriggers(connection)
    known.withLock { $0.generation = generation }
  }

  /// Looks at the store, unless the connection saw the same state the last time, for whatever context.
  ///
  /// - Parameter state: What the connection has for `dataVersion`.
  /// - Throws: As `checkForWriting`.
  func check(_ connection: any Connection, in state: UInt32) throws {
    let serial = connection.serial
    if known.withLock({ $0.soundStates[serial] == state }) { return }
    try check(connection)
    known.withLock {
      // Of connections that are closed nobody tells.
      if $0.soundStates.count >= 32 { $0.soundStates.removeAll() }
      $0.soundStates[serial] = state
    }
  }

  /// - Throws: As `checkForWriting`.
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

  /// Looks whether the indexes for searches are still there, and kept up by whoever writes.
  private func checkSearches(_ connection: any Connection) throws {
    guard tables.haveSearches else { return }
    let version = try connection.schemaVersion()
    if known.withLock({ $0.searchedVersion == version }) { return }
    guard try tables.withFoundSearches(connection, dialect) == tables else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "An index for searches was dropped or changed since the store was opened.",
        hint: "Make a new ModelContainer, which makes the index anew. Nothing was read or written.")
    }
    known.withLock { $0.searchedVersion = version }
  }

  /// Lets triggers write to the indexes for searches that the store has, also where this schema has none.
  private func trustTriggers(_ connection: any Connection) throws {
    let tables = known.withLock { $0.tables }
    guard tables.haveSearches else { return }
    let version = try connection.schemaVersion()
    if known.withLock({ $0.trustedVersion == version }) { return }
    try tables.trustTriggers(connection, dialect, layout.folding)
    known.withLock { $0.trustedVersion = version }
  }

  /// Finds out whether a statement failed because the tables mean something else by now, or an index for searches is not
  /// there any more, or is damaged.
  ///
  /// - Parameter isWriting: Whether it wrote, and so may have met an index which it does not name.
  /// - Throws: `SwiftDataError` if so.
  func explain(_ error: DatabaseError, _ database: any Database, isWriting: Bool) throws {
    let isDamage = [.corrupt, .damagedSearch].contains(error.reason)
    guard isDamage && known.withLock({ $0.tables }).haveSearches || [.refusedByTrigger, .other].contains(error.reason)
    else { return }
    do {
      try database.read { try isDamage ? checkSearches($0) : check($0) }
    } catch is DatabaseError {
      // There are other reasons as well.
    }
    guard isDamage else { return }
    let met = tables.flatMap { table in (table.searches ?? []).map { (table: table, search: $0) } }
      .filter { isWriting || error.sql?.contains($0.search.name) == true }
    let names: [String]
    do {
      names = try remakeDamaged(met, database, all: error.reason == .damagedSearch)
    } catch let failure as DatabaseError {
      Log.store.error("A damaged index for searches could not be made anew: \(failure)")
      return
    }
    if names.isEmpty { return }
    Log.store.error("Indexes for searches were damaged, and were made anew: \(names.joined(separator: ", "))")
    throw SwiftDataError.loadIssueModelContainer.with(
      message: "An index for searches was damaged, and was made anew: \(names.joined(separator: ", ")).",
      hint: "Do the same again. No model was read or written.", underlying: error)
  }

  /// Makes indexes anew that cannot be read. Damage deep inside is seen only where it is met, and looking for it each time
  /// would take reading all of an index.
  ///
  /// - Parameter all: Whether one of them is known to be damaged that need not look so.
  /// - Returns: The names of those that were made anew; none inside a transaction, which looking would end.
  private func remakeDamaged(
    _ searches: [(table: TableDefinition, search: TableDefinition.Search)], _ database: any Database, all: Bool
  ) throws -> [String] {
    guard let searchDialect = dialect.searches, !searches.isEmpty else { return [] }
    var damaged = searches
    var version: Int64?
    try database.withoutTransaction { connection in
      // There is none inside a transaction of this thread.
      guard connection.dataVersion != nil else {
        damaged = []
        return
      }
      let current = try connection.schemaVersion()
      version = current
      if all { return }
      // Each is read once: what is damaged when it is sound is something else.
      let sound = known.withLock { $0.soundVersions }
      damaged = try searches.filter { sound[$0.search.name] != current }
        .filter { try !connection.isSound(search: $0.search.name) }
      let names = Set(searches.map(\.search.name)).subtracting(damaged.map(\.search.name))
      known.withLock { known in for name in names { known.soundVersions[name] = current } }
    }
    if damaged.isEmpty { return [] }
    return try database.write { connection in
      // Somebody else may have made them anew since.
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
  /// Whether somebody who knows the table as `other` reads and writes what the same names mean here.
  fileprivate func serves(_ other: TableDefinition) -> Bool {
    let byName = Dictionary(columns.map { ($0.name, $0) }) { first, _ in first }
    let links = other.relationships ?? [:]
    return links.allSatisfy { relationships?[$0.key] == $0.value }
      && (other.searches ?? []).allSatisfy { searches?.contains($0) == true }
      && other.columns.allSatisfy { column in byName[column.name].map { $0.serves(column) } ?? false }
  }

  /// A property whose texts have one form here, and any for somebody who knows the table as `other`.
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
      // What says nothing of files is of an earlier release.
      && (namesFiles == other.namesFiles || namesFiles == nil || other.namesFiles == nil)
  }

  /// Whether both have the same part of one property; where one does not say, its name has to do.
  private func isPart(ofPropertyOf other: Self) -> Bool {
    guard let property, let others = other.property else { return true }
    return property.name == others.name && property.part == others.part
  }
}
