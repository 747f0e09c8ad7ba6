import Support

@testable import TestSupport

/// The observed SQL statements in order.
final class Statements: Sendable {
  private let list = Mutex<[String]>([])

  func add(_ sql: String) {
    list.withLock { $0.append(sql) }
  }

  var all: [String] {
    list.withLock { $0 }
  }
}
