import Foundation
import GRDB
import Workload

/// A store opened with GRDB as the other peers open theirs.
struct ItemStore {
  let file: URL
  let queue: DatabaseQueue

  init(_ file: URL, isDurable: Bool = false) throws {
    self.file = file
    var configuration = Configuration()
    // This sets `synchronous = NORMAL`.
    configuration.journalMode = .wal
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(30)
    queue = try DatabaseQueue(path: file.path, configuration: configuration)
    if isDurable { try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") } }
  }

  func owners() throws -> [Owner] {
    try queue.read { try Owner.order(Owner.Columns.name).fetchAll($0) }
  }
}
