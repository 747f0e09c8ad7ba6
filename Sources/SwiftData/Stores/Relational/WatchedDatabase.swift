import Relational

/// A database whose calls are watched.
final class WatchedDatabase: Database {
  private let base: any Database
  private let watch: BlockingWatch

  init(_ base: any Database, _ watch: BlockingWatch) {
    self.base = base
    self.watch = watch
  }

  var dialect: any Dialect { base.dialect }
  var signal: (any DatabaseSignal)? { base.signal }

  func read<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try watch.run("read") { try base.read(body) }
  }

  func readStatement<Result>(
    preferring connection: Int?, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    try watch.run("read") { try base.readStatement(preferring: connection, body) }
  }

  func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try watch.run("write") { try base.write(body) }
  }

  func holdingLock<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try watch.run("write") { try base.holdingLock(body) }
  }

  func writeWithoutForeignKeys<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try watch.run("write") { try base.writeWithoutForeignKeys(body) }
  }

  func revise(inCopyAt path: () throws -> String, _ body: (any Revision) throws -> Void) throws {
    try base.revise(inCopyAt: path, body)
  }

  func withoutTransaction<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try watch.run("write") { try base.withoutTransaction(body) }
  }

  func hasOnlyCurrentReaders() -> Bool {
    base.hasOnlyCurrentReaders()
  }

  func close() throws {
    try base.close()
  }
}
