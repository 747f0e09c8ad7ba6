import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Random changes, saves and rollbacks, with undo and redo compared with the recorded states.
///
/// `OSD_SEED` is the random seed, and `OSD_RANDOM_OPERATIONS` the number of steps.
@Suite("Random undo and redo")
struct RandomUndoTests {
  private static let seed = TestOptions.seed
  private static let steps = TestOptions.randomOperations

  @Test("Undo and redo restore every earlier state, across saves and saved deletions")
  func random() throws {
    let folder = try TemporaryFolder()
    let length = 200
    for run in 0..<max(1, Self.steps / length) {
      let undone = try UndoneRun(seed: Self.seed &+ UInt64(run) &* 1000 &+ 4, at: folder.file("\(run).store"))
      do {
        for _ in 0..<length { try undone.step() }
        try undone.save()
      } catch {
        let message = (error as? LoggedMismatch)?.message ?? "\(error)"
        Issue.record("OSD_SEED=\(Self.seed), run \(run): \(message)\n  \(undone.log.joined(separator: "\n  "))")
        return
      }
    }
  }
}
