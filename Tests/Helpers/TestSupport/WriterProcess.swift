import Foundation
import HelperPrograms

/// A running `KillTestWriter`, and its acknowledged saves.
final class WriterProcess {
  private let process: HelperProcess
  private var text = Data()

  /// - Parameter count: How often it counts up before it ends; nil to write until it is killed.
  init(store: URL, count: Int? = nil) throws {
    process = try HelperProcess("KillTestWriter", [store.path] + (count.map { ["\($0)"] } ?? []))
  }

  /// Waits until something is acknowledged, or the writer has ended.
  func waitForFirstAcknowledgement() {
    text += process.nextOutput()
  }

  /// Waits for the end of a writer that ends by itself.
  ///
  /// - Returns: Its error messages.
  func complaint() throws -> String {
    let ending = try process.end()
    return (ending.isOrderly ? "" : "It ended with \(ending.status). ") + ending.complaint
  }

  /// Kills the writer.
  ///
  /// - Returns: The number of the last save that it acknowledged, if any, and its error messages.
  func kill() throws -> (last: Int?, complaint: String) {
    process.send(SIGKILL)
    let ending = try process.end()
    text += ending.output
    // A line without its end was truncated by the kill; its save is committed all the same, but was not acknowledged.
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let last = lines.dropLast().last.flatMap { Int($0.dropFirst("saved ".count)) }
    return (last, ending.complaint)
  }
}
