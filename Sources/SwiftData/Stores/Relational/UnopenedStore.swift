import Foundation
import Relational

/// The file of a store, before the route of its migration is chosen.
///
/// The store is unchanged until `revise`.
final class UnopenedStore {
  let configuration: ModelConfiguration
  /// The version hash of the recorded schema.
  let schemaHash: String
  let schemaVersion: String
  /// Nil in a store of an early release, which did not record it.
  let schema: Schema?
  /// The names of the entities that the store has tables of; empty where an early release did not record them.
  let entityNames: Set<String>
  /// The identifier in the metadata when the file was opened.
  let layoutIdentifier: String?
  private let database: any Database
  private let tables: [TableDefinition]

  /// - Parameter isOnlyRead: Whether nothing will be written.
  /// - Returns: Nil if there is no store, or for one in memory.
  /// - Throws: An error if the file is no store, or one of a later format.
  init?(_ configuration: ModelConfiguration, isOnlyRead: Bool = false) throws {
    if configuration.isStoredInMemoryOnly { return nil }
    if configuration.hasFile, !FileManager.default.fileExists(atPath: configuration.url.path) { return nil }
    let opened = try RelationalStore.describingFailures(of: configuration) {
      let opened = try (isOnlyRead ? configuration.onlyRead : configuration).openDatabase()
      let database = DatabaseInterception.intercept(opened, of: configuration)
      let metadata = try database.read { connection -> StoreMetadata? in
        guard let metadata = try StoreMetadata(reading: connection, database.dialect) else { return nil }
        try StoreOpening.check(metadata)
        return metadata
      }
      return try metadata.map { (database: database, metadata: $0, tables: try $0.layout()) }
    }
    guard let opened else { return nil }
    self.configuration = configuration
    database = opened.database
    tables = opened.tables
    schemaHash = opened.metadata.schemaHash
    schemaVersion = opened.metadata.schemaVersion
    layoutIdentifier = opened.metadata.layoutIdentifier
    schema = opened.metadata.schema
    entityNames = schema.map { Set($0.entitiesByName.keys) } ?? Set(tables.compactMap(\.kinds).joined())
  }

  /// How many steps take the store to a schema if all only add tables, columns and indexes; nil otherwise.
  ///
  /// - Parameter entities: The positions in the schema of the entities in the store.
  func additions(for schema: Schema, _ entities: [Int]) -> Int? {
    let layout = StoreLayout(
      schema: schema, entities: entities, rules: configuration.layoutRules, folding: FoldingInterception.function)
    guard case .success(let steps) = LayoutChange.changes(from: tables, to: layout.tables),
      steps.allSatisfy(\.isAddition)
    else { return nil }
    return steps.count
  }

  /// Lets `body` change a copy of the store, and replace the store by the copy: completely or, if it throws, not at all.
  /// Other processes can read the store meanwhile; their saves wait.
  func revise(_ body: (RevisedStore) throws -> Void) throws {
    let copy = configuration.workingCopy()
    do {
      try describingFailures {
        try database.revise {
          // Another process may have ended just now, and its commit has to be finished first.
          if try CommitRecovery.isNeeded([configuration]) { throw Overtaken() }
          try copy.prepare()
          return copy.path
        } _: {
          try body(RevisedStore(store: self, copy: copy, revision: $0))
        }
      }
      copy.remove()
    } catch {
      copy.discard()
      throw error
    }
  }

  /// Lets `body` replace the store by a copy that an ended program has made.
  ///
  /// - Parameter body: Called with the digest of the present store.
  func resume(_ copy: WorkingCopy, _ body: (RevisedStore, UInt64) throws -> Void) throws {
    let present = copy.folder.appendingPathComponent("present.store", isDirectory: false)
    defer { try? FileManager.default.removeItem(at: present) }
    try describingFailures {
      try database.revise {
        // A leftover of an ended attempt.
        try? FileManager.default.removeItem(at: present)
        return present.path
      } _: {
        try body(RevisedStore(store: self, copy: copy, revision: $0), ContentDigest.of(present))
      }
    }
  }

  /// Whether the tables are unchanged since the file was opened.
  func isCurrent() throws -> Bool {
    try reading { _, metadata in metadata.layoutIdentifier == layoutIdentifier }
  }

  /// Copies the store with its files into a folder, which is created if it is missing.
  ///
  /// - Returns: A function that removes the copy.
  func backUp(into folder: URL) throws -> () -> Void {
    let time = ISO8601DateFormatter.string(
      from: .now, timeZone: .gmt, formatOptions: [.withFullDate, .withTime, .withTimeZone])
    let name = "\(configuration.name) \(schemaVersion) \(time) \(UUID().uuidString.prefix(8)).store"
    let url = folder.appendingPathComponent(name, isDirectory: false)
    try RelationalStore.describingFailures(of: configuration) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try backUp(to: url)
    return {
      try? FileManager.default.removeItem(at: url)
      try? FileManager.default.removeItem(at: ExternalFiles(store: url).supportFolder)
    }
  }

  /// Copies the store with its files to a new file.
  func backUp(to url: URL) throws {
    let files = ExternalFiles(store: configuration.url)
    try StoreBackup(database: database, files: files, name: configuration.name, tables: tables).write(to: url)
  }

  /// Lets `body` change a copy of the store, which is removed afterwards: that of a file is in the temporary folder.
  func rehearse(_ body: (any StoreCopy) throws -> Void) throws {
    let copy = configuration.workingCopy(isRehearsal: true)
    defer { copy.remove() }
    try describingFailures {
      try copy.prepare()
      try database.read { connection in
        try connection.makeWorkingCopy(at: copy.path)
        // Files that this state names are not removed during the read.
        try body(copy)
      }
    }
  }

  /// The error when the store has changed since it was inspected.
  struct Overtaken: Error {}

  func describingFailures<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw error.reason == .overtaken ? Overtaken() : StoreErrors.opening(configuration, error)
    } catch {
      // Errors of a stage's code are rethrown unchanged.
      throw error is POSIXError ? StoreErrors.opening(configuration, error) : error
    }
  }

  func reading<Result>(_ body: (any Connection, StoreMetadata) throws -> Result) throws -> Result {
    try RelationalStore.describingFailures(of: configuration) {
      try database.read { connection in
        guard let metadata = try StoreMetadata(reading: connection, database.dialect) else {
          throw StoreOpening.refusal("The file is no store any more.", "Restore a copy.")
        }
        return try body(connection, metadata)
      }
    }
  }

  var dialect: any Dialect { database.dialect }

  /// The size of the file and its log in bytes; zero on a server.
  var byteCount: Int64 {
    guard configuration.hasFile else { return 0 }
    let path = configuration.url.withoutLinks.path
    return [path, path + "-wal"].reduce(0) { sum, path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }

  func close() {
    try? database.close()
  }
}

extension RevisedStore {
  /// Marks the tables of the copy as changed, and also the meaning of values if code has run: containers that have an older
  /// version of the store open stop using it then.
  ///
  /// - Returns: The new layout identifier of the copy.
  @discardableResult func markChanged(meansOther: Bool) throws -> String {
    let configuration = copy.moving(store.configuration)
    let identifier = UUID().uuidString
    try RelationalStore.describingFailures(of: configuration) {
      let database = try configuration.openDatabase(isWorkingCopy: true)
      try database.write { connection in
        guard var metadata = try StoreMetadata(reading: connection, database.dialect) else {
          throw StoreOpening.refusal("A stage has removed the store's metadata.", "The store was not changed.")
        }
        metadata.layoutIdentifier = identifier
        if meansOther { metadata.revisionIdentifier = identifier }
        try metadata.write(to: connection, database.dialect)
      }
      try database.close()
    }
    return identifier
  }
}

extension LayoutChange {
  /// Whether the step leaves existing rows unchanged.
  fileprivate var isAddition: Bool {
    switch self {
    case .createTable, .addColumn, .describeTable, .createIndex: true
    default: keepsModels
    }
  }
}
