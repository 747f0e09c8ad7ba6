import Foundation

/// A generator that makes the same random numbers for the same seed, on every machine and in every release.
///
/// A test with the trait `.seeded` adds the seed, and the command that repeats the test, to each issue. The algorithm is
/// SplitMix64, which is not for cryptography.
///
/// Two generators with the same seed, and so two of ``init()`` in one test, make the same sequence. Only ``next()`` is the
/// same in every release: `Int.random(in:using:)`, `shuffled(using:)` and the like may change with the Swift version.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The environment variable with the seed of ``init()``: `SWIFTDATA_TEST_SEED`, a decimal number.
  public static let environmentVariable = "SWIFTDATA_TEST_SEED"
  /// The seed of the process: the value of the environment variable, or a random number.
  ///
  /// A value that is no seed is reported on standard error, and in each issue of a test with the trait `.seeded`.
  public static let processSeed: UInt64 = {
    if let environmentProblem { FileHandle.standardError.write(Data("\(environmentProblem)\n".utf8)) }
    return environmentValue.flatMap { UInt64($0) } ?? .random(in: 1...999_999_999)
  }()
  private static let environmentValue = ProcessInfo.processInfo.environment[environmentVariable]
  static let environmentProblem = problem(of: environmentValue)

  /// - Returns: Nil for a seed, or when the variable is not set.
  static func problem(of value: String?) -> String? {
    guard let value, UInt64(value) == nil else { return nil }
    return """
      \(environmentVariable) is "\(value)", which is not a decimal number from 0 to \(UInt64.max); \
      the seed of the process is random.
      """
  }

  /// The seed of the trait of the current test.
  @TaskLocal static var testSeed: UInt64?

  /// The seed that the generator was made with.
  public let seed: UInt64
  private var state: UInt64

  /// Makes a generator with a seed.
  ///
  /// - Parameter seed: The seed. Any number is valid.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Makes a generator with the seed of the current test's trait, or ``processSeed`` where there is no trait.
  public init() {
    self.init(seed: Self.testSeed ?? Self.processSeed)
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
