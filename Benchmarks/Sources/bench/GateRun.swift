import Reporting
import SwiftDataPeer
import Workload

/// Counts the instructions of a few operations of this library, and fails if one takes more than in the baseline.
struct GateRun {
  let folder: StoreFolder
  let interruption: Interruption

  func callAsFunction() throws {
    let baseline = try Baseline(contentsOf: Baseline.file)
    let counter = try InstructionCounter.findWorking(preferring: baseline.counter)
    let worker = WorkerProcess(folder: folder.url, interruption: interruption)
    _ = try worker.answer(to: Assignment(task: .buildItems, folder: folder, peers: [])) as Bool
    let runs = Baseline.gate.map { CountedRun(scenario: $0, peer: OpenSwiftData.self) }
    let counts = try InstructionCounting(counter: counter, folder: folder, interruption: interruption)(runs)
    let comparisons = zip(runs, counts).compactMap { run, count in
      count.map { baseline.comparison(of: run.scenario, with: $0) }
    }
    print(TextTable(header: BaselineComparison.header, rows: comparisons.map(\.cells)).text)
    let report = BaselineReport(comparisons, counter, baseline)
    report.show()
    try report.check()
  }
}
