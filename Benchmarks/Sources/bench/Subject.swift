import SwiftDataPeer
import Workload

/// A row of a table: something to find out about all peers, or about this library alone.
enum Subject: Codable, Equatable, CaseIterable {
  case time(Scenario)
  case memory(MemoryUse)
  case figure(Figure)

  static var allCases: [Subject] {
    Scenario.allCases.map(Subject.time) + MemoryUse.allCases.map(Subject.memory) + Figure.allCases.map(Subject.figure)
  }

  var name: String {
    switch self {
    case .time(let scenario): scenario.rawValue
    case .memory(let use): use.rawValue
    case .figure(let figure): figure.rawValue
    }
  }

  /// Whether it is about the store with a million items.
  var needsManyItems: Bool {
    switch self {
    case .time(let scenario): scenario.needsManyItems
    case .memory: false
    case .figure(let figure): figure.needsManyItems
    }
  }

  var isFigure: Bool {
    if case .figure = self { true } else { false }
  }
}
