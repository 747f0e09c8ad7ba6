import Foundation
import Relational

/// Finds out whether a transaction was committed after the connection was lost during the commit.
struct CommitOutcome {
  private let identifier: String?
  private let shared: SharedState

  /// - Parameter identifier: The server's identifier of the transaction.
  init(of identifier: String?, _ shared: SharedState) {
    self.identifier = identifier
    self.shared = shared
  }

  /// - Throws: An error unless the transaction was committed.
  func resolve(_ error: DatabaseError) throws {
    guard let identifier else { throw unknown(error) }
    let deadline = ContinuousClock.now + .seconds(max(1, min(shared.configuration.busyTimeout, 1e6)))
    var wait = 0.01
    while true {
      switch status(identifier) {
      case "committed": return
      case "aborted": throw error
      case "in progress", nil: break
      default: throw unknown(error)
      }
      // The server may not have noticed the loss yet, or is starting again.
      guard ContinuousClock.now < deadline else { throw unknown(error) }
      Thread.sleep(forTimeInterval: wait)
      wait = min(2 * wait, 0.5)
    }
  }

  /// - Returns: Nil while the server does not answer, and an empty text for a transaction that it does not know any more.
  private func status(_ identifier: String) -> String? {
    guard let connection = try? PostgresConnector.open(shared) else { return nil }
    defer { connection.invalidate() }
    var status: String?
    try? connection.forEachRow("SELECT pg_xact_status($1::text::xid8)", [.text(identifier)]) { status = $0.text(0) }
    return status
  }

  private func unknown(_ error: DatabaseError) -> DatabaseError {
    DatabaseError(
      reason: .commitUnknown, message: "\(error.message); it is unknown whether the transaction was committed",
      sql: error.sql)
  }
}
