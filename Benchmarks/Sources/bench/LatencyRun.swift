import SwiftDataPeer
import Workload

/// Makes a worker commit, and observes the store in this process.
struct LatencyRun {
  let options: Options
  let folder: StoreFolder
  let interruption: Interruption

  func callAsFunction() throws {
    let results = try [false, true].flatMap { isDurable in
      try measure(CommitSeries(isQuick: options.isQuick, isDurable: isDurable))
    }
    print(LatencyTable(results: results).text)
    try options.resultFile.map(LatencyFile(results: results).writeResults)
  }

  private func measure(_ series: CommitSeries) throws -> [LatencyResult] {
    let durability = series.isDurable ? "FULL" : "NORMAL"
    Progress.show("observing another process, \(durability)")
    let file = folder.file("followed \(durability)")
    let recorder = try CommitRecorder(to: file)
    let assignment = Assignment(task: .commit(series, to: file), folder: folder, peers: [])
    let commits: [Commit] = try WorkerProcess(folder: folder.url, interruption: interruption).answer(to: assignment)
    let notices = recorder.notices(until: commits.last?.transaction ?? 0)
    let burst = "bursts of \(CommitSeries.burstSize) saves, \(durability)"
    return [
      LatencyResult(name: "single saves, \(durability)", of: commits, notices) { !$0.isInBurst },
      LatencyResult(name: burst, of: commits, notices, \.isInBurst),
    ]
  }
}
