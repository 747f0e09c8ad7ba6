import SwiftDataPeer
import Workload

/// Measures the activity of an idle process with an open container.
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
