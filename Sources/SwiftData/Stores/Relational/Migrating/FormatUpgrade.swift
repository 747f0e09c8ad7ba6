import Relational

/// An upgrade of a store from one version of the format to the next.
///
/// It runs in the transaction that migrates the store, before the tables change, and does not depend on the schema.
struct FormatUpgrade: Sendable {
  /// The version of the stores that it upgrades.
  let version: Int
  let run: @Sendable (inout StoreMetadata, any Connection, any Dialect) throws -> Void

  /// One upgrade for each version but the current one, in ascending order.
  static let all = [
    // Format 2 archives the values of removed properties, and has no default values in its layout: those are in the
    // schema.
    FormatUpgrade(version: 1) { metadata, _, _ in
      metadata.layoutText = try SchemaRecord.text(of: metadata.layout())
      metadata.archiveText = "[]"
    },
    // Format 3 normalizes the texts of unique values, and its layout says in which columns. No layout of format 2 marks
    // a column so, and the step to the layout of the schema normalizes them.
    FormatUpgrade(version: 2) { _, _, _ in },
  ]

  /// Upgrades a store to the current version.
  static func upgrade(_ metadata: inout StoreMetadata, _ connection: any Connection, _ dialect: any Dialect) throws {
    for upgrade in all where upgrade.version == metadata.formatVersion {
      try upgrade.run(&metadata, connection, dialect)
      metadata.formatVersion += 1
    }
  }
}
