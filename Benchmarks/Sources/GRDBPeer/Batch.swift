import GRDB
import Workload

/// The items to change or delete in a copy of a store.
struct Batch {
  private static let sql = Item.select + " ORDER BY \"created\" LIMIT ?"

  let store: ItemStore
  let items: [Item]

  init(in copy: StoreCopy) throws {
    store = try ItemStore(copy.make())
    items = try store.queue.read { try Item.fetchAll($0, sql: Self.sql, arguments: [Selection.batch.count]) }
  }
}
