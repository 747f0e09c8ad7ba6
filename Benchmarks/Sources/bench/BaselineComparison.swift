import Foundation

/// How many instructions an operation takes, and how many it took when the baseline was written.
struct BaselineComparison {
  let name: String
  let before: Int?
  let now: Int

  /// Whether the number is new, or further from the old one than it may be, in either direction.
  var isOff: Bool {
    difference.map { abs($0) > Baseline.tolerance } ?? true
  }

  var cells: [String] {
    let change = difference.map { String(format: "%+.1f %%", $0 * 100) } ?? "new"
    return [name + (isOff ? " !" : ""), before.map(millions) ?? "–", millions(now), change]
  }

  private var difference: Double? {
    before.map { Double(now - $0) / Double($0) }
  }

  private func millions(_ count: Int) -> String {
    (Double(count) / 1e6).shortened
  }
}
