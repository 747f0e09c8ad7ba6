import Foundation

/// Writes the demo's output, without a buffer so that it appears as the work goes on.
struct Report {
  private let output = FileHandle.standardOutput

  /// Whether the output is a terminal that can redraw a line; a file, a pipe or a dumb terminal cannot.
  let isTerminal =
    isatty(FileHandle.standardOutput.fileDescriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// The current width of the terminal in characters.
  var columnCount: Int {
    var size = winsize()
    guard ioctl(output.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Ends the program when the output cannot be written, for example because the disk is full.
  func write(_ text: String) {
    do {
      try output.write(contentsOf: Data(text.utf8))
    } catch {
      let message = "Error: the output cannot be written: \(error.localizedDescription)\n"
      try? FileHandle.standardError.write(contentsOf: Data(message.utf8))
      exit(EX_IOERR)
    }
  }

  /// Replaces the terminal's current line.
  func redraw(_ text: String) {
    write("\r\(text)\u{1B}[K")
  }

  func title(_ text: String) {
    write(text + "\n")
  }

  func heading(_ text: String) {
    write("\n" + (isTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text) + "\n")
  }

  func line(_ text: String) {
    write("  " + text + "\n")
  }

  /// Writes rows of two columns, the second of them aligned.
  func columns(_ rows: [(String, String)]) {
    let width = rows.map(\.0.count).max() ?? 0
    for (first, second) in rows {
      line(first + String(repeating: " ", count: width - first.count) + "  " + second)
    }
  }

  /// Writes numbers, aligned to the right, with their labels.
  func numbers(_ rows: [(Int, String)]) {
    let width = rows.map { String($0.0).count }.max() ?? 0
    for (number, label) in rows {
      let digits = String(number)
      line(String(repeating: " ", count: width - digits.count) + digits + "  " + label)
    }
  }
}

extension Report {
  /// A number and a noun, in the plural where the number asks for it.
  static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) " + (number == 1 ? singular : plural ?? singular + "s")
  }

  /// Names in one sentence, cut short when there are more than `limit`.
  static func list(_ names: [String], limit: Int = 6) -> String {
    guard !names.isEmpty else { return "none" }
    let shown = names.prefix(limit).joined(separator: ", ")
    return names.count > limit ? shown + " and \(names.count - limit) more" : shown
  }

  static func milliseconds(_ duration: Duration) -> String {
    "\(Int((duration / .milliseconds(1)).rounded(.up))) ms"
  }
}
