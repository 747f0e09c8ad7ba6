package import Relational

/// A database that forwards all calls to another database. A conforming type overrides some of them.
package protocol DatabaseWrapper: Database {
  var base: any Database { get }
}

extension DatabaseWrapper {
  package var dialect: any Dialect { base.dialect }
  package var signal: (any DatabaseSignal)? { base.signal }

  package func read<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.read(body)
  }

  package func readStatement<Result>(
    preferring connection: Int?, _ body: (any Connection) throws -> Result
  ) throws -> Result {
    try base.readStatement(preferring: connection, body)
  }

  package func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try base.write(body)
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
