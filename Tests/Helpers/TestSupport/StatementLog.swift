import Support

@testable import SwiftData

/// The statements that reached the databases of a container.
final class StatementLog: Sendable {
  private let statements = Mutex<[String]>([])

  /// Makes a container whose statements are recorded here.
  func observe(_ makeContainer: () throws -> ModelContainer) rethrows -> ModelContainer {
    let note: @Sendable (String) -> Void = { sql in self.statements.withLock { $0.append(sql) } }
    return try StatementObservation.$observer.withValue(note, operation: makeContainer)
  }

  /// The queries that `body` causes.
  func queries(_ body: () throws -> Void) rethrows -> [String] {
    statements.withLock { $0.removeAll() }
    try body()
    return statements(of: "SELECT")
  }

  /// The statements of a kind since the last call of `queries`.
  func statements(of keyword: String) -> [String] {
    statements.withLock { $0.filter { $0.hasPrefix(keyword) } }
  }
}
