/// Says in words what a comparison with the baseline shows.
struct BaselineReport {
  private static let percentage = "\(Int(Baseline.tolerance * 100)) %"
  private static let remedy = "To write the new counts down: ./scripts/bench --baseline --update"

  private let comparisons: [BaselineComparison]
  private let counter: InstructionCounter
  private let baseline: Baseline

  init(_ comparisons: [BaselineComparison], _ counter: InstructionCounter, _ baseline: Baseline) {
    self.comparisons = comparisons
    self.counter = counter
    self.baseline = baseline
  }

  /// Prints what is not as in the baseline.
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

  /// Fails if an operation takes more instructions than it may. That one takes fewer is no failure.
  func check() throws {
    let failing = comparisons.filter { $0.verdict == .regression || $0.verdict == .new }
    guard failing.isEmpty else {
      throw BenchError("\(failing.count) of \(comparisons.count) operations are over the baseline or not in it.")
    }
  }
}
