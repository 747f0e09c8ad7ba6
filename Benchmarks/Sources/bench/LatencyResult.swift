import SwiftDataPeer
import Timing

/// How long after commits of another process this one was told.
struct LatencyResult {
  let name: String
  /// How many commits there were.
  private(set) var count = 0
  /// In seconds, from the end of `save()` there to the notice here. Zero when the notice was earlier.
  let latencies: Distribution
  /// The commits of which nobody was told before there was another one, though that was only after a pause.
  let missed: Int

  /// - Parameters:
  ///   - commits: In the order of their transactions.
  ///   - notices: In the order of their times.
  ///   - isIncluded: Which of the commits are meant.
  init(name: String, of commits: [Commit], _ notices: [CommitNotice], _ isIncluded: (Commit) -> Bool) {
    self.name = name
    var rest = notices[...]
    var latencies: [Double] = []
    var missed = 0
    for (index, commit) in commits.enumerated() {
      // A notice from before the save may well find its transaction by the time that it looks.
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
