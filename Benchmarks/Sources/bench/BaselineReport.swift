/// Prints a comparison with the baseline.
struct BaselineReport {
  private static let percentage = "\(Int(Baseline.tolerance * 100)) %"
  private static let remedy = "To record the new counts: ./scripts/bench --baseline --update"

  private let comparisons: [BaselineComparison]
  private let counter: InstructionCounter
  private let baseline: Baseline

  init(_ comparisons: [BaselineComparison], _ counter: InstructionCounter, _ baseline: Baseline) {
    self.comparisons = comparisons
    self.counter = counter
    self.baseline = baseline
  }

  /// Prints the differences from the baseline.
  func show() {
    if counter != baseline.counter {
      print("\nThe baseline was counted by \(baseline.counter.rawValue), this by \(counter.rawValue).")
    }
    let findings = [
      comparisons.list(.regression).map { "Over \(Self.percentage) more instructions than in the baseline: \($0)." },
      comparisons.list(.improvement).map { "Over \(Self.percentage) fewer instructions than in the baseline: \($0)." },
      comparisons.list(.new).map { "Not in the baseline: \($0)." },
    ].compactMap(\.self)
    if !findings.isEmpty { print("\n" + (findings + [Self.remedy]).joined(separator: "\n")) }
  }

  /// Throws if an operation takes too many instructions. Fewer instructions are not a failure.
  func check() throws {
    let failing = comparisons.filter { $0.verdict == .regression || $0.verdict == .new }
    guard failing.isEmpty else {
      throw BenchError("\(failing.count) of \(comparisons.count) operations are over the baseline or not in it.")
    }
  }
}
