import Foundation
import Logging
package import Relational

import struct Synchronization.Atomic

/// A store in a relational database.
final class RelationalStore: Sendable {
  let configuration: ModelConfiguration
  let layout: StoreLayout
  let database: any Database
  let identifier: InternedString
  let shapes: StatementShapes
  /// Whether any unique values include to-ones.
  let hasConstrainedReferences: Bool
  let lastKeys = LastKeys()
  private let assignsKeys: Bool
  let predicates = PredicateCache()
  let queries = QueryCache()
  /// The indexes that predicates search texts in.
  let searches: SearchIndexes
  let saveGuard = SaveGuard()
  let lockHolder = LockHolder()
  /// Whether a commit is in progress, or contexts are not notified of it yet.
  private let isAnnouncing = Atomic<Bool>(false)
  /// Contexts were notified of all transactions up to this number.
  let notifiedNumber = Atomic<Int64>(0)
  /// The number that the history has skipped at the last erasure by this store.
  let erasureNumber = Atomic<Int64>(0)
  /// Nil in memory.
  let layoutGuard: LayoutGuard?
  /// How long the history keeps transactions.
  let retention: ModelConfiguration.HistoryRetention
  let historyShapes: HistoryShapes
  /// Identifies the records of this store among records of others in the same file.
  let origin = UInt64.random(in: .min ... .max)
  // The author of records. A stored property, because each save needs it and a global constant would be checked each time.
  let program = (process: HistoryTable.processIdentifier, bundle: HistoryTable.bundleIdentifier)
  let follower = StoreFollower()
  /// Whether others can open the store.
  let isShared: Bool
  /// Signals commits to other processes. Nil if no other process can open the store, or if there is no history.
  let signal: (any DatabaseSignal)?
  /// Nil without a file, where large values stay in their rows.
  let files: ExternalFiles?

  /// Opens the database and inspects it.
  ///
  /// - Parameters:
  ///   - route: The route of the migration, if the store has another schema.
  ///   - copy: The copy to open in place of the configuration's file.
  /// - Returns: A function that prepares the store, to call once all stores were inspected.
  /// - Throws: An error if the store cannot be prepared.
  static func opening(
    _ configuration: ModelConfiguration, schema: Schema, entities: [Int], by route: StoreRoute = .direct,
    in copy: (any StoreCopy)? = nil
  ) throws -> () throws -> RelationalStore {
    let configuration = copy?.moving(configuration) ?? configuration
    let rules = configuration.layoutRules
    let layout = StoreLayout(
      schema: schema, entities: entities, rules: rules, folding: FoldingInterception.function)
    return try describingFailures(of: configuration) {
      if configuration.hasFile, configuration.allowsSave {
        try FileManager.default.createDirectory(
          at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      let targets = try route.targets(to: schema, entities, layout, rules)
      let opened = try configuration.openDatabase(
        rules.sorting, targets.all.lazy.map(\.layout.neededFoldings).first { !$0.isEmpty } ?? [],
        isWorkingCopy: copy != nil)
      let database = DatabaseInterception.intercept(opened, of: configuration)
      // The file exists now, so links to it can be resolved.
      let files = configuration.hasFile ? copy?.file?.files ?? ExternalFiles(store: configuration.url) : nil
      let preparation = StorePreparation(database, configuration, layout, targets, files: files)
      let finding = try preparation.inspect()
      return {
        try describingFailures(of: configuration) {
          let metadata = try preparation.makeReady(finding)
          if copy == nil, configuration.allowsSave, configuration.hasFile {
            WorkingCopy.removeLeftovers(of: configuration.url)
          }
          return RelationalStore(
            configuration, preparation, metadata, try preparation.searchedTables(), isWorkingCopy: copy != nil)
        }
      }
    }
  }

  static func describingFailures<Result>(
    of configuration: ModelConfiguration, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as SwiftDataError where error != .storeFailure {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw StoreErrors.opening(configuration, error)
    }
  }

  /// - Parameter tables: The tables of the layout, with the existing search indexes.
  private init(
    _ configuration: ModelConfiguration, _ preparation: StorePreparation, _ metadata: StoreMetadata,
    _ tables: [TableDefinition], isWorkingCopy: Bool
  ) {
    self.configuration = configuration
    layout = preparation.layout
    database = preparation.database
    files = preparation.files
    identifier = InternedString(metadata.storeIdentifier)
    let shapes = StatementShapes(preparation.database.dialect, preparation.layout.tables)
    self.shapes = shapes
    assignsKeys = database.dialect.newKeys(of: "", in: LayoutNames.primaryKey) != nil
    hasConstrainedReferences = preparation.layout.all.contains { !shapes.constrainedReferences(of: $0).isEmpty }
    // No other program can change the tables of a database in memory.
    layoutGuard =
      configuration.isStoredInMemoryOnly
      ? nil : LayoutGuard(tables, preparation.layout, metadata, database.dialect)
    searches = SearchIndexes(tables)
    retention = configuration.options.history
    historyShapes = HistoryShapes(layout)
    isShared = !configuration.isStoredInMemoryOnly && !isWorkingCopy
    signal = retention.isKept && isShared ? database.signal ?? FileChangeSignal(configuration) : nil
  }

  deinit {
    files?.removeRetired(database)
  }

  var name: String { configuration.name }
  /// Whether saves are recorded in the history.
  var keepsHistory: Bool { retention.isKept }
  var debugDescription: String { configuration.debugDescription }

  /// Runs `body`, which runs one statement.
  ///
  /// - Parameter connection: The serial number of the connection to use if it is free.
  /// - Parameter isCancellable: Whether it ends when the task is cancelled, with a `CancellationError`.
  func read<Result>(
    preferring connection: Int? = nil, isCancellable: Bool = false, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    try saveGuard.check(isReading: true)
    do {
      return try database.readStatement(preferring: connection) { connection in
        // A nested read, inside the rows of another statement, has its own setting.
        let wasCancellable = connection.isCancellable
        connection.isCancellable = isCancellable
        defer { connection.isCancellable = wasCancellable }
        return try body(connection)
      }
    } catch let error as DatabaseError {
      if isCancellable, error.reason == .interrupted, Task.isCancelled { throw CancellationError() }
      try layoutGuard?.explain(error, database, isWriting: false)
      throw StoreErrors.reading(configuration, error)
    }
  }

  func close() throws {
    follower.stop()
    files?.removeRetired(database)
    do {
      try database.close()
    } catch let error as DatabaseError {
      throw SwiftDataError.storeFailure(.closing, store: configuration.name, error: error)
    }
  }

  /// Runs `body`. Reads of this thread from the store see one committed state meanwhile, and no save can write to it.
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
    try database.read { connection in
      // The first read determines the state.
      _ = try connection.tableNames()
      return try saveGuard.leaving(body)
    }
  }

  func execute(_ statements: [String]) throws {
    do {
      try database.write { connection in
        try layoutGuard?.checkForWriting(connection)
        for sql in statements { try connection.execute(sql) }
      }
    } catch let error as DatabaseError {
      throw StoreErrors.writing(configuration, error)
    }
  }

  /// The source of keys for rows written on a connection.
  func keys(on connection: any Connection) -> any KeySource {
    let recorded = KeySequences(connection, database.dialect, shapes, lastKeys)
    return assignsKeys ? AssignedKeys(connection, database.dialect, recorded, lastKeys) : recorded
  }

  func erase(announce: () -> Void) throws {
    try saveGuard.check()
    try lockHolder.check(nil)
    do {
      try commitErasure(announce)
    } catch let error as DatabaseError {
      try layoutGuard?.explain(error, database, isWriting: true)
      throw StoreErrors.writing(configuration, error)
    }
  }

  /// Runs `body` in a transaction, and then `announce`, which notifies contexts before another thread can write with this
  /// store: so contexts are notified of its commits in their order.
  ///
  /// - Parameter body: Returns the number of the transaction in the history, if it has one.
  func commit(_ body: (any Connection) throws -> Int64?, announce: () -> Void) throws {
    let number = try database.withoutTransaction { _ in
      defer { isAnnouncing.store(false, ordering: .releasing) }
      let number = try database.write { connection in
        let number = try body(connection)
        isAnnouncing.store(true, ordering: .releasing)
        return number
      }
      announce()
      if let number { recordNotified(number) }
      return number
    }
    if number != nil { signal?.ring() }
  }

  /// Whether contexts are notified of all commits of this store that a finished read can have seen.
  var hasAnnouncedCommits: Bool { !isAnnouncing.load(ordering: .acquiring) }

  private func commitErasure(_ announce: () -> Void) throws {
    var obsoleteFiles: [String] = []
    var historyNumber: Int64?
    try commit { connection in
      try layoutGuard?.checkForWriting(connection)
      let sequences = keys(on: connection)
      for table in layout.tables where table.compositePrimaryKey.isEmpty { try sequences.retireAll(of: table.name) }
      if try HistoryTable.inspect(connection, database.dialect) == .table {
        historyNumber = try HistoryTable.deleteAll(sequences, connection, database.dialect)
      }
      try sequences.finish()
      obsoleteFiles = try fileNames(connection)
      for table in layout.tables.reversed() {
        try connection.run(database.dialect.render(Delete(from: table.name)))
      }
      return historyNumber
    } announce: {
      if let historyNumber { erasureNumber.store(historyNumber, ordering: .releasing) }
      announce()
    }
    files?.retire(obsoleteFiles, database)
  }

  /// The files that rows name. The folder may also have files of tables that a larger schema has added.
  private func fileNames(_ connection: any Connection) throws -> [String] {
    if files == nil { return [] }
    // Entities that share a table have columns in common.
    let queries = layout.all.reduce(into: Set<RenderedStatement>()) { queries, entity in
      for column in entity.externalColumns { queries.insert(database.dialect.render(entity.fileNames(in: column))) }
    }
    let archived = try? StoreMetadata(reading: connection, database.dialect)?.archivedValues()
    return try database.fileNames(queries, archived: archived ?? [], connection)
  }
}

/// Lets tests wrap the database of a store, for example to make calls fail.
package enum DatabaseInterception {
  @TaskLocal package static var wrap: (@Sendable (any Database) -> any Database)?
  /// Whether the container follows commits of others with a wrapped database too, which adds calls at any time.
  @TaskLocal package static var followsOthers = false
  /// Does what `wrap` does, for the stores of some configurations.
  @TaskLocal package static var wrapStore: (@Sendable (any Database, ModelConfiguration) -> any Database)?
  static var isFollowed: Bool { wrap == nil && wrapStore == nil || followsOthers }

  static func intercept(_ database: any Database, of configuration: ModelConfiguration) -> any Database {
    wrapStore?(database, configuration) ?? wrap?(database) ?? database
  }
}

/// Lets tests count statements, and see their log.
enum StatementObservation {
  @TaskLocal static var observer: (@Sendable (String) -> Void)?
  @TaskLocal static var logger: Logger?
}
