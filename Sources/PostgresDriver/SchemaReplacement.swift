import Relational

/// Replaces the tables of a schema with those of a copy, in the transaction that holds the lock.
final class SchemaReplacement: Revision {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  func write(contentsOf path: String) throws {
    try connection.replaceTables(by: path)
  }

  func commit() throws {
    try connection.commit()
    // The rows and sequences that this object knows are others now.
    connection.shared.writer.withLock { $0.lastNumber = nil }
  }
}
