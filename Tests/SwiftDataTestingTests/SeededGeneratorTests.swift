import Testing

@testable import SwiftDataTesting

@Suite("Seeded generators")
struct SeededGeneratorTests {
  @Test("Generators with the same seed make the same numbers, and with different seeds different numbers")
  func numbers() {
    func numbers(_ seed: UInt64) -> [UInt64] {
      var generator = SeededGenerator(seed: seed)
      return (0..<10).map { _ in generator.next() }
    }
    #expect(numbers(1) == numbers(1))
    #expect(numbers(1) != numbers(2))
    #expect(numbers(0).first == 0xe220_a839_7b1d_cdaf)
  }

  @Test("A generator without a seed has the seed of the test's trait", .seeded(17))
  func trait() {
    #expect(SeededGenerator().seed == 17)
  }

  @Test("Two generators of one test make the same numbers", .seeded(17))
  func twoGenerators() {
    var (first, second) = (SeededGenerator(), SeededGenerator())
    let numbers = (0..<3).map { _ in first.next() }
    #expect(numbers == (0..<3).map { _ in second.next() })
  }

  @Test("A value of the environment variable that is no seed is reported", arguments: ["", "x", "-1", "1.5", "0x10"])
  func invalidSeed(value: String) throws {
    let problem = try #require(SeededGenerator.problem(of: value))
    #expect(problem.hasPrefix("SWIFTDATA_TEST_SEED is \"\(value)\", which is not a decimal number"))
  }

  @Test("A seed of the environment variable is not reported", arguments: ["0", "\(UInt64.max)", nil] as [String?])
  func validSeed(value: String?) {
    #expect(SeededGenerator.problem(of: value) == nil)
  }

  @Test("A generator without a seed and without a trait has the seed of the process")
  func process() {
    #expect(SeededGenerator().seed == SeededGenerator.processSeed)
  }

  @Test(
    "An issue of a seeded test has the seed and the command that repeats the test",
    .filterIssues { issue in
      // The issue with the expected comments is dropped, so that the test fails with any other.
      issue.comments.map(\.rawValue) != [
        "made to fail",
        """
        The seed of random numbers was 42. \
        Repeat the test with SWIFTDATA_TEST_SEED=42 swift test --filter seedOfIssue
        """,
      ]
    },
    .seeded(42))
  func seedOfIssue() {
    Issue.record("made to fail")
  }

  @Test(
    "An issue has only the seed of the innermost trait",
    .filterIssues { issue in
      let seeds = issue.comments.map(\.rawValue).filter { $0.contains("seed of random numbers") }
      return seeds.count != 1 || !seeds[0].hasPrefix("The seed of random numbers was 42. ")
    },
    .seeded(1), .seeded(42))
  func seedOfInnermostTrait() {
    Issue.record("made to fail")
  }
}
