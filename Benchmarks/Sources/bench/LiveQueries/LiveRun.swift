import GRDBPeer
import SwiftDataPeer
import Timing
import Workload

/// The peers with live results. Adding a peer takes a type and a line here.
let livePeers: [any LivePeer.Type] = [LiveObservers.self, LiveObservations.self]

/// Measures live results: each case and each peer in its own worker.
struct LiveRun {
  let options: Options
  let cases: [LiveCase]
  let folder: StoreFolder
  let interruption: Interruption

  private var effort: Effort { options.isQuick ? .quick : .full }

  func callAsFunction() throws -> [LiveResult] {
    try cases.flatMap { liveCase in
      Progress.show("live results: \(liveCase.subjects[0].rawValue)")
      return try liveCase.isAboutProcesses ? followProcess(liveCase) : measure(liveCase)
    }
  }

  private func measure(_ liveCase: LiveCase) throws -> [LiveResult] {
    _ = try ask(.buildLive(liveCase), []) as Bool
    let values = try livePeers.map { peer -> [LiveValue]? in
      guard options.includes(peer: peer.name), peer.knows(liveCase.saving) || liveCase.isComparedUnsaved else {
        return nil
      }
      return try ask(.live(liveCase, effort), [peer.name])
    }
    return liveCase.subjects.indices.map { index in
      LiveResult(subject: liveCase.subjects[index], values: values.map { $0?[index] })
    }
  }

  /// Makes a worker commit, and follows it in this process. Only this library supports that.
  private func followProcess(_ liveCase: LiveCase) throws -> [LiveResult] {
    guard options.includes(peer: LiveObservers.name) else { return [] }
    let series = CommitSeries(isQuick: options.isQuick, isDurable: false)
    let file = folder.file("followed by results")
    let recorder = try DifferenceRecorder(to: file)
    let commits: [Commit] = try ask(.commit(series, to: file), [])
    let result = LatencyResult(name: "", of: commits, recorder.notices(of: commits)) { _ in true }
    guard let median = result.latencies.quantile(0.5), let highest = result.latencies.quantile(0.99) else {
      throw BenchError("No results followed another process.")
    }
    return zip(liveCase.subjects, [median, highest]).map { subject, seconds in
      LiveResult(
        subject: subject, values: livePeers.map { $0 == LiveObservers.self ? LiveValue(value: seconds * 1e3) : nil })
    }
  }

  private func ask<Answer: Decodable>(_ task: Assignment.Task, _ peers: [String]) throws -> Answer {
    try WorkerProcess(folder: folder.url, interruption: interruption).answer(
      to: Assignment(task: task, folder: folder, peers: peers))
  }
}
