import SwiftData
import Workload

/// A copy of a store for insertions.
struct InsertionTarget {
  let store: ItemStore
  let context: ModelContext
  let owners: [Owner]

  /// - Parameter isDurable: Whether each transaction waits for the disk.
  init(_ copy: StoreCopy, isDurable: Bool = false, history: History) throws {
    store = try ItemStore(copy.make(), isDurable: isDurable, history: history)
    context = store.makeContext()
    owners = try context.owners()
  }
}
