import FileWatching
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
  /// Whether to-ones are part of unique values anywhere.
  let hasConstrainedReferences: Bool
  let lastKeys = LastKeys()
  let predicates = PredicateCache()
  let queries = QueryCache()
  /// What predicates look texts up in.
  let searches: SearchIndexes
  let saveGuard = SaveGuard()
  let lockHolder = LockHolder()
  /// Whether a commit is being made, or was made and contexts are not notified yet.
  private let isAnnouncing = Atomic<Bool>(false)
  /// The number of a transaction: of all up to that one, all contexts were told.
  let notifiedNumber = Atomic<Int64>(0)
  /// The number that the history has not given out because this store was erased last.
  let erasureNumber = Atomic<Int64>(0)
  /// Nil in memory.
  let layoutGuard: LayoutGuard?
  /// What is recorded of saves, and for how long.
  let retention: ModelConfiguration.HistoryRetention
  let historyShapes: HistoryShapes
  /// Tells the records of this store from those that others make of the same file.
  let origin = UInt64.random(in: .min ... .max)
  /// What records say of who made them. Asked for with each save, and a global constant asks whether it is there.
  let program = (process: HistoryTable.processIdentifier, bundle: HistoryTable.bundleIdentifier)
  let follower = StoreFollower()
  /// Whether others can have the store open.
  let isShared: Bool
  /// What tells others of commits. Nil where nobody else can have the store, or finds out what was committed.
  let signal: FileSignal?
  /// Nil in memory, where large values stay in their rows.
  let files: ExternalFiles?

  /// Opens the database and looks at it.
  ///
  /// - Parameters:
  ///   - route: How it comes to the schema if it has another one.
  ///   - copy: What is opened in place of the file that the configuration names.
  /// - Returns: What makes it ready, for when nothing stands in the way of other stores either.
  /// - Throws: Why it cannot be made ready.
  static func opening(
    _ configuration: ModelConfiguration, schema: Schema, entities: [Int], by route: StoreRoute = .direct,
    in copy: WorkingCopy? = nil
  ) throws -> () throws -> RelationalStore {
    let configuration = copy.map { configuration.moved(to: $0.url) } ?? configuration
    let sorting = TextSortingInterception.sorting ?? .current
    let layout = StoreLayout(
      schema: schema, entities: entities, sorting: sorting, folding: FoldingInterception.function)
    return try describingFailures(of: configuration) {
      if !configuration.isStoredInMemoryOnly, configuration.allowsSave {
        try FileManager.default.createDirectory(
          at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      let targets = try route.targets(to: schema, entities, layout, sorting)
      let opened = try configuration.openDatabase(
        sorting, targets.all.lazy.map(\.layout.neededFoldings).first { !$0.isEmpty } ?? [], isWorkingCopy: copy != nil)
      let database = DatabaseInterception.wrap?(opened) ?? opened
      // Now that there is a file, links to it lead somewhere.
      let files = configuration.isStoredInMemoryOnly ? nil : copy?.files ?? ExternalFiles(store: configuration.url)
      let preparation = StorePreparation(database, configuration, layout, targets, files: files)
      let finding = try preparation.look()
      return {
        try describingFailures(of: configuration) {
          let metadata = try preparation.makeReady(finding)
          if copy == nil, configuration.allowsSave, !configuration.isStoredInMemoryOnly {
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

  /// - Parameter tables: Those of the layout, with the indexes for searches that are there.
  private init(
    _ configuration: ModelConfiguration, _ preparation: StorePreparation, _ metadata: StoreMetadata,
    _ tables: [TableDefinition], isWorkingCopy: Bool
  ) {
    self.configuration = configuration
    layout = preparation.layout
    database = preparation.database
    files = preparation.files
    identifier = InternedString(metadata.storeIdentifier)
    let shapes = StatementShapes(preparation.database.dialect)
    self.shapes = shapes
    hasConstrainedReferences = preparation.layout.all.contains { !shapes.constrainedReferences(of: $0).isEmpty }
    // No other program can change the tables of a database in memory.
    layoutGuard =
      configuration.isStoredInMemoryOnly
      ? nil : LayoutGuard(tables, preparation.layout, metadata, database.dialect)
    searches = SearchIndexes(tables)
    retention = configuration.options.history
    historyShapes = HistoryShapes(layout)
    isShared = !configuration.isStoredInMemoryOnly && !isWorkingCopy
    signal = retention.isKept && isShared ? Self.signal(of: configuration) : nil
  }

  deinit {
    files?.removeRetired(database)
  }

  var name: String { configuration.name }
  /// Whether what is saved is recorded.
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
        // What is read while the rows of another statement are received is a matter of its own.
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

  /// Runs `body`. What this thread reads from the store meanwhile is what is committed now, and nobody can save to it.
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
    try database.read { connection in
      // A state is chosen by whoever reads first.
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

  /// What gives out keys for the rows that are written on a connection.
  func keys(on connection: any Connection) -> any KeySource {
    KeySequences(connection, database.dialect, shapes, lastKeys)
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

  /// Runs `body` in a transaction, and then `announce`, which notifies contexts of the commit before another thread can
  /// write by this store: so contexts are notified of its commits in their order.
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

  /// Whether contexts are notified of all commits of this store that a read can have seen which has ended.
  var hasAnnouncedCommits: Bool { !isAnnouncing.load(ordering: .acquiring) }

  private func commitErasure(_ announce: () -> Void) throws {
    var obsoleteFiles: [String] = []
    var historyNumber: Int64?
    try commit { connection in
      try layoutGuard?.checkForWriting(connection)
      let sequences = keys(on: connection)
      for table in layout.tables where table.compositePrimaryKey.isEmpty { try sequences.retireAll(of: table.name) }
      if try HistoryTable.look(connection, database.dialect) == .table {
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

  /// The files that rows name. The folder may have others: those of tables that somebody with a larger schema added.
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

/// Lets tests put something of theirs between a store and its database: one whose calls fail, say.
package enum DatabaseInterception {
  @TaskLocal package static var wrap: (@Sendable (any Database) -> any Database)?
  /// Whether what others commit is looked for through such a database as well: in calls that come at any time.
  @TaskLocal package static var followsOthers = false
  static var isFollowed: Bool { wrap == nil || followsOthers }
}

/// Lets tests count the statements that reach a database, and see what is logged of them.
enum StatementObservation {
  @TaskLocal static var observer: (@Sendable (String) -> Void)?
  @TaskLocal static var logger: Logger?
}
