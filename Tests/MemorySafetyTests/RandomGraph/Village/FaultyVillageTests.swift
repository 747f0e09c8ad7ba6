import Testing

@testable import TestSupport

@Suite("Random database failures under an object graph")
struct FaultyVillageTests {
  private static let runLength = 60

  @Test("An operation that meets a failure happens as a whole or not at all, and succeeds on retry")
  func failures() {
    let count = TestOptions.randomOperations / 80
    for run in 0..<((count + Self.runLength - 1) / Self.runLength) {
      let seed = TestOptions.seed &+ UInt64(run) &* 1000
      var random = SeededGenerator(seed: seed)
      let steps = (0..<Self.runLength).map { _ in random.next() }
      guard let failure = FaultyVillage.run(steps, populatedFrom: seed) else { continue }
      let shortest = Shrinking.shrink(Array(steps.prefix(failure.index + 1)), seconds: 15) { steps in
        FaultyVillage.run(steps, populatedFrom: seed).flatMap { $0.kind == failure.kind ? $0.index : nil }
      }
      let last = FaultyVillage.run(shortest, populatedFrom: seed)
      Issue.record(
        """
        OSD_SEED=\(TestOptions.seed), run \(run), step \(failure.index): \(failure.message)
        Shrunk to \(shortest.count): \(last?.message ?? "")
          \(last?.log.joined(separator: "\n  ") ?? "")
        """)
      return
    }
  }
}
