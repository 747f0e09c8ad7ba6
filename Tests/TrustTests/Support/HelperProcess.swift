import Foundation

/// A running program of `Tests/Helpers`.
final class HelperProcess {
  struct Ending {
    let reason: Process.TerminationReason
    let status: Int32
    /// What it has said that nobody has read.
    let output: Data
    let complaint: String

    var isOrderly: Bool { reason == .exit && status == 0 }
  }

  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  init(_ name: String, _ arguments: [String]) throws {
    // Built beside the tests.
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Only the program shall hold the other ends, so that reading ends with it.
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
  }

  var isRunning: Bool { process.isRunning }

  /// Waits until the program says something, or has ended.
  func nextOutput() -> Data {
    output.fileHandleForReading.availableData
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits until the program has ended.
  func end() throws -> Ending {
    let output = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Ending(
      reason: process.terminationReason, status: process.terminationStatus, output: output,
      complaint: String(decoding: complaint, as: UTF8.self))
  }
}
