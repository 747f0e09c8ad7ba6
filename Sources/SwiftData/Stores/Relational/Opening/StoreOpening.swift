import Relational

/// Inspects a database: whether it is a store, and of which schema. It changes nothing.
struct StoreOpening {
  /// The record of the schema in an up-to-date store.
  let record: SchemaRecord
  /// The tables of the schema.
  let tables: [TableDefinition]
  let dialect: any Dialect

  /// The result of an inspection.
  enum Finding {
    /// The store is up to date.
    case ready(StoreMetadata)
    /// The store has another schema, or an earlier format.
    case outdated(StoreMetadata)
    case missing
  }

  /// - Throws: An error if the database is no store, or has a later format.
  func inspectStore(_ connection: any Connection) throws -> Finding {
    guard let metadata = try StoreMetadata(reading: connection, dialect) else { return .missing }
    try Self.check(metadata)
    let isKnown = try metadata.has(record) && tables.found(connection, dialect) == tables
    try checkTables(isKnown ? tables : metadata.layout(), connection)
    return isKnown ? .ready(metadata) : .outdated(metadata)
  }

  /// Refuses a file that lacks tables of the store, or has views in their place: a view may never end.
  private func checkTables(_ tables: [TableDefinition], _ connection: any Connection) throws {
    let missing = Set(tables.map(\.name)).subtracting(try connection.tableNames())
    guard missing.isEmpty else {
      throw Self.refusal(
        "The store lacks tables that it says it has: \(missing.sorted().joined(separator: ", ")).",
        "Restore a copy; the store was not changed.")
    }
  }

  /// Refuses a database that is no store, or a store of a later release, before anything in the file is changed.
  static func inspect(_ connection: any Connection, _ dialect: any Dialect) throws {
    if let metadata = try StoreMetadata(reading: connection, dialect) { return try check(metadata) }
    let tables = try connection.tableNames()
    guard !tables.isEmpty else { return }
    throw refusal(
      "It is a database of another program: it has the tables \(tables.sorted().joined(separator: ", ")).",
      "Choose another file, or another schema on the server. Nothing was changed.")
  }

  /// Refuses a store of a later format.
  static func check(_ metadata: StoreMetadata) throws {
    guard metadata.formatVersion > StoreMetadata.currentFormat else { return }
    throw refusal(
      """
      The store has format \(metadata.formatVersion), and this release knows \(StoreMetadata.currentFormat) at most.
      """,
      "Open it with the release that wrote it, or a later one.")
  }

  static func refusal(_ message: String, _ hint: String) -> SwiftDataError {
    SwiftDataError.loadIssueModelContainer.with(message: message, hint: hint)
  }
}
