package import Relational
import Support

/// A database that runs a closure before its first write transaction, for example a save of another process.
package final class PrecededDatabase: DatabaseWrapper {
  package let base: any Database
  private let event: Mutex<(@Sendable () throws -> Void)?>

  package init(_ base: any Database, event: @escaping @Sendable () throws -> Void) {
    self.base = base
    self.event = Mutex(event)
  }

  package func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try precede()
    return try base.write(body)
  }

  package func holdingLock<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try precede()
    return try base.holdingLock(body)
  }

  package func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try precede()
    return try base.writeWithoutForeignKeys(body)
  }

  private func precede() throws {
    let next = event.withLock { event -> (@Sendable () throws -> Void)? in
      defer { event = nil }
      return event
    }
    try next?()
  }

  package func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws {
    try base.revise(inCopyAt: path) { revision in
      try body(PrecededRevision(revision) { try self.giveLockAway() })
    }
  }

  /// Runs the closure while the lock is released.
  private func giveLockAway() throws {
    try base.withoutTransaction { $0.giveLockBack() }
    try precede()
  }
}

private final class PrecededRevision: Revision {
  private let base: any Revision
  private let precede: () throws -> Void

  init(_ base: any Revision, precede: @escaping () throws -> Void) {
    self.base = base
    self.precede = precede
  }

  func write(contentsOf path: String) throws {
    try precede()
    try base.write(contentsOf: path)
  }

  func commit() throws {
    try base.commit()
  }
}
