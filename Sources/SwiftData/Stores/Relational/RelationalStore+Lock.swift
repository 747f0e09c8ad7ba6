import Relational

extension RelationalStore {
  /// Runs `body` while no other connection can write; see `Database.holdingLock`.
  ///
  /// - Parameter graph: Identifies the graph that reads and saves inside.
  func holdingLock<Result>(for graph: UnsafeRawPointer, _ body: () throws -> Result) throws -> Result {
    try saveGuard.check()
    try lockHolder.check(graph)
    do {
      return try database.holdingLock { connection in
        try layoutGuard?.checkForWriting(connection)
        return try lockHolder.holding(connection, for: graph, body)
      }
    } catch let error as DatabaseError {
      throw StoreErrors.writing(configuration, error)
    }
  }

  /// Takes the lock again inside `holdingLock`.
  func renewLock() throws {
    guard let connection = lockHolder.connection, !connection.holdsLock else { return }
    do {
      try connection.takeLock()
      try layoutGuard?.checkForWriting(connection)
    } catch let error as DatabaseError {
      throw StoreErrors.writing(configuration, error)
    }
  }
}
