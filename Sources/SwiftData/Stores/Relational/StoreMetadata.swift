import Foundation
import Relational

/// What a store says about itself, in a table of keys and values.
struct StoreMetadata {
  var formatVersion: Int
  var storeIdentifier: String
  var schemaVersion: String
  var schemaHash: String
  /// The tables as they were laid out when the store was last changed.
  var layout: [TableDefinition]
  /// Another one each time that the layout changes; nil where an earlier release changed it last.
  var layoutIdentifier: String?

  init(
    formatVersion: Int, storeIdentifier: String, schemaVersion: String, schemaHash: String, layout: [TableDefinition]
  ) {
    self.formatVersion = formatVersion
    self.storeIdentifier = storeIdentifier
    self.schemaVersion = schemaVersion
    self.schemaHash = schemaHash
    self.layout = layout
  }

  /// Nil when the database has no metadata.
  init?(reading connection: any Connection) throws {
    guard try connection.tableNames().contains(LayoutNames.metadata) else { return nil }
    var values: [String: String] = [:]
    try connection.forEachRow("SELECT key, value FROM \(LayoutNames.metadata)") { values[$0.text(0)] = $0.text(1) }
    guard let format = values["format_version"].flatMap(Int.init), let identifier = values["store_identifier"] else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store's metadata is incomplete.", hint: "Restore a copy; the file was not changed.")
    }
    formatVersion = format
    storeIdentifier = identifier
    schemaVersion = values["schema_version"] ?? ""
    schemaHash = values["schema_hash"] ?? ""
    layoutIdentifier = values[Self.layoutIdentifierKey]
    guard format <= StoreOpening.formatVersion else {
      // A later release may have changed how the layout is written down; the caller refuses the store by its version.
      layout = []
      return
    }
    do {
      layout = try JSONDecoder().decode([TableDefinition].self, from: Data((values["layout"] ?? "").utf8))
    } catch {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store's metadata cannot be read.", hint: "Restore a copy; the file was not changed.",
        underlying: error)
    }
  }

  private static let layoutIdentifierKey = "layout_identifier"

  /// What `layoutIdentifier` is now, without reading the rest.
  static func layoutIdentifier(_ connection: any Connection) throws -> String? {
    var identifier: String?
    try connection.forEachRow(
      "SELECT value FROM \(LayoutNames.metadata) WHERE key = '\(layoutIdentifierKey)'"
    ) { identifier = $0.text(0) }
    return identifier
  }

  static func tables(_ dialect: any Dialect) -> [String] {
    let metadata = TableDefinition(
      name: LayoutNames.metadata,
      columns: [
        .init(name: "key", type: .text, isNullable: false), .init(name: "value", type: .text, isNullable: false),
      ], compositePrimaryKey: ["key"])
    let sequences = TableDefinition(
      name: LayoutNames.sequences,
      columns: [
        .init(name: "name", type: .text, isNullable: false), .init(name: "last", type: .integer, isNullable: false),
      ], compositePrimaryKey: ["name"])
    return dialect.createTable(metadata) + dialect.createTable(sequences)
  }

  func write(to connection: any Connection) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var values = [
      "format_version": "\(formatVersion)", "store_identifier": storeIdentifier, "schema_version": schemaVersion,
      "schema_hash": schemaHash, "layout": String(decoding: try encoder.encode(layout), as: UTF8.self),
    ]
    values[Self.layoutIdentifierKey] = layoutIdentifier
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      try connection.run(
        """
        INSERT INTO \(LayoutNames.metadata) (key, value) VALUES (?, ?) \
        ON CONFLICT (key) DO UPDATE SET value = excluded.value
        """, [.text(key), .text(value)])
    }
  }
}
