package import Foundation
import SwiftData
import Timing
import Workload

/// Records when results change because another process saves. It is used on the main thread, which must run its run loop.
package final class DifferenceRecorder {
  private let observer: ResultsObserver<Item, Never>
  private let connection: ResultsConnection
  private let list = ListOfOne()

  /// Opens a store in which another process will make a `CommitSeries`.
  package init(to file: URL) throws {
    let context = try ItemStore(file, history: .usual).makeContext()
    observer = try ResultsObserver(sortBy: [SortDescriptor(\Item.count)], modelContext: context)
    connection = observer.connect(list)
  }

  /// The results shown for the commits of a series, until the last one or after some seconds.
  package func notices(of commits: [Commit]) -> [CommitNotice] {
    guard let first = commits.first, let last = commits.last else { return [] }
    // Each commit increments the count of the only item.
    let offset = Int64(ItemSeed(number: 0).count) + 1 - first.transaction
    for _ in 0..<200 where list.shown.last.map({ Int64($0.count) - offset < last.transaction }) ?? true {
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
    }
    return withExtendedLifetime(connection) {
      list.shown.map { CommitNotice(time: $0.time, transaction: Int64($0.count) - offset) }
    }
  }

  private final class ListOfOne: ResultsAdapter {
    private(set) var shown: [(time: Int64, count: Int)] = []

    func show(_ results: FetchResultsCollection<Item>) {}

    func show(_ results: FetchResultsCollection<Item>, changedBy difference: ResultsDifference) {
      guard let item = results.first else { return }
      shown.append((MonotonicClock.now, item.count))
    }
  }
}
