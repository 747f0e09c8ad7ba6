import Foundation
import Workload

/// A copy of a store, ready to take items.
struct InsertionTarget {
  let file: URL
  let ownerIDs: [Int64]
  let insert: ItemInsertion
  let transaction: Transactions

  init(_ copy: StoreCopy) throws {
    file = try copy.make()
    let store = try ItemStore(file)
    ownerIDs = try store.owners().map(\.id)
    insert = try ItemInsertion(store)
    transaction = try Transactions(store.connection)
  }
}
