import Workload

/// A row of the table: something to find out about all peers.
enum Subject: Codable, Equatable, CaseIterable {
  case time(Scenario)
  case memory(MemoryUse)

  static var allCases: [Subject] {
    Scenario.allCases.map(Subject.time) + MemoryUse.allCases.map(Subject.memory)
  }

  var name: String {
    switch self {
    case .time(let scenario): scenario.rawValue
    case .memory(let use): use.rawValue
    }
  }
}
