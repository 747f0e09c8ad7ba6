import Foundation
import Reporting
import SwiftDataPeer
import Workload

/// Counts the instructions of the main operations, compares them with those in the baseline and with those of other peers,
/// or writes the baseline.
struct BaselineRun {
  let options: Options
  let folder: StoreFolder
  let interruption: Interruption

  func callAsFunction() throws {
    if options.updatesBaseline {
      try update()
    } else {
      try compare()
    }
  }

  /// Counts with the same tool as the last time, because another one may count a little differently.
  private func update() throws {
    guard options.filter.isEmpty else { throw BenchError("The baseline is written as a whole, without --filter.") }
    let old = try? Baseline(contentsOf: Baseline.file)
    let counter = try InstructionCounter.findWorking(preferring: old?.counter)
    var baseline = Baseline(counter: counter)
    let counts = try count(Baseline.scenarios, by: [OpenSwiftData.self], counter)
    for (scenario, counts) in zip(Baseline.scenarios, counts) { baseline.instructions[scenario.rawValue] = counts[0] }
    try baseline.write(to: Baseline.file)
  }

  private func compare() throws {
    let baseline = try Baseline(contentsOf: Baseline.file)
    let counter = try InstructionCounter.findWorking(preferring: baseline.counter)
    let scenarios = Baseline.scenarios.filter { options.includes(.time($0)) }
    let counts = try count(scenarios, by: [OpenSwiftData.self] + PeerComparison.peers, counter)
    var comparisons: [BaselineComparison] = []
    var rows: [[String]] = []
    for (scenario, counts) in zip(scenarios, counts) {
      guard let library = counts[0] else { continue }
      let comparison = baseline.comparison(of: scenario, with: library)
      comparisons.append(comparison)
      rows.append(comparison.cells + PeerComparison(library: library, rawC: counts[1], byHand: counts[2]).cells)
    }
    print(TextTable(header: BaselineComparison.header + PeerComparison.header, rows: rows).text)
    BaselineReport(comparisons, counter, baseline).show()
  }

  /// The instructions of each scenario by each peer.
  private func count(
    _ scenarios: [Scenario], by peers: [any Peer.Type], _ counter: InstructionCounter
  ) throws -> [[Int?]] {
    let worker = WorkerProcess(folder: folder.url, interruption: interruption)
    _ = try worker.answer(to: Assignment(task: .build, folder: folder, peers: [])) as Bool
    let runs = scenarios.flatMap { scenario in peers.map { CountedRun(scenario: scenario, peer: $0) } }
    let counts = try InstructionCounting(counter: counter, folder: folder, interruption: interruption)(runs)
    return stride(from: 0, to: counts.count, by: peers.count).map { Array(counts[$0..<$0 + peers.count]) }
  }
}
