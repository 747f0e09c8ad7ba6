import Foundation
import Relational

/// What a version of a schema leaves in a store, in a file that is kept with the source.
package struct FrozenSchema: Codable {
  /// What the file says of itself; others are of a later release.
  static let currentFormat = 1

  let format: Int
  let version: String
  let hash: String
  let schema: Schema
  let tables: [TableDefinition]

  package init(_ schema: Schema) throws {
    try schema.validate()
    let layout = StoreLayout(
      schema: schema, entities: Array(schema.entities.indices), folding: FoldingInterception.function)
    let record = try SchemaRecord(schema, layout.tables)
    format = Self.currentFormat
    (version, hash) = (record.version, record.hash)
    self.schema = schema
    tables = try JSONDecoder().decode([TableDefinition].self, from: Data(record.layout.utf8)).withoutRules
  }

  package static func load(from url: URL) throws -> FrozenSchema {
    let frozen: FrozenSchema
    do {
      frozen = try JSONDecoder().decode(FrozenSchema.self, from: Data(contentsOf: url))
    } catch {
      throw SwiftDataError.unknownSchema.with(
        message: "\(url.path) is no frozen schema that can be read.", hint: "Write it again with freeze(to:).",
        underlying: error)
    }
    guard frozen.format == currentFormat else {
      throw SwiftDataError.unknownSchema.with(
        message: "\(url.path) has format \(frozen.format), and this release knows \(currentFormat).",
        hint: "Use the release that wrote it, or a later one.")
    }
    return frozen
  }

  /// - Throws: ``SwiftDataError/unknownSchema`` when a version is not the one that a file has.
  package static func check(_ version: any VersionedSchema.Type, at url: URL) throws {
    let frozen = try load(from: url)
    let schema = Schema(versionedSchema: version)
    if schema.versionHash == frozen.hash { return }
    throw SwiftDataError.unknownSchema.with(
      message: "\(Schema.qualifiedName(of: version)) is not the version that \(url.lastPathComponent) has.",
      hint: """
        Undo the change, and make it in a new VersionedSchema with a stage that leads there. If the version was never \
        released, write the file again with freeze(to:).
        """,
      issues: SchemaDifference.issues(of: frozen.schema.entities, beside: schema))
  }

  package func save(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: url, options: .atomic)
  }

  /// Makes a store as a container with the schema makes it, without models.
  package func makeStore(at url: URL) throws {
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "A file or folder exists at \(url.path).", hint: "Choose another file.")
    }
    let configuration = ModelConfiguration(url: url)
    var isMade = false
    defer { if !isMade { for end in ["", "-wal", "-shm"] { unlink(url.path + end) } } }
    try RelationalStore.describingFailures(of: configuration) {
      let database = try configuration.openDatabase()
      let tables = tables.withoutRules
      try database.write { connection in
        for sql in StoreMetadata.tables(database.dialect) + tables.flatMap(database.dialect.createTable) {
          try connection.execute(sql)
        }
        var metadata = try StoreMetadata(storeIdentifier: UUID().uuidString, SchemaRecord(schema, tables))
        (metadata.schemaHash, metadata.schemaVersion) = (hash, version)
        try metadata.write(to: connection, database.dialect)
      }
      try database.close()
    }
    isMade = true
  }
}

extension [TableDefinition] {
  /// Without what goes by the rules for texts of a locale and a release, which is made when the store is opened.
  fileprivate var withoutRules: Self {
    map { table in
      var table = table
      table.indexes.removeAll { $0.functions != nil }
      table.searches = nil
      return table
    }
  }
}
