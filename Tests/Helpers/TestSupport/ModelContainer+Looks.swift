import Support

@testable import SwiftData

extension ModelContainer {
  /// Waits until the stores have looked at all that is committed to their files by now, and have told what there is to
  /// tell of that.
  ///
  /// - Returns: Whether they have.
  func haveLooked() async throws -> Bool {
    for store in stores.compactMap({ $0 as? RelationalStore }) {
      let last = try store.lastTransaction()
      let hasLooked = await comesTrue { store.follower.lastTold() >= last }
      if !hasLooked { return false }
    }
    return true
  }
}

extension StoreFollower {
  /// The number of the last transaction that was looked at. What a look has found is told before the next one begins,
  /// as which this counts.
  fileprivate func lastTold() -> Int64 {
    let last = Mutex(Int64.min)
    advance { progress, _ in
      let number = progress.last
      last.withLock { $0 = number }
      return .nothing
    }
    return last.withLock { $0 }
  }
}
