import Foundation

/// Starts this program as a worker.
struct WorkerProcess {
  static let flag = "--worker"

  let folder: URL
  let interruption: Interruption

  private var answerFile: URL {
    folder.appending(path: "answer.json")
  }

  /// The command line of a worker for `assignment`.
  func command(for assignment: Assignment) throws -> [String] {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    return [program, Self.flag, String(decoding: try JSONEncoder().encode(assignment), as: UTF8.self), answerFile.path]
  }

  func answer<Answer: Decodable>(to assignment: Assignment) throws -> Answer {
    let command = try command(for: assignment)
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    try process.run()
    interruption.watch(process)
    process.waitUntilExit()
    interruption.forget(process)
    guard process.terminationReason == .exit else {
      throw BenchError("the worker was ended by signal \(process.terminationStatus)")
    }
    guard process.terminationStatus == 0 else {
      throw BenchError("the worker failed")
    }
    return try JSONDecoder().decode(Answer.self, from: Data(contentsOf: answerFile))
  }
}
