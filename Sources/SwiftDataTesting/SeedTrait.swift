public import Testing

/// A trait that gives tests a seed for random numbers, and names the seed in each issue.
public struct SeedTrait: TestTrait, SuiteTrait, TestScoping {
  let seed: UInt64

  /// Always true: the trait applies to each test of a suite.
  public var isRecursive: Bool { true }

  private static let commentPrefix = "The seed of random numbers was "

  /// Runs a test, and adds the seed to the comments of its issues.
  ///
  /// Of several traits, such as one of a suite and one of a test, the innermost one adds its seed.
  ///
  /// - Throws: The errors of the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let name = test.name.prefix { $0 != "(" }
    let problem = seed == SeededGenerator.processSeed ? SeededGenerator.environmentProblem : nil
    let comment: Comment = """
      \(Self.commentPrefix)\(seed). \(problem.map { "\($0) " } ?? "")\
      Repeat the test with \(SeededGenerator.environmentVariable)=\(seed) swift test --filter \(name)
      """
    let naming: IssueHandlingTrait = .compactMapIssues { issue in
      if issue.comments.contains(where: { $0.rawValue.hasPrefix(Self.commentPrefix) }) { return issue }
      var issue = issue
      issue.comments.append(comment)
      return issue
    }
    try await naming.provideScope(for: test, testCase: testCase) {
      try await SeededGenerator.$testSeed.withValue(seed, operation: function)
    }
  }
}

extension Trait where Self == SeedTrait {
  /// Names the seed of random numbers, ``SeededGenerator/processSeed``, in each issue of a test.
  ///
  /// ```swift
  /// @Test("A shelf keeps its order whatever is moved", .seeded)
  /// func order() throws {
  ///   var generator = SeededGenerator()
  ///   …
  /// }
  /// ```
  public static var seeded: SeedTrait { SeedTrait(seed: SeededGenerator.processSeed) }

  /// Gives a test a fixed seed, to repeat one failure.
  ///
  /// - Parameter seed: The seed. Any number is valid.
  public static func seeded(_ seed: UInt64) -> SeedTrait { SeedTrait(seed: seed) }
}
