import SwiftData
import Workload

/// A copy of a store, ready to take items.
struct InsertionTarget {
  let store: ItemStore
  let context: ModelContext
  let owners: [Owner]

  init(_ copy: StoreCopy) throws {
    store = try ItemStore(copy.make())
    context = store.makeContext()
    owners = try context.owners()
  }
}
