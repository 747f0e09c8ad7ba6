/// The progress of a task of known length: a bar that redraws itself in a terminal, otherwise a line for each quarter.
struct ProgressBar {
  private static let widestBar = 40

  private let report: Report
  private let total: Int
  private var shown: Int?

  init(total: Int, report: Report) {
    self.total = total
    self.report = report
  }

  mutating func show(_ done: Int) {
    // Steps that would look the same are not redrawn.
    let step = done * (report.isTerminal ? Self.widestBar : 4) / max(total, 1)
    guard step != shown else { return }
    shown = step
    if report.isTerminal {
      report.redraw(Self.text(done, of: total, columns: report.columnCount))
    } else if step > 0 {
      report.line("\(step * 25) %, \(done) of \(total) rows")
    }
  }

  func end() {
    if report.isTerminal, shown != nil { report.write("\n") }
  }

  /// The bar and the numbers in less than `columns` characters: a line that fills a terminal would wrap, and could not be
  /// redrawn. A narrow terminal shows only the numbers.
  static func text(_ done: Int, of total: Int, columns: Int) -> String {
    let numbers = "  \(done) of \(total) rows"
    let width = min(widestBar, columns - 1 - numbers.count - 1)
    guard width >= 4 else { return String(numbers.prefix(max(0, columns - 1))) }
    let filled = min(width, done * width / max(total, 1))
    return "  " + String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
      + numbers.dropFirst()
  }
}
