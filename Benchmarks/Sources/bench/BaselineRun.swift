import Foundation
import SwiftDataPeer
import Workload

/// Counts the instructions of the main operations and compares them with those in the baseline.
struct BaselineRun {
  let options: Options
  let folder: StoreFolder
  let interruption: Interruption

  func callAsFunction() throws {
    guard options.filter.isEmpty || !options.updatesBaseline else {
      throw BenchError("The baseline is written as a whole, without --filter.")
    }
    guard let counter = InstructionCounter.findWorking() else {
      return print("Instructions cannot be counted here: perf has no counters to read, and there is no valgrind.")
    }
    let worker = WorkerProcess(folder: folder.url, interruption: interruption)
    let peers = [OpenSwiftData.name]
    _ = try worker.answer(to: Assignment(task: .build, folder: folder, peers: peers)) as Bool
    var baseline = Baseline(counter: counter)
    for scenario in Baseline.scenarios where options.includes(.time(scenario)) {
      Progress.show("counting: \(scenario.rawValue)")
      let assignment = Assignment(task: .count(scenario), folder: folder, peers: peers)
      baseline.instructions[scenario.rawValue] = try counter.count(
        of: worker.command(for: assignment), in: folder.url, interruption)
    }
    if options.updatesBaseline {
      try baseline.write(to: Baseline.file)
    } else {
      try compare(baseline, with: Baseline(contentsOf: Baseline.file))
    }
  }

  private func compare(_ current: Baseline, with old: Baseline) throws {
    if current.counter != old.counter {
      print("The baseline was counted by \(old.counter.rawValue), this by \(current.counter.rawValue).\n")
    }
    let comparisons = Baseline.scenarios.compactMap { scenario in
      current.instructions[scenario.rawValue].map {
        BaselineComparison(name: scenario.rawValue, before: old.instructions[scenario.rawValue], now: $0)
      }
    }
    let header = ["operation", "baseline, millions", "now, millions", "difference"]
    print(TextTable(header: header, rows: comparisons.map(\.cells)).text)
    if comparisons.contains(where: \.isOff) {
      print("\n! More than \(Int(Baseline.tolerance * 100)) % from the baseline.")
    }
    if options.isStrict, comparisons.contains(where: \.isOff) {
      throw BenchError("Some operations are not within \(Int(Baseline.tolerance * 100)) % of the baseline.")
    }
  }
}
