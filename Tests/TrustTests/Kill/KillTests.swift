import Foundation
import Testing

@testable import TestSupport

@Suite("A store whose writer is killed", .serialized)
struct KillTests {
  @Test(
    "After each of many kills a store has every acknowledged save, and no partial save")
  func killsAtRandomMoments() throws {
    let seed = TestOptions.seed
    var random = SeededGenerator(seed: seed)
    var folder = try TemporaryFolder()
    var acknowledged = 0
    for round in 0..<TestOptions.killRounds {
      if round % 25 == 0 {
        folder = try TemporaryFolder()
        acknowledged = 0
      }
      let writer = try WriterProcess(store: folder.file())
      // Some writers die while they open the store, the others while they save.
      let diesEarly = UInt64.random(in: 0..<4, using: &random) == 0
      let delay = UInt32.random(in: 0...60_000, using: &random)
      if !diesEarly { writer.waitForFirstAcknowledgement() }
      // Not at an event, because the writer may be killed at any moment.
      usleep(delay)
      let (last, complaint) = try writer.kill()
      acknowledged = max(acknowledged, last ?? 0)
      let (latest, findings) = try LedgerVerification(store: folder.file()).run(acknowledged: acknowledged)
      guard findings.isEmpty, complaint.isEmpty else {
        Issue.record("OSD_SEED=\(seed), round \(round): \(findings.joined(separator: "; ")) \(complaint)")
        return
      }
      acknowledged = latest
    }
  }
}
