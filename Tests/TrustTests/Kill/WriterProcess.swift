import Foundation

/// A running `KillTestWriter`, and what it has acknowledged.
final class WriterProcess {
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private var text = Data()

  /// - Parameter count: How often it counts up before it ends; nil for one that writes until it is killed.
  init(store: URL, count: Int? = nil) throws {
    process.executableURL = Self.executable
    process.arguments = [store.path] + (count.map { ["\($0)"] } ?? [])
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Only the writer shall hold the other ends, so that reading ends with it.
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
  }

  /// Built beside the tests.
  private static var executable: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("KillTestWriter")
  }

  /// Waits until something is acknowledged, or the writer has ended.
  func waitForFirstAcknowledgement() {
    text += output.fileHandleForReading.availableData
  }

  /// Waits for the end of a writer that ends by itself.
  ///
  /// - Returns: What it complained of.
  func complaint() throws -> String {
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let ending = process.terminationStatus == 0 ? "" : "It ended with \(process.terminationStatus). "
    return ending + String(decoding: complaint, as: UTF8.self)
  }

  /// Kills the writer.
  ///
  /// - Returns: the number of the last save that it acknowledged, if any, and what it complained of.
  func kill() throws -> (last: Int?, complaint: String) {
    Foundation.kill(process.processIdentifier, SIGKILL)
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    // A line without its end was cut off by the kill; its save is done all the same, but was not acknowledged.
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let last = lines.dropLast().last.flatMap { Int($0.dropFirst("saved ".count)) }
    return (last, String(decoding: complaint, as: UTF8.self))
  }
}
