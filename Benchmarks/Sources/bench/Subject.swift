import SwiftDataPeer
import Workload

/// A row of a table: something to find out about all peers, about this library with a history and without one, or about
/// this library alone.
enum Subject: Codable, Equatable, CaseIterable {
  case time(Scenario)
  case memory(MemoryUse)
  /// How long the library takes without a history and with one.
  case history(Scenario)
  /// How large a store is without a history and with one.
  case historySize
  case figure(Figure)

  static var allCases: [Subject] {
    var cases = Scenario.allCases.map(Subject.time) + MemoryUse.allCases.map(Subject.memory)
    cases += OpenSwiftDataWithHistory.scenarios.map(Subject.history)
    cases.append(.historySize)
    return cases + Figure.allCases.map(Subject.figure)
  }

  var name: String {
    switch self {
    case .time(let scenario): scenario.rawValue
    case .memory(let use): use.rawValue
    case .history(let scenario): "history: " + scenario.rawValue
    case .historySize: "history: size of the store with 100 k"
    case .figure(let figure): figure.rawValue
    }
  }

  /// Whether it is about the store with a million items.
  var needsManyItems: Bool {
    switch self {
    case .time(let scenario): scenario.needsManyItems
    case .memory, .history, .historySize: false
    case .figure(let figure): figure.needsManyItems
    }
  }

  /// Whether it is about the store with a history of a million transactions.
  var needsManyTransactions: Bool {
    if case .figure(let figure) = self { figure.needsManyTransactions } else { false }
  }

  /// Whether the library with a history is compared with the library without one.
  var isAboutHistory: Bool {
    switch self {
    case .history, .historySize: true
    case .time, .memory, .figure: false
    }
  }

  /// Whether a quick run takes it only when it is asked for by name.
  var isSeldomTaken: Bool {
    if case .figure(let figure) = self { figure.isSeldomTaken } else { false }
  }

  var isFigure: Bool {
    if case .figure = self { true } else { false }
  }
}
