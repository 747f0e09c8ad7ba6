import Workload

/// A copy of a store for insertions.
struct InsertionTarget {
  let store: ItemStore
  let ownerIDs: [Int64]

  /// - Parameter isDurable: Whether each transaction waits for the disk.
  init(_ copy: StoreCopy, isDurable: Bool = false) throws {
    store = try ItemStore(copy.make(), isDurable: isDurable)
    ownerIDs = try store.owners().map(\.id)
  }
}
