import Foundation
import Workload

/// The instructions that this library executes for each of its main operations, as they were when they were last written down.
struct Baseline: Codable {
  static let file = URL(filePath: "Benchmarks/baseline.json")
  /// How far a count may be from the one in the file. Counts of one build differ by less than 0.01 %.
  static let tolerance = 0.03

  static let scenarios: [Scenario] = [
    .fetchAll, .fetchOrders, .fetchAgain, .readAll, .fetchFiltered, .lookUp, .lookUpRegistered, .prefetchOwners,
    .walkOwners, .insertAll, .insertSingly, .change, .delete, .release,
  ]
  /// The scenarios that `bench --gate` compares.
  static let gate: [Scenario] = [.fetchAll, .lookUp, .insertAll, .insertSingly, .change, .release]

  /// Which tool counted: another one may count a little differently.
  let counter: InstructionCounter
  /// The instructions by the name of the operation.
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
