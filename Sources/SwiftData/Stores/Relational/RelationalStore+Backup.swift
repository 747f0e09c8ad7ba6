import Foundation
import Relational

extension RelationalStore {
  var canBackUp: Bool { true }

  func backUp(to url: URL) throws {
    try saveGuard.check()
    try StoreBackup(database: database, files: files, name: name, tables: layout.tables).write(to: url)
  }
}

/// Copies a store with its files, in one committed state.
struct StoreBackup {
  let database: any Database
  let files: ExternalFiles?
  /// The name of the configuration, for errors.
  let name: String
  /// What is looked through for the names of files where the store does not say what it has.
  let tables: [TableDefinition]

  /// - Throws: `storeFailure`. Nothing is left of the copy then.
  func write(to url: URL) throws {
    let target = try BackupTarget(url, store: name)
    let targetFiles = ExternalFiles(store: URL(fileURLWithPath: target.path, isDirectory: false))
    // What is left of another database would be taken for the log of the copy.
    let logs = ["-journal", "-wal", "-shm"].map { target.path + $0 }
    try target.checkVacancy(of: [target.path] + logs + [targetFiles.supportFolder.path])
    let staging = try target.makeStagingFolder()
    defer { withExtendedLifetime(staging) {} }
    let copy = staging.url.appendingPathComponent("copy", isDirectory: false)
    let copiedFiles = ExternalFiles(store: copy)
    do {
      try database.read { connection in
        // What is read first decides which state it is: files that it names are not removed while it is read.
        _ = try connection.tableNames()
        let names = try allFileNames(connection)
        try connection.copy(to: copy.path)
        if let files { try target.describingFailures { try files.copy(names, to: copiedFiles) } }
      }
    } catch let error as DatabaseError {
      throw SwiftDataError.storeFailure(.copying, store: name, error: error)
    }
    try target.describingFailures {
      // They may have come while the copy was made.
      try target.checkVacancy(of: logs)
      try Self.place(copy, copiedFiles, at: target, targetFiles)
    }
  }

  /// Moves a copy, with its files first so that it never lacks them.
  private static func place(
    _ copy: URL, _ copiedFiles: ExternalFiles, at target: BackupTarget, _ targetFiles: ExternalFiles
  ) throws {
    var placed: [InstalledItem] = []
    do {
      if FileManager.default.fileExists(atPath: copiedFiles.supportFolder.path) {
        placed.append(
          try InstalledItem(folder: copiedFiles.supportFolder.path, to: targetFiles.supportFolder.path))
        try ExternalFiles.synchronize(target.folder)
      }
      placed.append(try InstalledItem(file: copy.path, to: target.path))
      try ExternalFiles.synchronize(target.folder)
    } catch {
      for item in placed.reversed() { item.remove() }
      throw error
    }
  }

  /// The files that rows name, also those of models that only another container knows.
  private func allFileNames(_ connection: any Connection) throws -> [String] {
    if files == nil { return [] }
    let metadata = try StoreMetadata(reading: connection, database.dialect)
    // What names files in a store of a later format cannot be told.
    if let metadata { try StoreOpening.check(metadata) }
    var queries = Set<RenderedStatement>()
    for table in try metadata?.layout() ?? tables {
      for column in table.columns where column.mayNameFiles {
        queries.insert(database.dialect.render(EntityLayout.fileNames(in: column.name, of: table.name)))
      }
    }
    return try database.fileNames(queries, archived: metadata?.archivedValues() ?? [], connection)
  }
}

extension TableDefinition.Column {
  /// Whether there may be names of files in the column, as the table is recorded.
  fileprivate var mayNameFiles: Bool {
    namesFiles ?? (type == .blob)
  }
}

extension Database {
  /// The files that queries find, and those of values that lie aside: their rows go along with those that they belong
  /// to.
  func fileNames(
    _ queries: Set<RenderedStatement>, archived: [ArchivedValues], _ connection: any Connection
  ) throws -> [String] {
    var queries = queries
    for values in try ArchivedValues.existing(archived, connection) {
      for column in values.fileColumns { queries.insert(values.fileQuery(column, dialect)) }
    }
    var names: [String] = []
    for query in queries { try connection.forEachRow(query) { names.append($0.text(0)) } }
    return names
  }
}
