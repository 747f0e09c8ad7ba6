import Dispatch
import Foundation
import Synchronization
import Workload

/// One run of a scenario by a peer, in which a tool counts.
struct CountedRun {
  let scenario: Scenario
  let peer: any Peer.Type
}

/// Makes workers run scenarios and counts their instructions: two at a time, because a count does not depend on the load of the
/// machine.
struct InstructionCounting {
  let counter: InstructionCounter
  /// The stores of the workers.
  let folder: StoreFolder
  let interruption: Interruption

  /// The instructions of each run, or nil for a peer that does not support the scenario.
  func callAsFunction(_ runs: [CountedRun]) throws -> [Int?] {
    let folders = try [folder, copyOfFolder()]
    let waiting = Mutex(runs.indices)
    let results = Mutex<[Int: Result<Int?, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: folders.count) { index in
      while let run = waiting.withLock({ $0.popFirst() }) {
        let result = Result { try count(runs[run], in: folders[index]) }
        results.withLock { $0[run] = result }
        // A failed run stops the others.
        if case .failure = result { waiting.withLock { $0 = $0.endIndex..<$0.endIndex } }
      }
    }
    return try results.withLock { $0 }.sorted { $0.key < $1.key }.map { try $0.value.get() }
  }

  private func count(_ run: CountedRun, in folder: StoreFolder) throws -> Int? {
    let worker = WorkerProcess(folder: folder.url, interruption: interruption)
    func assignment(_ task: Assignment.Task) -> Assignment {
      Assignment(task: task, folder: folder, peers: [run.peer.name])
    }
    guard try worker.answer(to: assignment(.offers(run.scenario))) else { return nil }
    Progress.show("counting: \(run.scenario.rawValue), \(run.peer.name)")
    return try counter.count(of: worker.command(for: assignment(.count(run.scenario))), in: folder.url, interruption)
  }

  /// A copy of the stores, because concurrent workers write files of the same names.
  private func copyOfFolder() throws -> StoreFolder {
    let manager = FileManager.default
    let files = try manager.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
    let copy = folder.url.appending(path: "copy")
    try manager.createDirectory(at: copy, withIntermediateDirectories: false)
    for file in files { try manager.copyItem(at: file, to: copy.appending(path: file.lastPathComponent)) }
    return StoreFolder(url: copy)
  }
}
