import Workload

/// A copy of a store, ready to take items.
struct InsertionTarget {
  let store: ItemStore
  let ownerIDs: [Int64]

  init(_ copy: StoreCopy) throws {
    store = try ItemStore(copy.make())
    ownerIDs = try store.owners().map(\.id)
  }
}
