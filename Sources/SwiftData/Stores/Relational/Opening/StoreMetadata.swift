import Foundation
import Relational

/// The metadata of a store, in a table of keys and values.
struct StoreMetadata {
  /// The version of the format: of the metadata, and of the rules of the layout. A later release wrote a store with a higher
  /// one.
  static let currentFormat = 3

  var formatVersion: Int
  var storeIdentifier: String
  var schemaVersion: String
  var schemaHash: String
  /// The tables as of the last migration, as JSON.
  var layoutText: String
  /// The schema of the last migration, as JSON; nil in a store of format 1.
  var schemaText: String?
  /// The archived values, as JSON; nil in a store of format 1.
  var archiveText: String?
  /// Changes whenever the tables change; nil if an early release changed them last.
  var layoutIdentifier: String?
  /// Changes whenever the code of a migration has changed the meaning of values; nil if none ever did.
  var revisionIdentifier: String?
  /// The revisions of the history, to read transactions that were recorded with an earlier schema, as JSON; nil if there
  /// never was one.
  var historyText: String?
  /// The identifier of the document type of the store; nil if it is no document.
  var documentType: String?

  /// - Parameter record: The record of the schema of a new store.
  init(storeIdentifier: String, _ record: SchemaRecord) throws {
    formatVersion = Self.currentFormat
    self.storeIdentifier = storeIdentifier
    (schemaVersion, schemaHash, layoutText) = (record.version, record.hash, record.layout)
    schemaText = try record.schemaText()
    archiveText = "[]"
    layoutIdentifier = UUID().uuidString
  }

  /// Nil when the database has no metadata.
  init?(reading connection: any Connection, _ dialect: any Dialect) throws {
    guard try connection.tableNames().contains(LayoutNames.metadata) else { return nil }
    var values: [String: String] = [:]
    let all = Select(columns: [Self.key, Self.value], from: LayoutNames.metadata)
    try connection.forEachRow(dialect.render(all)) { values[$0.text(0)] = $0.text(1) }
    guard let format = values[Key.format].flatMap(Int.init), format > 0, let identifier = values[Key.identifier] else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store's metadata is incomplete.", hint: "Restore a copy; the store was not changed.")
    }
    formatVersion = format
    storeIdentifier = identifier
    schemaVersion = values[Key.schemaVersion] ?? ""
    schemaHash = values[Key.schemaHash] ?? ""
    layoutText = values[Key.layout] ?? ""
    schemaText = values[Key.schema]
    archiveText = values[Key.archive]
    layoutIdentifier = values[Key.layoutIdentifier]
    revisionIdentifier = values[Key.revisionIdentifier]
    historyText = values[Key.history]
    documentType = values[Key.documentType]
  }

  private static let (key, value) = ("key", "value")

  private enum Key {
    static let format = "format_version"
    static let identifier = "store_identifier"
    static let schemaVersion = "schema_version"
    static let schemaHash = "schema_hash"
    static let layout = "layout"
    static let schema = "schema"
    /// Older than the term "archived values". The name stays, because stores have it.
    static let archive = "kept_values"
    static let layoutIdentifier = "layout_identifier"
    static let revisionIdentifier = "revision_identifier"
    static let history = "history_revisions"
    static let documentType = "document_type"
  }

  /// The tables; none in a format of a later release, which may encode them differently.
  func layout() throws -> [TableDefinition] {
    formatVersion > Self.currentFormat ? [] : try decode([TableDefinition].self, layoutText)
  }

  /// The schema; nil in a store of format 1, and if another release encoded it differently.
  var schema: Schema? {
    schemaText.flatMap { try? JSONDecoder().decode(Schema.self, from: Data($0.utf8)) }
  }

  func archivedValues() throws -> [ArchivedValues] {
    try archiveText.map { try decode([ArchivedValues].self, $0) } ?? []
  }

  /// The revisions of the history; none if another release encoded them differently.
  var historyRevisions: [HistoryRevision] { Self.historyRevisions(historyText) }

  private static func historyRevisions(_ text: String?) -> [HistoryRevision] {
    text.flatMap { try? JSONDecoder().decode([HistoryRevision].self, from: Data($0.utf8)) } ?? []
  }

  /// Reads the revisions of a store without the other metadata.
  static func historyRevisions(
    _ connection: any Connection, _ dialect: any Dialect
  ) throws -> [HistoryRevision] {
    var text: String?
    try connection.forEachRow(dialect.render(query(of: Key.history))) { text = $0.text(0) }
    return historyRevisions(text)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store's metadata cannot be read.", hint: "Restore a copy; the store was not changed.",
        underlying: error)
    }
  }

  /// Whether the store has a schema with its tables. The hash of the schema does not include what only tables depend on,
  /// such as indexes and delete rules; the text of the tables does.
  func has(_ record: SchemaRecord) -> Bool {
    formatVersion == Self.currentFormat && schemaHash == record.hash && layoutText == record.layout
  }

  /// Selects the present `layoutIdentifier` without the other metadata.
  static var layoutIdentifierQuery: Select { query(of: Key.layoutIdentifier) }

  private static func query(of name: String) -> Select {
    Select(
      columns: [value], from: LayoutNames.metadata,
      condition: .binary(.equal, .column(key), .value(.text(name))))
  }

  static func tables(_ dialect: any Dialect) -> [String] {
    let metadata = TableDefinition(
      name: LayoutNames.metadata,
      columns: [
        .init(name: key, type: .text, isNullable: false), .init(name: value, type: .text, isNullable: false),
      ], compositePrimaryKey: [key])
    let sequences = TableDefinition(
      name: LayoutNames.sequences,
      columns: [
        .init(name: "name", type: .text, isNullable: false), .init(name: "last", type: .integer, isNullable: false),
      ], compositePrimaryKey: ["name"])
    return dialect.createTable(metadata) + dialect.createTable(sequences)
  }

  func write(to connection: any Connection, _ dialect: any Dialect) throws {
    let values = [
      Key.format: "\(formatVersion)", Key.identifier: storeIdentifier, Key.schemaVersion: schemaVersion,
      Key.schemaHash: schemaHash, Key.layout: layoutText, Key.schema: schemaText, Key.archive: archiveText,
      Key.layoutIdentifier: layoutIdentifier, Key.revisionIdentifier: revisionIdentifier,
      Key.history: historyText, Key.documentType: documentType,
    ]
    let record = Insert(
      into: LayoutNames.metadata, columns: [Self.key, Self.value],
      conflict: .init(key: [Self.key], column: Self.value, resolution: .takeNew))
    let sql = dialect.render(record).sql
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let value else { continue }
      try connection.run(sql, [.text(key), .text(value)])
    }
  }
}
