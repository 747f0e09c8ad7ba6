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

  /// Lets `body` change a copy of the store, and puts what the copy has become in the place of the store: all of it or,
  /// when this throws, nothing. Others can read the store meanwhile, and wait with what they save.
  func revise(_ body: (WorkingCopy) throws -> Void) throws {
    let copy = WorkingCopy(of: configuration.url)
    defer { copy.remove() }
    do {
      try database.revise {
        WorkingCopy.removeLeftovers(of: configuration.url)
        try copy.makeFolder()
        return copy.url.path
      } _: {
        try body(copy)
      }
    } catch {
      copy.files.removeWritten()
      throw described(error)
    }
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
    let files = ExternalFiles(store: configuration.url)
    try StoreBackup(database: database, files: files, name: configuration.name, tables: tables).write(to: url)
    return {
      try? FileManager.default.removeItem(at: url)
      try? FileManager.default.removeItem(at: ExternalFiles(store: url).supportFolder)
    }
  }

  /// Lets `body` change a copy of the store in the temporary folder, which goes afterwards with all that was written.
  func rehearse(_ body: (WorkingCopy) throws -> Void) throws {
    let copy = WorkingCopy(of: configuration.url, in: FileManager.default.temporaryDirectory)
    defer { copy.remove() }
    do {
      try copy.makeFolder()
      try database.read { connection in
        try connection.copy(to: copy.url.path)
        // Files that this state names are not removed as long as somebody reads it.
        try body(copy)
      }
    } catch {
      throw described(error)
    }
  }

  /// The store has changed at the last moment.
  struct Overtaken: Error {}

  private func described(_ error: any Error) -> any Error {
    switch error {
    case let error as DatabaseError:
      error.reason == .overtaken ? Overtaken() : StoreErrors.opening(configuration, error)
    case let error as POSIXError: StoreErrors.opening(configuration, error)
    default: error
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
  /// Lets nobody who has an older version of the store open go on with it.
  func markRevised() throws {
    let configuration = ModelConfiguration(url: url)
    try RelationalStore.describingFailures(of: configuration) {
      let database = try configuration.openDatabase(.current, [], isWorkingCopy: true)
      try database.write { connection in
        guard var metadata = try StoreMetadata(reading: connection, database.dialect) else { return }
        metadata.layoutIdentifier = UUID().uuidString
        metadata.revisionIdentifier = metadata.layoutIdentifier
        try metadata.write(to: connection, database.dialect)
      }
      try database.close()
    }
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
