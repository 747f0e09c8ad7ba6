import Foundation
import Relational

extension RelationalStore {
  var canBackUp: Bool { true }

  func backUp(to url: URL) throws {
    try saveGuard.check()
    let copiedFiles = ExternalFiles(store: url)
    for place in [url, copiedFiles.folder.deletingLastPathComponent()] where place.isTaken {
      throw StoreFailure(
        operation: .copying, store: name, reason: .targetExists, message: "there is something at \(place.path) already")
    }
    let folder = url.deletingLastPathComponent()
    let partial = folder.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    do {
      try database.read { connection in
        // What is read first decides which state it is: files that it names are not removed while it is read.
        _ = try connection.tableNames()
        let names = try fileNames(connection, isComplete: true)
        try connection.copy(to: partial.path)
        if let files { try Self.handlingFiles { try files.copy(names, to: copiedFiles) } }
      }
      try Self.handlingFiles {
        try FileManager.default.moveItem(at: partial, to: url)
        try ExternalFiles.synchronize(folder)
      }
    } catch {
      for suffix in ["", "-journal", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: partial.path + suffix)
      }
      copiedFiles.removeFolder()
      guard let error = error as? DatabaseError else { throw error }
      throw StoreFailure(operation: .copying, store: name, error: error)
    }
  }

  private static func handlingFiles(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      throw DatabaseError.file("a file of the backup", error)
    }
  }
}

extension URL {
  /// Whether there is something, be it a link that leads nowhere.
  fileprivate var isTaken: Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }
}
