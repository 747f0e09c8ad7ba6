import Relational

/// Looks at a database: whether it is a store, and one of a schema. Nothing here changes anything.
struct StoreOpening {
  /// What a store of the schema says of it.
  let record: SchemaRecord
  /// The tables that the schema asks for.
  let tables: [TableDefinition]
  let dialect: any Dialect

  /// What a look at the database tells of it.
  enum Finding {
    /// Nothing has to be done.
    case ready(StoreMetadata)
    /// The store says something else of its schema, or has an earlier format.
    case outdated(StoreMetadata)
    case missing
  }

  /// - Throws: Why the database is no store that this release knows.
  func look(_ connection: any Connection) throws -> Finding {
    guard let metadata = try StoreMetadata(reading: connection, dialect) else { return .missing }
    try Self.check(metadata)
    let isKnown = try metadata.has(record) && tables.found(connection, dialect) == tables
    try checkTables(isKnown ? tables : metadata.layout(), connection)
    return isKnown ? .ready(metadata) : .outdated(metadata)
  }

  /// Refuses a file that has something else where the store says that it has tables: a view can go on for ever.
  private func checkTables(_ tables: [TableDefinition], _ connection: any Connection) throws {
    let missing = Set(tables.map(\.name)).subtracting(try connection.tableNames())
    guard missing.isEmpty else {
      throw Self.refusal(
        "The store lacks tables that it says it has: \(missing.sorted().joined(separator: ", ")).",
        "Restore a copy; the file was not changed.")
    }
  }

  /// Refuses what is no store of ours, or one of a later release, before anything about the file is changed.
  static func inspect(_ connection: any Connection, _ dialect: any Dialect) throws {
    if let metadata = try StoreMetadata(reading: connection, dialect) { return try check(metadata) }
    let tables = try connection.tableNames()
    guard !tables.isEmpty else { return }
    throw refusal(
      "The file is a database of another program: it has the tables \(tables.sorted().joined(separator: ", ")).",
      "Choose another file; this one was not changed.")
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
