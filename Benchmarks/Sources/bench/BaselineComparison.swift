import Foundation
import Reporting

/// The instruction count of an operation, now and in the baseline.
struct BaselineComparison {
  enum Verdict {
    /// The baseline has no such operation.
    case new
    case within
    case regression
    case improvement
  }

  static let header = ["operation", "baseline, millions", "now, millions", "difference"]

  let name: String
  let before: Int?
  let now: Int

  var verdict: Verdict {
    guard let difference else { return .new }
    if difference > Baseline.tolerance { return .regression }
    return difference < -Baseline.tolerance ? .improvement : .within
  }

  /// The difference as text: "+1.2 %".
  var change: String {
    difference.map { String(format: "%+.1f %%", $0 * 100) } ?? "new"
  }

  var cells: [String] {
    [name + (verdict == .within ? "" : " !"), before?.inMillions ?? "–", now.inMillions, change]
  }

  private var difference: Double? {
    before.map { Double(now - $0) / Double($0) }
  }
}

extension [BaselineComparison] {
  /// Lists the operations with a verdict, and their differences from the baseline; nil if there are none.
  func list(_ verdict: BaselineComparison.Verdict) -> String? {
    let those = filter { $0.verdict == verdict }
    return those.isEmpty ? nil : those.map { "\($0.name) (\($0.change))" }.joined(separator: "; ")
  }
}
