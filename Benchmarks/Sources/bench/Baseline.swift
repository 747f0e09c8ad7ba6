import Foundation
import Workload

/// The instruction counts of this library's main operations when they were last recorded.
struct Baseline: Codable {
  static let file = URL(filePath: "Benchmarks/baseline.json")
  /// The tolerated difference from a recorded count. Counts of one build differ by less than 0.01 %.
  static let tolerance = 0.03

  static let scenarios: [Scenario] = [
    .fetchAll, .fetchOrders, .fetchAgain, .readAll, .fetchFiltered, .lookUp, .lookUpRegistered, .prefetchOwners,
    .walkOwners, .insertAll, .insertSingly, .change, .delete, .release,
  ]
  /// The scenarios that `bench --gate` compares.
  static let gate: [Scenario] = [.fetchAll, .lookUp, .insertAll, .insertSingly, .change, .release]

  /// The tool that counted: another one may count a little differently.
  let counter: InstructionCounter
  /// The instruction counts by the name of the operation.
  var instructions: [String: Int] = [:]

  init(counter: InstructionCounter) {
    self.counter = counter
  }

  init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(Baseline.self, from: Data(contentsOf: file))
  }

  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: file)
  }

  func comparison(of scenario: Scenario, with count: Int) -> BaselineComparison {
    BaselineComparison(name: scenario.rawValue, before: instructions[scenario.rawValue], now: count)
  }
}
