import SwiftDataPeer
import Workload

/// Finds out what a process with an open container does when there is nothing to do.
struct IdleRun {
  let options: Options
  let folder: StoreFolder
  let interruption: Interruption

  func callAsFunction() throws {
    let results = try IdleProcess.Listening.allCases.map { listening in
      let assignment = Assignment(task: .idle(listening, seconds: options.seconds), folder: folder, peers: [])
      let worker = WorkerProcess(folder: folder.url, interruption: interruption)
      return IdleResult(name: listening.rawValue, activity: try worker.answer(to: assignment))
    }
    print(IdleTable(seconds: options.seconds, results: results).text)
    try options.resultFile.map(["idle": results].writeResults)
  }
}
