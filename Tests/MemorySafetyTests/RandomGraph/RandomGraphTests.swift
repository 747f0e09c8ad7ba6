import Testing

@testable import TestSupport

@Suite("Random operations compared with a reference model", .serialized)
struct RandomGraphTests {
  /// Several short runs, because a long-lived context holds many models in memory.
  private static let runLength = 2000

  @Test("A context, its store and a reopened container agree with the reference model")
  func oneContext() {
    check(sides: 1, operations: TestOptions.randomOperations)
  }

  @Test("Two contexts of a container see each other's saves, and the last writer of a property wins")
  func twoContexts() {
    check(sides: 2, operations: TestOptions.randomOperations / 20)
  }

  private func check(sides: Int, operations count: Int) {
    for run in 0..<((count + Self.runLength - 1) / Self.runLength) {
      let seed = TestOptions.seed &+ UInt64(run) &* 1000
      var random = SeededGenerator(seed: seed)
      let operations = GraphOperation.random(min(count, Self.runLength), using: &random)
      guard let failure = GraphRun.run(operations, sides: sides) else { continue }
      let failing = Array(operations.prefix(failure.index + 1))
      // A comparison after each operation finds a failure sooner, but reads models that would otherwise stay faults.
      let sooner = GraphRun.run(failing, sides: sides, comparingEvery: 1)
      let interval = sooner == nil ? GraphRun.comparisonInterval : 1
      let shortest = Shrinking.shrink(Array(failing.prefix((sooner ?? failure).index + 1)), seconds: 20) {
        GraphRun.run($0, sides: sides, comparingEvery: interval)?.index
      }
      let last = GraphRun.run(shortest, sides: sides, comparingEvery: interval)
      Issue.record(
        """
        OSD_SEED=\(TestOptions.seed), run \(run), operation \(failure.index): \(failure.message)
        The last operations:
          \(failure.log.joined(separator: "\n  "))
        Shrunk to \(shortest.count), compared every \(interval): \(last?.message ?? "")
          \(last?.log.joined(separator: "\n  ") ?? "")
        """)
      return
    }
  }
}
