import Support

@testable import SwiftData

extension ModelContainer {
  /// Waits until the stores have read all transactions that are committed to their files by now, and have notified of them.
  ///
  /// - Returns: Whether they have.
  func hasCaughtUp() async throws -> Bool {
    for store in stores.compactMap({ $0 as? RelationalStore }) {
      let last = try store.lastTransaction()
      let hasRead = await comesTrue { store.follower.lastRead() >= last }
      if !hasRead { return false }
    }
    return true
  }
}

extension StoreFollower {
  /// The number of the last transaction that was read and notified of: a read notifies before the next one starts, and this
  /// counts as one.
  fileprivate func lastRead() -> Int64 {
    let last = Mutex(Int64.min)
    advance { progress, _ in
      let number = progress.last
      last.withLock { $0 = number }
      return .nothing
    }
    return last.withLock { $0 }
  }
}
