import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Random changes, saves and rollbacks, with undo and redo compared with what there was.
///
/// `OSD_SEED` says where the random numbers begin, and `OSD_RANDOM_OPERATIONS` how many steps there are.
@Suite("Undoing at random")
struct RandomUndoTests {
  private static let seed = TestOptions.seed
  private static let steps = TestOptions.randomOperations

  @Test("Undo and redo lead to every state that there was, across saves and deletions that were saved")
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
