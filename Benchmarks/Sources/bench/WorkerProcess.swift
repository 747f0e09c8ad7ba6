import Foundation

/// Starts this program again as a worker.
struct WorkerProcess {
  static let flag = "--worker"

  let folder: URL
  let interruption: Interruption

  func answer<Answer: Decodable>(to assignment: Assignment) throws -> Answer {
    let file = folder.appending(path: "answer.json")
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      Self.flag, String(decoding: try JSONEncoder().encode(assignment), as: UTF8.self), file.path,
    ]
    try process.run()
    interruption.watch(process)
    process.waitUntilExit()
    interruption.watch(nil)
    guard process.terminationReason == .exit else {
      throw BenchError("the worker was ended by signal \(process.terminationStatus)")
    }
    guard process.terminationStatus == 0 else {
      throw BenchError("the worker failed")
    }
    return try JSONDecoder().decode(Answer.self, from: Data(contentsOf: file))
  }
}
