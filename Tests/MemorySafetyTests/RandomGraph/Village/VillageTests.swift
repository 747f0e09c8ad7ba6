import FaultyDriver
import SwiftData
import Testing

@testable import TestSupport

@Suite("Random operations of several contexts on one object graph", .serialized)
struct VillageTests {
  /// Runs are short, so that many begin with nothing loaded.
  private static let runLength = 400

  @Test("A context agrees with the store after each rollback and save, however little it has read")
  func oneContext() {
    check(sides: 1, isContended: false, operations: TestOptions.randomOperations / 10)
  }

  @Test("Contexts that take turns agree with the store after each rollback, save and refresh")
  func turns() {
    check(sides: 2, isContended: false, operations: TestOptions.randomOperations / 10)
  }

  @Test("Contexts that change the same models concurrently agree with the store after each save or rollback")
  func contention() {
    check(sides: 3, isContended: true, operations: TestOptions.randomOperations / 10)
  }

  @Test("Contexts agree with the store over a database that does only what a driver must do")
  func austere() {
    DatabaseInterception.$wrap.withValue(AustereDatabase.wrap) {
      check(sides: 2, isContended: true, operations: min(2000, TestOptions.randomOperations / 10))
    }
  }

  private func check(sides: Int, isContended: Bool, operations count: Int) {
    for run in 0..<((count + Self.runLength - 1) / Self.runLength) {
      let seed = TestOptions.seed &+ UInt64(run) &* 1000
      let habits = VillageHabits.turn(run, sides: sides, isContended: isContended)
      var random = SeededGenerator(seed: seed)
      let operations = VillageOperation.random(Self.runLength, sides: sides, using: &random)
      guard let failure = VillageRun.run(operations, habits) else { continue }
      let failing = Array(operations.prefix(failure.index + 1))
      let shortest = Shrinking.shrink(failing, seconds: 20) { operations in
        VillageRun.run(operations, habits).flatMap { $0.kind == failure.kind ? $0.index : nil }
      }
      let last = VillageRun.run(shortest, habits)
      Issue.record(
        """
        OSD_SEED=\(TestOptions.seed), run \(run) (\(habits)), operation \(failure.index): \(failure.message)
        Shrunk to \(shortest.count): \(last?.message ?? "")
          \(last?.log.joined(separator: "\n  ") ?? "")
        """)
      return
    }
  }
}
