import SwiftDataPeer
import Timing

/// The time between commits of another process and the notifications in this one.
struct LatencyResult {
  let name: String
  /// The number of commits.
  private(set) var count = 0
  /// In seconds, from the return of `save()` there to the notification here. Zero when the notification was earlier.
  let latencies: Distribution
  /// The number of commits without a notification before the next one, although there was a pause.
  let missed: Int

  /// - Parameters:
  ///   - commits: In the order of their transactions.
  ///   - notices: In the order of their times.
  ///   - isIncluded: Selects the commits to measure.
  init(name: String, of commits: [Commit], _ notices: [CommitNotice], _ isIncluded: (Commit) -> Bool) {
    self.name = name
    var rest = notices[...]
    var latencies: [Double] = []
    var missed = 0
    for (index, commit) in commits.enumerated() {
      // A notice from before the save may find its transaction when it reads the store.
      rest = rest.drop { $0.transaction < commit.transaction || $0.time < commit.start }
      guard isIncluded(commit) else { continue }
      count += 1
      guard let notice = rest.first else {
        missed += 1
        continue
      }
      latencies.append(Double(max(0, notice.time - commit.end)) / 1e9)
      let next = commits.dropFirst(index + 1).first?.start ?? .max
      if notice.time > next, next - commit.end >= CommitSeries.leastPause { missed += 1 }
    }
    self.latencies = Distribution(of: latencies)
    self.missed = missed
  }
}
