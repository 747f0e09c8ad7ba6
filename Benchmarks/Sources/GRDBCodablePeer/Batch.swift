import GRDB
import Workload

/// The items to change or delete in a copy of a store.
struct Batch {
  let store: ItemStore
  let items: [Item]

  init(in copy: StoreCopy) throws {
    store = try ItemStore(copy.make())
    items = try store.queue.read { database in
      try Item.order(Item.Columns.created).limit(Selection.batch.count).fetchAll(database)
    }
  }
}
