import Support

@testable import TestSupport

/// The SQL that was observed, in its order.
final class Statements: Sendable {
  private let list = Mutex<[String]>([])

  func add(_ sql: String) {
    list.withLock { $0.append(sql) }
  }

  var all: [String] {
    list.withLock { $0 }
  }
}
