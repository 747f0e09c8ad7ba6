import Relational

/// What takes a store from one version of the format to the next.
///
/// It runs in the transaction that takes the store up to a schema, before the tables change, and knows nothing of that
/// schema.
struct FormatUpgrade: Sendable {
  /// The version of the stores that it is for.
  let version: Int
  let run: @Sendable (inout StoreMetadata, any Connection, any Dialect) throws -> Void

  /// One for each version but the current one, in their order.
  static let all = [
    // Format 2 keeps the values of removed properties, and has no default values in its layout. What is to be said of
    // the schema, the schema says.
    FormatUpgrade(version: 1) { metadata, _, _ in
      metadata.layoutText = try SchemaRecord.text(of: metadata.layout())
      metadata.archiveText = "[]"
    },
    // Format 3 has texts of unique values in the form that all equal ones have, and its layout says in which columns. No
    // layout of format 2 says so of any, and so the step to that of the schema is to see to them.
    FormatUpgrade(version: 2) { _, _, _ in },
  ]

  /// Takes a store up to the current version.
  static func upgrade(_ metadata: inout StoreMetadata, _ connection: any Connection, _ dialect: any Dialect) throws {
    for upgrade in all where upgrade.version == metadata.formatVersion {
      try upgrade.run(&metadata, connection, dialect)
      metadata.formatVersion += 1
    }
  }
}
