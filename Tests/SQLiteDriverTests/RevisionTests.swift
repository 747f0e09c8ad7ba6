import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("Replacing a database by a copy")
struct RevisionTests {
  private struct Stop: Error {}

  private let folder: TemporaryFolder
  private var copyPath: String { folder.file("copy.store") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func numbers(_ database: SQLiteDatabase) throws -> [Int64] {
    try database.read { connection in
      var numbers: [Int64] = []
      try connection.forEachRow("SELECT a FROM t ORDER BY a") { numbers.append($0.integer(0)) }
      return numbers
    }
  }

  private func makeDatabase(_ name: String = "test.store", rows: Int = 1) throws -> SQLiteDatabase {
    let database = try folder.database(name)
    try database.write { connection in
      try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB)")
      for number in 1...rows { try connection.run("INSERT INTO t VALUES (\(number), zeroblob(1000))") }
    }
    return database
  }

  private func change(_ path: String, _ sql: String) throws {
    let copy = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .file(path)))
    try copy.write { try $0.execute(sql) }
    try copy.close()
  }

  private func revise(_ database: SQLiteDatabase, in path: String, _ body: (any Revision) throws -> Void) throws {
    try database.revise(inCopyAt: { path }, body)
  }

  /// The settings that differ during a replacement.
  private func settings(of database: SQLiteDatabase) throws -> [Int64] {
    try database.withoutTransaction { connection in
      var settings: [Int64] = []
      for name in ["synchronous", "cache_size"] {
        try connection.forEachRow("PRAGMA \(name)") { settings.append($0.integer(0)) }
      }
      return settings
    }
  }

  private func logSize() throws -> Int {
    try folder.contents("test.store-wal").count
  }

  @Test("A copy's contents become visible at the commit, and not before")
  func commit() throws {
    let database = try makeDatabase()
    let reader = try folder.database()
    try revise(database, in: copyPath) { revision in
      try change(copyPath, "UPDATE t SET a = 7")
      #expect(try numbers(reader) == [1])
      try revision.write(contentsOf: copyPath)
      #expect(try numbers(reader) == [1])
      try revision.commit()
      #expect(try numbers(reader) == [7])
    }
    #expect(try numbers(database) == [7])
    try database.write { try $0.run("INSERT INTO t (a) VALUES (8)") }
    #expect(try numbers(reader) == [7, 8])
  }

  @Test("A replacement that is not committed is rolled back", arguments: [true, false])
  func rollback(throwing: Bool) throws {
    let database = try makeDatabase()
    do {
      try revise(database, in: copyPath) { revision in
        try change(copyPath, "UPDATE t SET a = 7")
        try revision.write(contentsOf: copyPath)
        if throwing { throw Stop() }
      }
      #expect(!throwing)
    } catch is Stop {
      #expect(throwing)
    }
    #expect(try numbers(database) == [1])
    try database.write { try $0.run("INSERT INTO t (a) VALUES (2)") }
    #expect(try numbers(database) == [1, 2])
  }

  @Test("Nearly all pages are on disk before the commit", arguments: [2000, 1, 4000])
  func log(rows: Int) throws {
    let database = try makeDatabase(rows: 2000)
    let copied = try makeDatabase("other.store", rows: rows)
    try copied.close()
    var before = 0
    try revise(database, in: copyPath) { revision in
      try revision.write(contentsOf: folder.file("other.store"))
      before = try logSize()
      try revision.commit()
    }
    #expect(try logSize() - before < 40 * 4096)
    #expect(try numbers(database).count == rows)
    #expect(try settings(of: database) == settings(of: folder.database()))
  }

  @Test("A save after the copy was made prevents the replacement")
  func overtaken() throws {
    let database = try makeDatabase()
    let other = try folder.database()
    let error = #expect(throws: DatabaseError.self) {
      try revise(database, in: copyPath) { revision in
        try change(copyPath, "UPDATE t SET a = 7")
        try database.withoutTransaction { $0.giveLockBack() }
        try other.write { try $0.run("INSERT INTO t (a) VALUES (2)") }
        try revision.write(contentsOf: copyPath)
      }
    }
    #expect(error?.reason == .overtaken)
    #expect(try numbers(database) == [1, 2])
  }

  @Test("A save that prevents the second replacement prevents the first one too")
  func two() throws {
    let (first, second) = (try makeDatabase(), try makeDatabase("second.store"))
    let other = try folder.database("second.store")
    let otherCopy = folder.file("second copy.store")
    let error = #expect(throws: DatabaseError.self) {
      try revise(first, in: copyPath) { firstRevision in
        try revise(second, in: otherCopy) { secondRevision in
          for path in [copyPath, otherCopy] { try change(path, "UPDATE t SET a = 7") }
          try firstRevision.write(contentsOf: copyPath)
          try second.withoutTransaction { $0.giveLockBack() }
          try other.write { try $0.run("INSERT INTO t (a) VALUES (2)") }
          try secondRevision.write(contentsOf: otherCopy)
        }
      }
    }
    #expect(error?.reason == .overtaken)
    #expect(try numbers(first) == [1])
    #expect(try numbers(second) == [1, 2])
  }

  @Test("No other connection can write between the replacement's writing and its commit")
  func lock() throws {
    let database = try makeDatabase()
    let other = try folder.database(busyTimeout: 0.05)
    try revise(database, in: copyPath) { revision in
      try revision.write(contentsOf: copyPath)
      let error = #expect(throws: DatabaseError.self) {
        try other.write { try $0.run("INSERT INTO t (a) VALUES (2)") }
      }
      #expect(error?.reason == .busy)
      try revision.commit()
    }
    #expect(try numbers(other) == [1])
  }
}
