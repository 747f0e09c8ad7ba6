package import Foundation

/// A running program of `Tests/Helpers`.
package final class HelperProcess {
  package struct Ending {
    package let reason: Process.TerminationReason
    package let status: Int32
    /// Output that was not read before.
    package let output: Data
    package let complaint: String

    package var isOrderly: Bool { reason == .exit && status == 0 }
  }

  private let process = Process()
  private let input = Pipe()
  /// Keeps the pipe open: a line to a program that has ended would end the writer by a signal.
  private let unreadInput: FileHandle
  private let output = Pipe()
  private let errors = Pipe()

  /// - Parameter environment: Additions to this process's environment.
  package init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    unreadInput = FileHandle(fileDescriptor: dup(input.fileHandleForReading.fileDescriptor), closeOnDealloc: true)
    // The executable is built beside the tests.
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Only the program may hold the other ends, so that reading ends with it.
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
  }

  package var isRunning: Bool { process.isRunning }

  /// Waits until the program writes output, or has ended.
  package func nextOutput() -> Data {
    output.fileHandleForReading.availableData
  }

  /// Writes a line to the program's input.
  package func writeLine(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  package func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits until the program has ended.
  package func end() throws -> Ending {
    let output = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Ending(
      reason: process.terminationReason, status: process.terminationStatus, output: output,
      complaint: String(decoding: complaint, as: UTF8.self))
  }
}
