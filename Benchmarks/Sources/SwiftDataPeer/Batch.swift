import SwiftData
import Workload

/// The registered items to change or delete in a copy of a store.
struct Batch {
  let store: ItemStore
  let context: ModelContext
  let items: [Item]

  init(in copy: StoreCopy, history: History) throws {
    store = try ItemStore(copy.make(), history: history)
    context = store.makeContext()
    items = try context.batch()
  }
}
