import Foundation
import Relational

extension RelationalStore {
  /// Records the identifier of the document type.
  func setDocumentType(_ identifier: String) throws {
    do {
      try database.write { connection in
        guard var metadata = try StoreMetadata(reading: connection, database.dialect) else { return }
        metadata.documentType = identifier
        try metadata.write(to: connection, database.dialect)
      }
    } catch let error as DatabaseError {
      throw StoreErrors.writing(configuration, error)
    }
  }

  /// Lets `body` save, and copies the store, even if its file was moved, replaced or deleted: the open connection still
  /// has all of it.
  ///
  /// - Parameter present: The present location of the file.
  func backUp(to url: URL, present: URL?, after body: () throws -> Void) throws {
    // A new connection would open another file.
    try database.withoutTransaction { connection in
      connection.writesOutOfPlace = true
      defer { connection.writesOutOfPlace = false }
      try body()
      let files = files.map { files in present.map { ExternalFiles(store: $0, origin: configuration.url) } ?? files }
      try StoreBackup(database: database, files: files, name: name, tables: layout.tables).write(to: url)
    }
  }
}

extension SwiftDataError {
  /// Whether the error says that the file is no store, and not only that it cannot be read at the moment.
  var refusesFile: Bool {
    guard let reason = (details?.underlyingError as? DatabaseError)?.reason else { return true }
    return [.notADatabase, .corrupt, .cannotOpen].contains(reason)
  }
}

extension ModelConfiguration {
  /// Removes the empty log and the shared memory that readers leave beside a store, unless other connections are open:
  /// SQLite removes them when a connection that can write closes.
  func removeFilesOfReaders() {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    try? writable.openDatabase().close()
  }
}

extension UnopenedStore {
  /// The identifier of the document type of the store; nil if it is no document.
  func documentType() throws -> String? {
    try reading { _, metadata in metadata.documentType }
  }

  /// The version of the schema; nil if the store has no valid one.
  var version: Schema.Version? {
    let numbers = schemaVersion.split(separator: ".").compactMap { Int($0) }
    return numbers.count == 3 ? Schema.Version(numbers[0], numbers[1], numbers[2]) : nil
  }
}
