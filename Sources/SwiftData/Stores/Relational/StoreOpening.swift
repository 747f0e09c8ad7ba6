import Foundation
import Relational

/// Makes a database ready for a layout: creates what is missing, takes up what can be taken up silently, and refuses the
/// rest before anything is changed.
struct StoreOpening {
  let database: any Database
  let layout: StoreLayout
  let schema: Schema
  let files: ExternalFiles?
  let allowsSave: Bool
  let migrationPlan: (any SchemaMigrationPlan.Type)?

  /// The version of the layout's own rules. A store with a higher one was written by a later release.
  static let formatVersion = 1

  /// - Returns: The identifier of the store.
  func run() throws -> String {
    let found = try database.read { try StoreMetadata(reading: $0) }
    if let found {
      try Self.check(found)
      if isCurrent(found) {
        try removeOrphans()
        return found.storeIdentifier
      }
    }
    guard allowsSave else {
      throw Self.refusal(
        "The store does not have the schema of the container, and it is read-only.",
        "Open it once with allowsSave: true.")
    }
    guard found != nil else { return try write() }
    // A table that is made anew must not take along the rows that refer to it, and inside a transaction it is too late
    // to say so.
    return try database.withoutTransaction { connection in
      try connection.execute("PRAGMA foreign_keys = OFF")
      defer { try? connection.execute("PRAGMA foreign_keys = ON") }
      return try write()
    }
  }

  /// Refuses what is no store of ours, or one of a later release, before anything about the file is changed.
  static func inspect(_ connection: any Connection) throws {
    if let metadata = try StoreMetadata(reading: connection) { return try check(metadata) }
    let tables = try connection.tables()
    guard !tables.isEmpty else { return }
    throw refusal(
      "The file is a database of another program: it has the tables \(tables.keys.sorted().joined(separator: ", ")).",
      "Choose another file; this one was not changed.")
  }

  /// Whether nothing has to be done. Neither the order of tables nor the defaults of old columns matter.
  private func isCurrent(_ metadata: StoreMetadata) -> Bool {
    guard case .success(let changes) = LayoutChange.changes(from: metadata.layout, to: layout.tables) else {
      return false
    }
    return changes.isEmpty
  }

  /// Creates or changes the tables. Somebody else may be doing the same, so what to do is decided under the lock.
  private func write() throws -> String {
    try database.write { connection in
      guard let metadata = try StoreMetadata(reading: connection) else { return try create(connection) }
      try Self.check(metadata)
      if !isCurrent(metadata) { try change(metadata, connection) }
      return metadata.storeIdentifier
    }
  }

  private static func check(_ metadata: StoreMetadata) throws {
    if metadata.formatVersion > formatVersion {
      throw refusal(
        "The store has format \(metadata.formatVersion), and this release knows \(formatVersion) at most.",
        "Open it with the release that wrote it, or a later one.")
    }
  }

  private func create(_ connection: any Connection) throws -> String {
    try Self.inspect(connection)
    let metadata = StoreMetadata(
      formatVersion: Self.formatVersion, storeIdentifier: UUID().uuidString, schemaVersion: schema.version.description,
      schemaHash: schema.versionHash, layout: layout.tables)
    for sql in StoreMetadata.tables(database.dialect) { try connection.execute(sql) }
    for table in layout.tables {
      for sql in database.dialect.createTable(table) { try connection.execute(sql) }
    }
    try metadata.write(to: connection)
    return metadata.storeIdentifier
  }

  private func change(_ metadata: StoreMetadata, _ connection: any Connection) throws {
    let changes: [LayoutChange]
    switch LayoutChange.changes(from: metadata.layout, to: layout.tables) {
    case .success(let found):
      changes = found
      try refuseStagesWithCode()
    case .failure(let obstacles):
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store was written with another schema, which cannot be taken up silently.",
        hint: "Give new properties a default value or an optional type, or migrate the store. It was not changed.",
        issues: obstacles.issues)
    }
    for change in changes {
      for sql in change.statements(database.dialect) { try connection.execute(sql) }
    }
    var updated = metadata
    updated.layout = layout.tables
    updated.schemaVersion = schema.version.description
    updated.schemaHash = schema.versionHash
    try updated.write(to: connection)
  }

  /// Migration with code is not there yet, and leaving the code out would leave the models half migrated.
  private func refuseStagesWithCode() throws {
    for case .custom(let old, let new, _, _) in migrationPlan?.stages ?? [] {
      throw Self.refusal(
        "The store has an older schema, and the migration plan has code to run from \(old) to \(new).",
        "This release does not run migration stages with code. The store was not changed.")
    }
  }

  private func removeOrphans() throws {
    guard allowsSave, let files, FileManager.default.fileExists(atPath: files.folder.path) else { return }
    let columns = layout.all.flatMap { entity in
      entity.properties.compactMap { property -> (table: String, column: String)? in
        // Whether or not the property still asks for files: values written before stay in theirs.
        guard case .attribute(let coding, let columns, _) = property.storage, columns.count == 1,
          coding.columnType == .blob
        else { return nil }
        return (entity.table, columns[0])
      }
    }
    files.retire(try database.write { try files.orphans($0, database.dialect, columns) }, database)
  }

  private static func refusal(_ message: String, _ hint: String) -> SwiftDataError {
    SwiftDataError.loadIssueModelContainer.with(message: message, hint: hint)
  }
}
