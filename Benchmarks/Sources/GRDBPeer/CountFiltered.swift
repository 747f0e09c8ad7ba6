import GRDB
import Workload

final class CountFiltered: Work {
  private static let sql = "SELECT count(*) FROM \"Item\" WHERE \"flag\" AND \"count\" < ?"

  private let store: ItemStore

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    try store.queue.read { database in
      try Int.fetchOne(database.cachedStatement(sql: Self.sql), arguments: [Selection.mediumCount]) ?? 0
    }
  }
}
