import Foundation
import Relational

/// A store's file, before it is decided by which way it comes to the schema that it is opened with.
///
/// Nothing about the store changes before `revise`.
final class UnopenedStore {
  let configuration: ModelConfiguration
  /// What the store says of its schema.
  let schemaHash: String
  let schemaVersion: String
  /// Nil where an early release wrote the store, which did not say.
  let schema: Schema?
  /// The names of the entities of which the store has tables; empty where an early release did not say.
  let entityNames: Set<String>
  /// That of the store's metadata when it was looked at.
  let layoutIdentifier: String?
  private let database: any Database
  private let tables: [TableDefinition]

  /// - Returns: Nil where there is no store, or one in memory.
  /// - Throws: Why the file is no store that this release knows.
  ///
  /// - Parameter isOnlyRead: Whether nothing will be asked that writes.
  init?(_ configuration: ModelConfiguration, isOnlyRead: Bool = false) throws {
    guard !configuration.isStoredInMemoryOnly, FileManager.default.fileExists(atPath: configuration.url.path) else {
      return nil
    }
    let opened = try RelationalStore.describingFailures(of: configuration) {
      let opened = try (isOnlyRead ? configuration.onlyRead : configuration).openDatabase(.current, [])
      let database = DatabaseInterception.wrap?(opened) ?? opened
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

  /// Whether all that takes the store to a schema is new tables, columns and indexes; nil where it is not.
  ///
  /// - Parameter entities: The positions in the schema of the entities that the store holds.
  /// - Returns: How many of them.
  func additions(for schema: Schema, _ entities: [Int]) -> Int? {
    let layout = StoreLayout(schema: schema, entities: entities, folding: FoldingInterception.function)
    guard case .success(let steps) = LayoutChange.changes(from: tables, to: layout.tables),
      steps.allSatisfy(\.isAddition)
    else { return nil }
    return steps.count
  }

  /// Lets `body` change a copy of the store, and put what the copy has become in the place of the store: all of it or,
  /// when this throws, nothing. Others can read the store meanwhile, and wait with what they save.
  func revise(_ body: (RevisedStore) throws -> Void) throws {
    let copy = WorkingCopy(of: configuration.url)
    do {
      try describingFailures {
        try database.revise {
          WorkingCopy.removeLeftovers(of: configuration.url)
          // Somebody may have ended just now whose work has to be finished first.
          if try CommitRecovery.isNeeded([configuration]) { throw Overtaken() }
          try copy.makeFolder()
          return copy.url.path
        } _: {
          try body(RevisedStore(store: self, copy: copy, revision: $0))
        }
      }
      copy.remove()
    } catch {
      if CommitRecord.isCommitted(beside: copy) {
        copy.leave()
      } else {
        copy.files.removeWritten()
        copy.remove()
      }
      throw error
    }
  }

  /// Lets `body` put a copy in the place of the store that an ended program has made of it.
  ///
  /// - Parameter body: Gets the digest of what the store has now.
  func resume(_ copy: WorkingCopy, _ body: (RevisedStore, UInt64) throws -> Void) throws {
    let present = copy.folder.appendingPathComponent("present.store", isDirectory: false)
    defer { try? FileManager.default.removeItem(at: present) }
    try describingFailures {
      try database.revise {
        // Whoever tried before may have ended as well.
        try? FileManager.default.removeItem(at: present)
        return present.path
      } _: {
        try body(RevisedStore(store: self, copy: copy, revision: $0), ContentDigest.of(present))
      }
    }
  }

  /// Whether nobody has changed the tables since the store was looked at.
  func isCurrent() throws -> Bool {
    try reading { _, metadata in metadata.layoutIdentifier == layoutIdentifier }
  }

  /// Copies the store, with its files, into a folder, which is made where it is missing.
  ///
  /// - Returns: What removes the copy again.
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

  /// Copies the store, with its files, to a file that is not there yet.
  func backUp(to url: URL) throws {
    let files = ExternalFiles(store: configuration.url)
    try StoreBackup(database: database, files: files, name: configuration.name, tables: tables).write(to: url)
  }

  /// Lets `body` change a copy of the store in the temporary folder, which goes afterwards with all that was written.
  func rehearse(_ body: (WorkingCopy) throws -> Void) throws {
    let copy = WorkingCopy(of: configuration.url, in: FileManager.default.temporaryDirectory)
    defer { copy.remove() }
    try describingFailures {
      try copy.makeFolder()
      try database.read { connection in
        try connection.copy(to: copy.url.path)
        // Files that this state names are not removed as long as somebody reads it.
        try body(copy)
      }
    }
  }

  /// The store has changed at the last moment.
  struct Overtaken: Error {}

  func describingFailures<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw error.reason == .overtaken ? Overtaken() : StoreErrors.opening(configuration, error)
    } catch {
      // What is thrown by code of a stage goes on as it is.
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

  /// How many bytes the file and its log have.
  var byteCount: Int64 {
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

extension WorkingCopy {
  /// Lets the tables count as changed, and with them what values mean where code has run: nobody who has an older version
  /// of the store open goes on with it then.
  ///
  /// - Returns: What tells the copy from what the store was.
  @discardableResult func markChanged(meansOther: Bool) throws -> String {
    let configuration = ModelConfiguration(url: url)
    let identifier = UUID().uuidString
    try RelationalStore.describingFailures(of: configuration) {
      let database = try configuration.openDatabase(.current, [], isWorkingCopy: true)
      try database.write { connection in
        guard var metadata = try StoreMetadata(reading: connection, database.dialect) else {
          throw StoreOpening.refusal("A stage has made something else of the store.", "The store was not changed.")
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
  /// Whether the step changes nothing about what is there.
  fileprivate var isAddition: Bool {
    switch self {
    case .createTable, .addColumn, .describeTable, .createIndex: true
    default: keepsModels
    }
  }
}
