import Foundation
import Workload

/// A copy of a store for insertions.
struct InsertionTarget {
  let file: URL
  let ownerIDs: [Int64]
  let insert: ItemInsertion
  let transaction: Transactions

  /// - Parameter isDurable: Whether each transaction waits for the disk.
  init(_ copy: StoreCopy, isDurable: Bool = false) throws {
    file = try copy.make()
    let store = try ItemStore(file, isDurable: isDurable)
    ownerIDs = try store.owners().map(\.id)
    insert = try ItemInsertion(store)
    transaction = try Transactions(store.connection)
  }
}
