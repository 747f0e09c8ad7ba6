import Foundation
import HelperPrograms

@testable import TestSupport

/// A running `SoakTestProgram` and its output.
final class SoakProcess {
  private let process: HelperProcess
  private var text = Data()

  /// - Parameter mode: How the main context of the program works.
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

  /// Informs the program that all writers are done.
  func noteEnd() throws {
    try process.writeLine("end")
  }

  /// Waits until the program has ended.
  ///
  /// - Returns: Its error message, or nil.
  func complaint() throws -> String? {
    let ending = try process.end()
    return ending.isOrderly && ending.complaint.isEmpty ? nil : "It ended with \(ending.status). \(ending.complaint)"
  }
}
