import Foundation

/// The settings of the tests from the environment.
enum TestOptions {
  /// The seed of all random tests: `OSD_SEED`, or one that changes from run to run.
  static let seed = integer("OSD_SEED").map(UInt64.init) ?? UInt64.random(in: 1...999_999_999)
  /// The number of kills of the kill test: `OSD_KILL_ROUNDS`.
  static let killRounds = integer("OSD_KILL_ROUNDS") ?? 25
  /// The number of operations of a random test: `OSD_RANDOM_OPERATIONS`.
  static let randomOperations = integer("OSD_RANDOM_OPERATIONS") ?? 2000
  /// The number of random programs of each kind: `OSD_PROGRAMS`.
  static let programs = integer("OSD_PROGRAMS") ?? 6
  /// The number of random predicates: `OSD_PREDICATES`.
  static let predicates = integer("OSD_PREDICATES") ?? 2000
  /// The seed of the first random predicate: `OSD_PREDICATE_SEED`.
  static let predicateSeed = integer("OSD_PREDICATE_SEED") ?? 20_261_121
  /// The number of rows of a store whose migration is killed: `OSD_MIGRATION_ROWS`.
  static let migrationRows = integer("OSD_MIGRATION_ROWS") ?? 2000
  /// The seconds for which stores are damaged at random: `OSD_FUZZ_SECONDS`.
  static let fuzzSeconds = Double(integer("OSD_FUZZ_SECONDS") ?? 5)
  /// The seconds of the soak test: `OSD_SOAK_SECONDS`.
  static let soakSeconds = integer("OSD_SOAK_SECONDS") ?? 3
  /// Whether random tests print each operation before they run it, to find one that crashes: `OSD_TRACE=1`.
  static let isTracing = integer("OSD_TRACE") == 1

  private static func integer(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}
