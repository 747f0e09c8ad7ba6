/// How far a task of known length has come: a bar that redraws itself in a terminal, a line a quarter elsewhere.
struct ProgressBar {
  private let report: Report
  private let total: Int
  private var shown: Int?

  init(total: Int, report: Report) {
    self.total = total
    self.report = report
  }

  mutating func show(_ done: Int) {
    // Steps that would look the same are not drawn again.
    let step = done * (report.isTerminal ? 40 : 4) / max(total, 1)
    guard step != shown else { return }
    shown = step
    if report.isTerminal {
      let bar = String(repeating: "█", count: step) + String(repeating: "░", count: 40 - step)
      report.write("\r  \(bar) \(done) of \(total) rows")
    } else if step > 0 {
      report.line("\(step * 25) %, \(done) of \(total) rows")
    }
  }

  func end() {
    if report.isTerminal, shown != nil { report.write("\n") }
  }
}
