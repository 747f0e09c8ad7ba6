import Foundation
import StoreFuzzer
import Testing

@testable import TestSupport

@Suite("Randomly damaged stores", .serialized)
struct DamagedFileTests {
  @Test("Every use of a randomly damaged store throws an error or gives stored values")
  func anything() throws {
    let folder = try TemporaryFolder()
    let campaign = FuzzCampaign(executable: Self.executable, folder: folder.url, keepsFinds: false)
    let result = try campaign.run(seed: TestOptions.seed, seconds: TestOptions.fuzzSeconds)
    #expect(result.count > 0)
    for find in result.finds { Issue.record("Replay with store-fuzzer --seed \(find.seed) --count 1\n\(find)") }
  }

  /// The executable that is built beside the tests.
  private static var executable: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("store-fuzzer")
  }
}
