import Foundation
import HelperPrograms
import PostgresTestModels
import Support

/// A running `PostgresTestProgram`, whose output a thread reads.
///
/// `@unchecked Sendable` because the thread that reads only waits for output, and ends before `finish` reads the rest.
final class ProgramRun: @unchecked Sendable {
  private let process: HelperProcess
  private let output = Mutex(Data())
  private let wasKilled = Mutex(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - kind: What the program does.
  ///   - name: The beginning of the names of its clients.
  ///   - times: How often each thread does it; nil until it is stopped.
  ///   - isPooled: Whether the URL is that of a pooler.
  init(
    _ kind: String, url: String, namespace: String, name: String, threads: Int, times: Int? = nil,
    isPooled: Bool = false
  ) throws {
    process = try HelperProcess(
      "PostgresTestProgram", [kind, url, namespace, name, "\(threads)"] + (times.map { ["\($0)"] } ?? []),
      environment: ["OSD_TEST_POOLER": isPooled ? "1" : "0"])
    Thread.detachNewThread { [self] in
      while case let data = process.nextOutput(), !data.isEmpty { output.withLock { $0 += data } }
      hasEnded.signal()
    }
  }

  var isRunning: Bool { process.isRunning }

  func stop() throws { try process.writeLine("stop") }

  func kill() {
    wasKilled.withLock { $0 = true }
    process.send(SIGKILL)
  }

  /// Waits for the end.
  ///
  /// - Returns: The number of the last acknowledged step of each client, and what the program has complained about.
  func finish() throws -> (acknowledged: [String: Int], complaints: [String]) {
    hasEnded.wait()
    let ending = try process.end()
    let text = String(decoding: output.withLock { $0 }, as: UTF8.self)
    var acknowledged: [String: Int] = [:]
    // A line without its end was truncated by a kill.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ")
      if words.count == 3, let number = Int(words[2]) {
        acknowledged[String(words[1])] = max(number, acknowledged[String(words[1])] ?? 0)
      }
    }
    // Other lines are those of the log.
    var complaints = ending.complaint.split(separator: "\n").filter { $0.hasPrefix("complaint: ") }.map(String.init)
    if !wasKilled.withLock({ $0 }), !ending.isOrderly {
      complaints.append("status \(ending.status): \(ending.complaint)")
    }
    return (acknowledged, complaints)
  }
}
