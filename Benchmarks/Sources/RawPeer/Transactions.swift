/// The statements around a unit of work.
struct Transactions {
  private let begin: Statement
  private let commit: Statement

  init(_ connection: Connection) throws {
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
  }

  /// A failure inside ends the whole run, so nothing has to be rolled back.
  func callAsFunction(_ body: () throws -> Void) throws {
    try begin.run()
    try body()
    try commit.run()
  }
}
