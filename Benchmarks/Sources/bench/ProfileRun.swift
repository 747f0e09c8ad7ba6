import Foundation
import RawPeer
import Reporting
import SwiftDataPeer
import Workload

/// Shows the purposes of the main operations' instructions, in raw C and with this library.
struct ProfileRun {
  let options: Options
  let folder: StoreFolder
  let interruption: Interruption

  func callAsFunction() throws {
    guard InstructionCounter.callgrind.works else {
      return print("Profiles need callgrind, which Debian's package valgrind has.")
    }
    let worker = WorkerProcess(folder: folder.url, interruption: interruption)
    let build = Assignment(task: .build, folder: folder, peers: [OpenSwiftData.name])
    _ = try worker.answer(to: build) as Bool
    var rows: [[String]] = []
    for scenario in Baseline.scenarios where options.includes(.time(scenario)) {
      Progress.show("counting: \(scenario.rawValue)")
      for peer in [RawC.name, OpenSwiftData.name] {
        let assignment = Assignment(task: .count(scenario), folder: folder, peers: [peer])
        let file = try InstructionCounter.callgrindFile(
          of: worker.command(for: assignment), in: folder.url, interruption)
        rows.append(cells(scenario, peer, InstructionProfile(callgrind: file)))
      }
    }
    let header = ["operation, millions of instructions", "all"] + InstructionProfile.Purpose.allCases.map(\.rawValue)
    print(TextTable(header: header, rows: rows).text)
  }

  private func cells(_ scenario: Scenario, _ peer: String, _ profile: InstructionProfile) -> [String] {
    let counts = [profile.total] + InstructionProfile.Purpose.allCases.map { profile.counts[$0] ?? 0 }
    return ["\(scenario.rawValue): \(peer)"] + counts.map(\.inMillions)
  }
}
