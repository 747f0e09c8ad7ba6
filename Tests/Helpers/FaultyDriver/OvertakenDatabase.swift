package import Relational
import Support

/// A database in which something happens when a transaction is committed and whoever made it does not know that yet.
package final class OvertakenDatabase: Database {
  /// What happens after the next commit.
  package final class Event: Sendable {
    private let body = Mutex<(@Sendable () throws -> Void)?>(nil)

    package init() {}

    package func set(_ body: @escaping @Sendable () throws -> Void) {
      self.body.withLock { $0 = body }
    }

    fileprivate func happen() throws {
      let next = body.withLock { body -> (@Sendable () throws -> Void)? in
        defer { body = nil }
        return body
      }
      try next?()
    }
  }

  private let base: any Database
  private let event: Event

  package init(_ base: any Database, _ event: Event) {
    self.base = base
    self.event = event
  }

  package var dialect: any Dialect { base.dialect }

  package func read<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.read(body)
  }

  package func readStatement<Result>(
    preferring connection: Int?, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    try base.readStatement(preferring: connection, body)
  }

  package func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    let result = try base.write(body)
    try event.happen()
    return result
  }

  package func holdingLock<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.holdingLock(body)
  }

  package func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.writeWithoutForeignKeys(body)
  }

  package func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws {
    try base.revise(inCopyAt: path, body)
  }

  package func withoutTransaction<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.withoutTransaction(body)
  }

  package func hasOnlyCurrentReaders() -> Bool {
    base.hasOnlyCurrentReaders()
  }

  package func close() throws {
    try base.close()
  }
}
