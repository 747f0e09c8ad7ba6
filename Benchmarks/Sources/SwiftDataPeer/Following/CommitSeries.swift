package import Foundation
import SwiftData
import Timing
import Workload

/// Saves with pauses of irregular length, and bursts of saves without pauses.
package struct CommitSeries: Codable, Sendable {
  package static let burstSize = 20
  /// The shortest pause in nanoseconds before a save that does not continue a burst.
  package static let leastPause = Int64(pauses.lowerBound) * 1_000
  /// The pause in microseconds. It is irregular, so that the other process cannot synchronize with it.
  private static let pauses: ClosedRange<useconds_t> = 5_000...50_000

  package let isDurable: Bool
  private let singleCount: Int
  private let burstCount: Int

  package init(isQuick: Bool, isDurable: Bool) {
    self.isDurable = isDurable
    singleCount = isQuick ? 200 : 1_000
    burstCount = isQuick ? 20 : 100
  }

  /// Makes the saves, of one change each.
  package func commit(to file: URL) throws -> [Commit] {
    let context = try ItemStore(file, isDurable: isDurable, history: .usual).makeContext()
    let item = Item(ItemSeed(number: 0), owner: nil)
    context.insert(item)
    try context.save()
    guard var transaction = try context.lastTransaction()?.transactionIdentifier else {
      throw CocoaError(.coderValueNotFound)
    }
    var commits: [Commit] = []
    let sizes = Array(repeating: 1, count: singleCount) + Array(repeating: Self.burstSize, count: burstCount)
    for size in sizes.shuffled() {
      usleep(.random(in: Self.pauses))
      for _ in 0..<size {
        item.count += 1
        transaction += 1
        let start = MonotonicClock.now
        try context.save()
        commits.append(
          Commit(transaction: transaction, start: start, end: MonotonicClock.now, isInBurst: size > 1))
      }
    }
    let last = try context.lastTransaction()?.transactionIdentifier
    precondition(last == transaction, "Another process has saved to the store.")
    return commits
  }
}
