import Foundation

/// How much memory this process holds, as the kernel counts it, in bytes.
package struct ResidentMemory {
  private struct Unknown: Error, CustomStringConvertible {
    let field: String

    var description: String { "The kernel does not tell \(field) in /proc/self/status." }
  }

  package let current: Int
  package let peak: Int

  /// Reads the kernel's account, which only Linux gives in this form.
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

  /// Lets the peak start again from what is held now.
  package static func resetPeak() throws {
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }
}
