import Foundation

/// Lets a worker control when its perf counts, by two pipes whose paths are in the environment.
struct PerfControl {
  private static let variable = "BENCH_PERF_CONTROL"

  private let folder: String

  /// Creates the pipes for perf and a worker.
  init(in folder: URL) throws {
    self.folder = folder.path
    for path in [orders, answers] {
      unlink(path)
      guard mkfifo(path, 0o600) == 0 else { throw BenchError("A pipe cannot be created at \(path).") }
    }
  }

  /// Finds the pipes of the perf that started this worker, if there is one.
  init?(of environment: [String: String]) {
    guard let folder = environment[Self.variable] else { return nil }
    self.folder = folder
  }

  var argument: String { "fifo:\(orders),\(answers)" }
  var environment: [String: String] { [Self.variable: folder] }

  func startCounting() throws {
    try order("enable")
  }

  func stopCounting() throws {
    try order("disable")
  }

  private var orders: String { folder + "/perf-orders" }
  private var answers: String { folder + "/perf-answers" }

  private func order(_ text: String) throws {
    let output = try FileHandle(forWritingTo: URL(filePath: orders))
    let input = try FileHandle(forReadingFrom: URL(filePath: answers))
    try output.write(contentsOf: Data("\(text)\n".utf8))
    _ = try input.read(upToCount: "ack\n".utf8.count)
  }
}
