import Foundation

/// The resident memory of this process in bytes, as the kernel counts it.
package struct ResidentMemory {
  private struct Unknown: Error, CustomStringConvertible {
    let field: String

    var description: String { "The field \(field) is missing in /proc/self/status." }
  }

  package let current: Int
  package let peak: Int

  /// Reads the kernel's counts, which exist in this form only on Linux.
  package init() throws {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    func bytes(_ field: String) throws -> Int {
      let words = lines.first { $0.hasPrefix(field + ":") }?.split(whereSeparator: \.isWhitespace)
      guard let words, words.count > 1, let kilobytes = Int(words[1]) else { throw Unknown(field: field) }
      return kilobytes * 1024
    }
    current = try bytes("VmRSS")
    peak = try bytes("VmHWM")
  }

  /// Resets the peak to the current memory.
  package static func resetPeak() throws {
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }
}
