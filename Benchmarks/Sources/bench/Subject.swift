import SwiftDataPeer
import Workload

/// A row of a table: a measurement of all peers, of this library with and without a history, or only of this library.
enum Subject: Codable, Equatable, CaseIterable {
  case time(Scenario)
  case memory(MemoryUse)
  /// The time of the library without and with a history.
  case history(Scenario)
  /// The size of a store without and with a history.
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

  /// Whether it uses the store with a million items.
  var needsManyItems: Bool {
    switch self {
    case .time(let scenario): scenario.needsManyItems
    case .memory, .history, .historySize: false
    case .figure(let figure): figure.needsManyItems
    }
  }

  /// Whether it uses the store with a history of a million transactions.
  var needsManyTransactions: Bool {
    if case .figure(let figure) = self { figure.needsManyTransactions } else { false }
  }

  /// Whether it compares the library with and without a history.
  var isAboutHistory: Bool {
    switch self {
    case .history, .historySize: true
    case .time, .memory, .figure: false
    }
  }

  /// Whether a quick run skips it unless it is named.
  var isSeldomTaken: Bool {
    if case .figure(let figure) = self { figure.isSeldomTaken } else { false }
  }

  var isFigure: Bool {
    if case .figure = self { true } else { false }
  }
}
