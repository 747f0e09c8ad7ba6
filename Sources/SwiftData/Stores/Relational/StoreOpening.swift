import Foundation
import Relational

/// Makes a database ready for a layout: creates what is missing, takes up what can be taken up silently, and refuses
/// the rest before anything is changed.
struct StoreOpening {
  let database: any Database
  let layout: StoreLayout
  let schema: Schema
  let files: ExternalFiles?
  let allowsSave: Bool
  let migrationPlan: (any SchemaMigrationPlan.Type)?

  /// The version of the layout's own rules. A store with a higher one was written by a later release.
  static let formatVersion = 1

  /// What a look at the database tells of it.
  enum Finding {
    /// Nothing has to be done.
    case ready(StoreMetadata)
    case outdated
    case missing
  }

  /// Finds out what has to be done, and does nothing.
  ///
  /// - Throws: What stands in the way.
  func look() throws -> Finding {
    let finding = try database.read { connection -> Finding in
      guard let metadata = try StoreMetadata(reading: connection) else { return .missing }
      try Self.check(metadata)
      try checkTables(of: metadata, connection)
      if try isReady(metadata, connection) { return .ready(metadata) }
      if allowsSave { _ = try requiredChanges(metadata) }
      return .outdated
    }
    if case .ready = finding { return finding }
    guard allowsSave else {
      throw Self.refusal(
        "The store does not have the schema of the container, and it is read-only.",
        "Open it once with allowsSave: true.")
    }
    return finding
  }

  /// Does what `look` has found to do.
  ///
  /// - Returns: What the store says about itself.
  func makeReady(_ finding: Finding) throws -> StoreMetadata {
    switch finding {
    case .ready(let metadata):
      try removeOrphans(metadata)
      return metadata
    case .missing:
      // Somebody else may have created the store since; then it is to be made ready as any other.
      return try createIfMissing() ?? makeReady(look())
    case .outdated:
      // A table that is made anew must not take along the rows that refer to it, and inside a transaction it is too late
      // to say so.
      let written = try database.withoutTransaction { connection -> Written in
        try connection.execute("PRAGMA foreign_keys = OFF")
        defer { try? connection.execute("PRAGMA foreign_keys = ON") }
        return try write()
      }
      files?.retire(written.obsoleteFiles, database)
      return written.metadata
    }
  }

  /// Refuses a file that has something else where the store says that it has tables: a view can go on for ever.
  private func checkTables(of metadata: StoreMetadata, _ connection: any Connection) throws {
    let missing = Set(metadata.layout.map(\.name)).subtracting(try connection.tableNames())
    guard missing.isEmpty else {
      throw Self.refusal(
        "The store lacks tables that it says it has: \(missing.sorted().joined(separator: ", ")).",
        "Restore a copy; the file was not changed.")
    }
  }

  /// Refuses what is no store of ours, or one of a later release, before anything about the file is changed.
  static func inspect(_ connection: any Connection) throws {
    if let metadata = try StoreMetadata(reading: connection) { return try check(metadata) }
    let tables = try connection.tableNames()
    guard !tables.isEmpty else { return }
    throw refusal(
      "The file is a database of another program: it has the tables \(tables.sorted().joined(separator: ", ")).",
      "Choose another file; this one was not changed.")
  }

  /// Whether nothing has to be done. Neither the order of tables nor the defaults of old columns matter.
  private func isReady(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Bool {
    guard case .success(let changes) = self.changes(from: metadata) else { return false }
    if allowsSave { return changes.isEmpty }
    return try changes.allSatisfy { change in
      switch change {
      // Whoever only reads does without.
      case .noteFiles, .changeDeleteRules: true
      case .takeInFiles(let table, let column, _): try fileNames(in: column, of: table, connection).isEmpty
      default: false
      }
    }
  }

  private func changes(from metadata: StoreMetadata) -> Result<[LayoutChange], LayoutChange.Obstacles> {
    LayoutChange.changes(from: metadata.layout, to: layout.tables).map { changes in
      changes.contains(where: isIdle) ? changes.filter { !isIdle($0) } : changes
    }
  }

  /// Whether a step looks for the names of files in a store that says nothing of any, and there are none.
  private func isIdle(_ change: LayoutChange) -> Bool {
    guard case .takeInFiles(table: _, _, isKnown: false) = change else { return false }
    return files?.names().isEmpty ?? true
  }

  private struct Written {
    var metadata: StoreMetadata
    /// The files that no row names any more.
    var obsoleteFiles: [String] = []
  }

  /// - Returns: What the new store says about itself; nil when there is one already.
  private func createIfMissing() throws -> StoreMetadata? {
    try database.write { connection -> StoreMetadata? in
      if try StoreMetadata(reading: connection) != nil { return nil }
      return try create(connection)
    }
  }

  /// Creates or changes the tables. Somebody else may be doing the same, so what to do is decided under the lock.
  private func write() throws -> Written {
    try database.write { connection -> Written in
      guard var metadata = try StoreMetadata(reading: connection) else {
        return Written(metadata: try create(connection))
      }
      try Self.check(metadata)
      let obsoleteFiles = try change(&metadata, connection)
      return Written(metadata: metadata, obsoleteFiles: obsoleteFiles)
    }
  }

  private static func check(_ metadata: StoreMetadata) throws {
    if metadata.formatVersion > formatVersion {
      throw refusal(
        "The store has format \(metadata.formatVersion), and this release knows \(formatVersion) at most.",
        "Open it with the release that wrote it, or a later one.")
    }
  }

  private func create(_ connection: any Connection) throws -> StoreMetadata {
    try Self.inspect(connection)
    var metadata = StoreMetadata(
      formatVersion: Self.formatVersion, storeIdentifier: UUID().uuidString, schemaVersion: schema.version.description,
      schemaHash: schema.versionHash, layout: layout.tables)
    for sql in StoreMetadata.tables(database.dialect) { try connection.execute(sql) }
    for table in layout.tables {
      for sql in database.dialect.createTable(table) { try connection.execute(sql) }
    }
    metadata.layoutIdentifier = UUID().uuidString
    try metadata.write(to: connection)
    return metadata
  }

  /// - Throws: What stands in the way of taking up the schema.
  private func requiredChanges(_ metadata: StoreMetadata) throws -> [LayoutChange] {
    switch changes(from: metadata) {
    case .success(let changes):
      if !changes.allSatisfy(\.keepsModels) { try refuseStagesWithCode() }
      return changes
    case .failure(let obstacles):
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store was written with another schema, which cannot be taken up silently.",
        hint: "Give new properties a default value or an optional type, or migrate the store. It was not changed.",
        issues: obstacles.issues)
    }
  }

  /// - Returns: The files that no row names any more once the transaction is over.
  private func change(_ metadata: inout StoreMetadata, _ connection: any Connection) throws -> [String] {
    let changes = try requiredChanges(metadata)
    if changes.isEmpty { return [] }
    var obsoleteFiles: [String] = []
    for change in changes {
      switch change {
      case .takeInFiles(let table, let column, _):
        obsoleteFiles += try takeInFiles(of: column, in: table, connection)
      case .renameTable(let from, let to):
        try KeySequences.rename(from, to: to, connection, database.dialect)
      case .dropTable(let table):
        try KeySequences.remove(table, connection, database.dialect)
      default: break
      }
      for sql in change.statements(database.dialect) { try connection.execute(sql) }
    }
    metadata.layout = layout.tables
    metadata.layoutIdentifier = UUID().uuidString
    metadata.schemaVersion = schema.version.description
    metadata.schemaHash = schema.versionHash
    try metadata.write(to: connection)
    return obsoleteFiles
  }

  /// The rows that have the names of files in a column, by their keys.
  private func fileNames(
    in column: TableDefinition.Column, of table: String, _ connection: any Connection
  ) throws -> [(key: Int64, name: String)] {
    let (key, value) = (database.dialect.quoted(LayoutNames.primaryKey), database.dialect.quoted(column.name))
    var names: [(key: Int64, name: String)] = []
    try connection.forEachRow(
      "SELECT \(key), \(value) FROM \(database.dialect.quoted(table)) WHERE typeof(\(value)) = 'text'"
    ) { names.append(($0.integer(0), $0.text(1))) }
    return names
  }

  /// Puts what files have into the rows that name them: SQL would compare the names.
  ///
  /// - Returns: The files.
  private func takeInFiles(
    of column: TableDefinition.Column, in table: String, _ connection: any Connection
  ) throws -> [String] {
    let names = try fileNames(in: column, of: table, connection)
    guard let files, !names.isEmpty else { return [] }
    let dialect = database.dialect
    let (quotedTable, value) = (dialect.quoted(table), dialect.quoted(column.name))
    let update = try connection.statement(
      "UPDATE \(quotedTable) SET \(value) = ? WHERE \(dialect.quoted(LayoutNames.primaryKey)) = ?")
    // The last value would stay with the statement.
    defer { update.clear() }
    for (key, name) in names {
      let data: Data
      do {
        data = try files.read(name)
      } catch {
        throw SwiftDataError.loadIssueModelContainer.with(
          message: "A property asks for external storage no more, and a value of it cannot be read from its file.",
          hint: "Restore the file, or give the property .externalStorage again. The store was not changed.",
          underlying: error,
          issues: [
            .init(
              entity: column.owner ?? table, property: column.name,
              message: "The file \(name) of row \(key) cannot be read.")
          ])
      }
      update.bind([.blob(data), .integer(key)])
      _ = try update.step()
      update.reset()
    }
    return names.map(\.name)
  }

  /// Migration with code is not there yet, and leaving the code out would leave the models half migrated.
  private func refuseStagesWithCode() throws {
    for case .custom(let old, let new, _, _) in migrationPlan?.stages ?? [] {
      throw Self.refusal(
        "The store has an older schema, and the migration plan has code to run from \(old) to \(new).",
        "This release does not run migration stages with code. The store was not changed.")
    }
  }

  /// - Parameter found: What the store said of itself when it was found ready.
  private func removeOrphans(_ found: StoreMetadata) throws {
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
    let orphans = try database.write { connection -> [String] in
      // Somebody may have given the store other tables since, which name files that these columns do not.
      guard let metadata = try StoreMetadata(reading: connection), metadata.layout == found.layout else { return [] }
      return try files.orphans(connection, database.dialect, columns)
    }
    files.retire(orphans, database)
  }

  private static func refusal(_ message: String, _ hint: String) -> SwiftDataError {
    SwiftDataError.loadIssueModelContainer.with(message: message, hint: hint)
  }
}
