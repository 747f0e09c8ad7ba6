import Foundation
import Relational

/// What a store records of its schema.
struct SchemaRecord {
  let version: String
  let hash: String
  /// The tables, as JSON.
  let layout: String
  private let schema: Schema

  /// - Parameters:
  ///   - schema: The schema of the entities in the store.
  ///   - layout: The tables of the schema.
  init(_ schema: Schema, _ layout: [TableDefinition]) throws {
    version = schema.version.description
    hash = schema.versionHash
    self.layout = try Self.text(of: layout)
    self.schema = schema
  }

  /// The schema, as JSON.
  func schemaText() throws -> String {
    try Self.json(schema)
  }

  /// The definitions of tables without the default values of columns, which may differ between processes and apply only to
  /// rows that existed when their column was added.
  static func text(of tables: [TableDefinition]) throws -> String {
    var tables = tables
    for table in tables.indices {
      for column in tables[table].columns.indices { tables[table].columns[column].defaultValue = nil }
    }
    return try json(tables)
  }

  /// Encodes a value with sorted keys, so that equal values have one text.
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.userInfo[Schema.Entity.storeKey] = true
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
