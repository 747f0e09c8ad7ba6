import Foundation
import HelperPrograms

@testable import TestSupport

/// A running `SoakTestProgram`, and what it says.
final class SoakProcess {
  private let process: HelperProcess
  private var text = Data()

  /// - Parameter mode: What its main context does.
  init(_ mode: String, store: URL, seed: UInt64) throws {
    let seconds = TestOptions.soakSeconds
    process = try HelperProcess("SoakTestProgram", [store.path, mode, "\(seconds)", "\(seed)"])
  }

  deinit {
    if process.isRunning { process.send(SIGKILL) }
  }

  /// Waits for the next line; nil when the program has ended.
  func line() -> String? {
    while true {
      if let end = text.firstIndex(of: UInt8(ascii: "\n")) {
        defer { text = Data(text[text.index(after: end)...]) }
        return String(decoding: text[..<end], as: UTF8.self)
      }
      let more = process.nextOutput()
      if more.isEmpty { return nil }
      text += more
    }
  }

  /// Tells the program that nobody writes any more.
  func noteEnd() throws {
    try process.writeLine("end")
  }

  /// Waits until the program has ended.
  ///
  /// - Returns: What it complained of; nil when it had nothing to complain of.
  func complaint() throws -> String? {
    let ending = try process.end()
    return ending.isOrderly && ending.complaint.isEmpty ? nil : "It ended with \(ending.status). \(ending.complaint)"
  }
}
