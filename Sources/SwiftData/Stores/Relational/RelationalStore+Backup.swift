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
  /// The tables to search for file names if the store has no metadata.
  let tables: [TableDefinition]

  /// - Throws: `SwiftDataError.storeFailure`. The copy is removed then.
  func write(to url: URL) throws {
    let target = try BackupTarget(url, store: name)
    let targetFiles = ExternalFiles(store: URL(fileURLWithPath: target.path, isDirectory: false))
    // A leftover log of another database would become the log of the copy.
    let logs = ["-journal", "-wal", "-shm"].map { target.path + $0 }
    try target.checkVacancy(of: [target.path] + logs + [targetFiles.supportFolder.path])
    let staging = try target.makeStagingFolder()
    defer { withExtendedLifetime(staging) {} }
    let copy = staging.url.appendingPathComponent("copy", isDirectory: false)
    let copiedFiles = ExternalFiles(store: copy)
    do {
      try database.read { connection in
        // The first read determines the state; files that it names are not removed during the read.
        _ = try connection.tableNames()
        let names = try allFileNames(connection)
        try connection.copy(to: copy.path)
        if let files { try target.describingFailures { try files.copy(names, to: copiedFiles) } }
      }
    } catch let error as DatabaseError {
      throw SwiftDataError.storeFailure(.copying, store: name, error: error)
    }
    try target.describingFailures {
      // The files may have appeared during the copy.
      try target.checkVacancy(of: logs)
      try Self.install(copy, copiedFiles, at: target, targetFiles)
    }
  }

  /// Moves a copy to its target. Its external files go first, so that it never lacks them.
  private static func install(
    _ copy: URL, _ copiedFiles: ExternalFiles, at target: BackupTarget, _ targetFiles: ExternalFiles
  ) throws {
    var installed: [InstalledItem] = []
    do {
      if FileManager.default.fileExists(atPath: copiedFiles.supportFolder.path) {
        installed.append(
          try InstalledItem(folder: copiedFiles.supportFolder.path, to: targetFiles.supportFolder.path))
        try ExternalFiles.synchronize(target.folder)
      }
      installed.append(try InstalledItem(file: copy.path, to: target.path))
      try ExternalFiles.synchronize(target.folder)
    } catch {
      for item in installed.reversed() { item.remove() }
      throw error
    }
  }

  /// The files that rows name, including those of models that only another container has.
  private func allFileNames(_ connection: any Connection) throws -> [String] {
    if files == nil { return [] }
    let metadata = try StoreMetadata(reading: connection, database.dialect)
    // A store of a later format may name files in other ways.
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
  /// Whether the column may have names of files, according to the recorded table.
  fileprivate var mayNameFiles: Bool {
    namesFiles ?? (type == .blob)
  }
}

extension Database {
  /// The files that queries find, and those of archived values, whose rows are deleted with the rows that they belong to.
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
