import Foundation
import Relational

extension SQLiteDatabase {
  /// Moves what the write-ahead log holds into the file and empties the log, waiting for readers up to the busy timeout.
  ///
  /// - Returns: whether everything was moved.
  @discardableResult
  package func checkpoint() throws -> Bool {
    try withoutTransaction { connection in
      var isComplete = true
      try connection.forEachRow("PRAGMA wal_checkpoint(TRUNCATE)") { isComplete = $0.integer(0) == 0 }
      return isComplete
    }
  }

  /// Deletes the file at `path` and those that SQLite keeps beside it, as far as they exist.
  package static func removeFiles(atPath path: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      do {
        try FileManager.default.removeItem(atPath: path + suffix)
      } catch let error as CocoaError where error.code == .fileNoSuchFile {
        continue
      }
    }
  }
}
