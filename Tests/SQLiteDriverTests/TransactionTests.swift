import Foundation
import Relational
import SQLiteDriver
import Testing

enum Place: CaseIterable {
  case file, memory
}

@Suite("Transactions")
struct TransactionTests {
  private struct Stop: Error {}

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func database(_ place: Place) throws -> SQLiteDatabase {
    let database = place == .file ? try folder.database() : try SQLiteDatabase.inMemory()
    try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
    return database
  }

  @Test("An error rolls back the whole write", arguments: Place.allCases)
  func rollback(place: Place) throws {
    let database = try database(place)
    #expect(throws: Stop.self) {
      try database.write { connection in
        try connection.run("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    try database.execute("INSERT INTO t VALUES (2)")
    #expect(try database.integer("SELECT a FROM t") == 2)
  }

  @Test("A nested read joins the outer read or write, and sees its changes", arguments: Place.allCases)
  func nestedRead(place: Place) throws {
    let database = try database(place)
    try database.read { _ throws in
      #expect(try database.read { _ in try database.integer("SELECT count(*) FROM t") } == 0)
    }
    try database.write { connection in
      try connection.run("INSERT INTO t VALUES (1)")
      #expect(try database.integer("SELECT count(*) FROM t") == 1)
      try database.withoutTransaction { connection throws in
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
      }
    }
    try database.withoutTransaction { connection in
      try connection.run("INSERT INTO t VALUES (2)")
      #expect(try database.integer("SELECT count(*) FROM t") == 2)
    }
  }

  @Test("A read inside a row loop does not affect the loop", arguments: Place.allCases)
  func readInLoop(place: Place) throws {
    let database = try database(place)
    try database.execute("INSERT INTO t VALUES (1), (2), (3)")
    var rows: [Int64] = []
    try database.withoutTransaction { connection in
      try connection.forEachRow("SELECT a FROM t") { row throws in
        rows.append(row.integer(0))
        #expect(try database.integer("SELECT count(*) FROM t") == 3)
      }
    }
    #expect(rows == [1, 2, 3])
  }

  @Test("A nested write is rolled back by itself", arguments: Place.allCases)
  func nestedWrite(place: Place) throws {
    let database = try database(place)
    try database.write { connection in
      try connection.run("INSERT INTO t VALUES (1)")
      #expect(throws: Stop.self) {
        try database.write { connection in
          try connection.run("INSERT INTO t VALUES (2)")
          throw Stop()
        }
      }
      try database.write { try $0.run("INSERT INTO t VALUES (3)") }
    }
    #expect(try database.read { try $0.rows("SELECT a FROM t") } == [.integer(1), .integer(3)])
  }

  @Test("A write can be made inside a read", arguments: Place.allCases)
  func writeInRead(place: Place) throws {
    let database = try database(place)
    try database.read { _ in try database.execute("INSERT INTO t VALUES (1)") }
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
  }

  @Test("A read sees one snapshot throughout")
  func snapshot() throws {
    let database = try database(.file)
    try database.read { connection in
      #expect(try connection.integer("SELECT count(*) FROM t") == 0)
      try database.execute("INSERT INTO t VALUES (1)")
      #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    }
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
  }

  @Test("A statement left before its last row does not keep its snapshot", arguments: Place.allCases)
  func unfinishedStatement(place: Place) throws {
    let database = try database(place)
    try database.execute("INSERT INTO t VALUES (1), (2)")
    for count in 2..<6 {
      try database.read { connection in
        #expect(try connection.integer("SELECT count(*) FROM t") == Int64(count))
        _ = try connection.statement("SELECT a FROM t").step()
      }
      try database.execute("INSERT INTO t VALUES (\(count + 1))")
    }
  }

  @Test("A transaction that is left open is rolled back", arguments: Place.allCases)
  func openTransaction(place: Place) throws {
    let database = try database(place)
    try database.withoutTransaction { try $0.execute("BEGIN; INSERT INTO t VALUES (1)") }
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("A full disk rolls back the write, whatever its caller does with the error")
  func fullDisk() throws {
    let database = try folder.database()
    try database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try database.withoutTransaction { try $0.execute("PRAGMA max_page_count = 10") }
    let fill: (any Connection) throws -> Void = { connection in
      for _ in 0..<100 { try connection.run("INSERT INTO t VALUES (zeroblob(4096))") }
    }
    let error = #expect(throws: DatabaseError.self) { try database.write(fill) }
    #expect(error?.reason == .diskFull)
    #expect(error?.sql == "INSERT INTO t VALUES (zeroblob(4096))")
    #expect(try database.integer("SELECT count(*) FROM t") == 1)

    let swallowed = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        try? fill(connection)
        try? connection.run("INSERT INTO t VALUES (2)")
      }
    }
    #expect(swallowed?.reason == .diskFull)
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
    try database.execute("INSERT INTO t VALUES (2)")
    #expect(try database.integer("SELECT count(*) FROM t") == 2)
  }

  @Test("After an automatic rollback by SQLite nothing more is committed")
  func automaticRollback() throws {
    let database = try database(.memory)
    try database.execute("INSERT INTO t VALUES (1)")
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        try connection.run("INSERT INTO t VALUES (2)")
        try? database.write { try $0.run("INSERT OR ROLLBACK INTO t VALUES (1)") }
        try connection.run("INSERT INTO t VALUES (3)")
      }
    }
    #expect(error?.reason == .uniqueViolation)
    #expect(try database.read { try $0.rows("SELECT a FROM t") } == [.integer(1)])
  }

  @Test(
    "The error of a constraint violation names the constraint",
    arguments: [
      ("INSERT INTO c (id) VALUES (1)", .uniqueViolation), ("INSERT INTO c (u) VALUES ('x')", .uniqueViolation),
      ("INSERT INTO w VALUES (1, 1)", .uniqueViolation), ("INSERT INTO c (n) VALUES (NULL)", .notNullViolation),
      ("INSERT INTO c (k) VALUES (-1)", .checkViolation), ("INSERT INTO c (f) VALUES (99)", .foreignKeyViolation),
      ("INSERT INTO c (d) VALUES (99)", .foreignKeyViolation), ("INSERT INTO c (id) VALUES ('x')", .other),
    ] as [(String, DatabaseError.Reason)])
  func violatedConstraint(sql: String, reason: DatabaseError.Reason) throws {
    let database = try SQLiteDatabase.inMemory()
    try database.execute(
      """
      CREATE TABLE c (
        id INTEGER PRIMARY KEY, u TEXT UNIQUE, n INTEGER NOT NULL DEFAULT 0, k INTEGER CHECK (k > 0),
        f INTEGER REFERENCES c(id), d INTEGER REFERENCES c(id) DEFERRABLE INITIALLY DEFERRED
      );
      CREATE TABLE w (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
      INSERT INTO c (id, u) VALUES (1, 'x');
      INSERT INTO w VALUES (1, 1);
      """)
    let error = #expect(throws: DatabaseError.self) { try database.write { try $0.run(sql) } }
    #expect(error?.reason == reason)
    #expect(error?.message.isEmpty == false)
    #expect(try database.integer("SELECT count(*) FROM c") == 1)
  }
}
