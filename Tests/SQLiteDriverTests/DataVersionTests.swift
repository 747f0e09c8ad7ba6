import Relational
import SQLiteDriver
import Testing

@Suite("The data version of a connection")
struct DataVersionTests {
  /// The number of the reading connection, and the data version that it sees.
  private func look(
    _ database: SQLiteDatabase, preferring serial: Int? = nil
  ) throws -> (serial: Int, version: UInt32?) {
    try database.readStatement(preferring: serial) { connection in
      let statement = try connection.statement("SELECT count(*) FROM t")
      defer { statement.reset() }
      _ = try statement.step()
      return (connection.serial, connection.dataVersion)
    }
  }

  @Test("The data version changes after a write, and only then", arguments: [true, false])
  func changes(inMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let database = try inMemory ? SQLiteDatabase.inMemory() : folder.database()
    try database.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
    let first = try look(database)
    let version = try #require(first.version)
    let same = try look(database, preferring: first.serial)
    #expect(same.serial == first.serial && same.version == version)
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    let later = try look(database, preferring: first.serial)
    #expect(later.serial == first.serial && later.version != version)
    guard !inMemory else { return }
    // Another program would do the same.
    let other = try folder.database()
    try other.write { try $0.run("INSERT INTO t VALUES (2)") }
    let last = try look(database, preferring: first.serial)
    #expect(last.serial == first.serial && last.version != later.version)
  }

  @Test("Inside a transaction the data version is nil, because the transaction may be rolled back")
  func transactions() throws {
    let database = try SQLiteDatabase.inMemory()
    try database.write { connection in
      try connection.execute("CREATE TABLE t (a INTEGER)")
      #expect(try look(database).version == nil)
    }
    #expect(try look(database).version != nil)
  }
}
