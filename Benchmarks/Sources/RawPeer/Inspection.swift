import CSQLite
package import Foundation
package import Workload

/// Reads stores without the library.
package enum Inspection {
  /// The digest of the items in the store at `file`.
  package static func digest(of file: URL) throws -> Digest {
    let store = try ItemStore(file)
    var digest = Digest()
    try store.connection.prepare(store.table.digest).forEachRow { row in
      func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(row, column)) }
      digest.rows = integer(0)
      digest.nameBytes = integer(1)
      digest.details = integer(2)
      digest.count = integer(3)
      digest.price = sqlite3_column_double(row, 4)
      digest.created = sqlite3_column_double(row, 5)
      digest.flags = integer(6)
      digest.owned = integer(7)
      digest.ownership = integer(8)
    }
    return digest
  }

  /// The size of the store at `file` in bytes, after a checkpoint.
  package static func size(of file: URL) throws -> Int {
    let connection = try Connection(file)
    let pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    var size = 0
    try connection.prepare(pages).forEachRow { size = Int(sqlite3_column_int64($0, 0)) }
    return size
  }

  /// Checkpoints the log, so that copying the file copies everything.
  package static func checkpoint(_ file: URL) throws {
    try Connection(file).execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
