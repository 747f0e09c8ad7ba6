import Foundation
import Workload

/// The instructions that this library executes for each of its main operations, as they were when they were last written down.
struct Baseline: Codable {
  static let file = URL(filePath: "Benchmarks/baseline.json")
  /// How far a count may be from the one in the file.
  static let tolerance = 0.05

  static let scenarios: [Scenario] = [
    .fetchAll, .fetchOrders, .fetchAgain, .readAll, .fetchFiltered, .lookUp, .lookUpRegistered, .prefetchOwners,
    .walkOwners, .insertAll, .insertSingly, .change, .delete, .release,
  ]

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
}
