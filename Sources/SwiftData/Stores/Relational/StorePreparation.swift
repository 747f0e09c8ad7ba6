import Foundation
import Relational

/// Prepares a database for a container, in two steps. `inspect` changes nothing. `makeReady` creates the tables, or migrates
/// the store, once the container's other stores have no obstacles either.
struct StorePreparation {
  let database: any Database
  let layout: StoreLayout
  let files: ExternalFiles?
  private let configuration: ModelConfiguration
  private let record: SchemaRecord
  private let opening: StoreOpening
  private let migration: StoreMigration

  /// - Parameters:
  ///   - layout: The layout of the last target.
  ///   - targets: The successive schemas of the migration.
  init(
    _ database: any Database, _ configuration: ModelConfiguration, _ layout: StoreLayout, _ targets: MigrationTargets,
    files: ExternalFiles?
  ) {
    self.database = database
    self.configuration = configuration
    self.layout = layout
    self.files = files
    record = targets.last.record
    opening = StoreOpening(record: record, tables: layout.tables, dialect: database.dialect)
    migration = StoreMigration(database: database, targets: targets, files: files)
  }

  private var allowsSave: Bool { configuration.allowsSave || configuration.isStoredInMemoryOnly }
  private var keepsHistory: Bool { configuration.options.history.isKept }

  /// Finds out what has to be done, without changes.
  ///
  /// - Throws: The obstacles.
  func inspect() throws -> StoreOpening.Finding {
    let finding = try database.read { connection -> StoreOpening.Finding in
      let finding = try opening.inspectStore(connection)
      if allowsSave {
        try checkTriggers(finding, connection)
        _ = try isHistoryReady(connection)
      }
      guard case .outdated(let metadata) = finding else { return finding }
      let isReady =
        try allowsSave
        ? !migration.isNeeded(metadata, connection) : migration.isReadable(metadata, connection)
      return isReady ? .ready(metadata) : finding
    }
    if case .ready = finding { return finding }
    guard allowsSave else {
      throw StoreOpening.refusal(
        "The store does not have the schema of the container, and it is read-only.",
        "Open it once with allowsSave: true.")
    }
    return finding
  }

  /// Refuses unknown triggers where those of search indexes will be trusted.
  private func checkTriggers(_ finding: StoreOpening.Finding, _ connection: any Connection) throws {
    guard layout.tables.haveSearches else { return }
    switch finding {
    case .ready(let metadata), .outdated(let metadata):
      try FoundSearches(connection, database.dialect)?.checkTriggerNames(layout.tables + metadata.layout())
    case .missing: break
    }
  }

  /// The tables with the search indexes that can be used now.
  func searchedTables() throws -> [TableDefinition] {
    guard layout.tables.haveSearches else { return layout.tables }
    return try database.read { try layout.tables.withFoundSearches($0, database.dialect) }
  }

  /// Does what `inspect` has found.
  ///
  /// - Returns: The metadata of the store.
  func makeReady(_ finding: StoreOpening.Finding) throws -> StoreMetadata {
    do {
      return try change(finding)
    } catch is UnopenedStore.Overtaken {
      try CommitRecovery.run([configuration])
      return try makeReady(inspect())
    }
  }

  private func change(_ finding: StoreOpening.Finding) throws -> StoreMetadata {
    switch finding {
    case .ready(let metadata):
      try removeUnreferencedFiles(metadata)
      try prepareHistory()
      return metadata
    case .missing:
      // Another process may have created the store since; then it is prepared like any other.
      return try createIfMissing() ?? makeReady(inspect())
    case .outdated:
      let written = try migration.execute(begin: checkCommits, finish: prepareHistory)
      guard let written else { return try makeReady(inspect()) }
      files?.retire(written.obsoleteFiles, database)
      return written.metadata
    }
  }

  /// Throws if another process was about to change the store together with others, which may have changed already.
  ///
  /// It has to be called with the lock, because a process that has just ended held it before. The commit can be finished, or
  /// waited for, only after the lock is released.
  private func checkCommits() throws {
    if try CommitRecovery.isNeeded([configuration]) { throw UnopenedStore.Overtaken() }
  }

  /// - Returns: The metadata of the new store; nil if there is one already.
  private func createIfMissing() throws -> StoreMetadata? {
    try database.write { connection -> StoreMetadata? in
      if try StoreMetadata(reading: connection, database.dialect) != nil { return nil }
      try StoreOpening.inspect(connection, database.dialect)
      var statements = StoreMetadata.tables(database.dialect) + layout.tables.flatMap(database.dialect.createTable)
      if keepsHistory { statements += database.dialect.createTable(HistoryTable.definition) }
      try connection.execute(statements.joined(separator: ";\n"))
      try layout.tables.trustTriggers(connection, database.dialect, layout.folding)
      try connection.finishTableChanges(of: layout.tables)
      let metadata = try StoreMetadata(storeIdentifier: UUID().uuidString, record)
      try metadata.write(to: connection, database.dialect)
      return metadata
    }
  }

  /// Creates the table of the history, or empties it for a container that keeps none.
  private func prepareHistory() throws {
    guard allowsSave, try !database.read(isHistoryReady) else { return }
    try database.write { connection in
      try checkCommits()
      try prepareHistory(connection)
    }
  }

  private func prepareHistory(_ connection: any Connection) throws {
    if try isHistoryReady(connection) { return }
    let dialect = database.dialect
    let sequences = sequences(connection)
    if keepsHistory {
      for sql in dialect.createTable(HistoryTable.definition) { try connection.execute(sql) }
      try HistoryTable.begin(sequences, connection, dialect)
    } else {
      try HistoryTable.pause(sequences, connection, dialect)
    }
    try sequences.finish()
  }

  private func isHistoryReady(_ connection: any Connection) throws -> Bool {
    switch try HistoryTable.inspect(connection, database.dialect) {
    case .nothing:
      return !keepsHistory
    case .other:
      guard keepsHistory else { return true }
      throw StoreOpening.refusal(
        "The table \(HistoryTable.name) of the store is no history.",
        "Remove the table, or turn the history off; the store was not changed.")
    case .table:
      return try keepsHistory || HistoryTable.isPaused(sequences(connection), connection, database.dialect)
    }
  }

  private func sequences(_ connection: any Connection) -> KeySequences {
    KeySequences(connection, database.dialect, StatementShapes(database.dialect, []), LastKeys())
  }

  /// - Parameter found: The metadata when the store was found ready.
  private func removeUnreferencedFiles(_ found: StoreMetadata) throws {
    guard allowsSave, let files, FileManager.default.fileExists(atPath: files.folder.path) else { return }
    let columns = layout.all.flatMap { entity in
      entity.properties.compactMap { property -> (table: String, column: String)? in
        // Regardless of its options now, because values written before stay in their files.
        guard case .attribute(let coding, let columns, _) = property.storage, columns.count == 1,
          coding.columnType == .blob
        else { return nil }
        return (entity.table, columns[0])
      }
    }
    let unreferenced = try database.write { connection -> [String] in
      // Another process may have migrated the store since, to tables whose files these columns do not name.
      guard let metadata = try StoreMetadata(reading: connection, database.dialect),
        metadata.layoutText == found.layoutText
      else { return [] }
      guard let values = try? metadata.archivedValues() else { return [] }
      let archived = try ArchivedValues.existing(values, connection)
      return try files.unreferenced(
        connection, database.dialect,
        columns + archived.flatMap { values in values.fileColumns.map { (values.table, $0) } })
    }
    files.retire(unreferenced, database)
  }
}
