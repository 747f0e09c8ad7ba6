import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("The lock held between reading and writing")
struct HeldLockTests {
  private struct Stop: Error {}

  private func numbers(_ connection: any Connection) throws -> [Int64] {
    var numbers: [Int64] = []
    try connection.forEachRow("SELECT a FROM t ORDER BY a") { numbers.append($0.integer(0)) }
    return numbers
  }

  private func makeTable(_ database: SQLiteDatabase) throws {
    try database.write { connection in
      try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
      try connection.execute("CREATE TABLE u (t INTEGER REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
    }
  }

  @Test("The first write uses the held lock and commits, and the lock can be taken again", arguments: [true, false])
  func takingOver(inMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let database = try inMemory ? SQLiteDatabase.inMemory() : folder.database()
    try makeTable(database)
    try database.holdingLock { connection in
      #expect(connection.holdsLock)
      try database.write { try $0.run("INSERT INTO t VALUES (1)") }
      #expect(!connection.holdsLock)
      try connection.takeLock()
      #expect(connection.holdsLock)
      #expect(try database.read(numbers) == [1])
      try database.write { try $0.run("INSERT INTO t VALUES (2)") }
      try database.write { try $0.run("INSERT INTO t VALUES (3)") }
    }
    #expect(try database.read(numbers) == [1, 2, 3])
  }

  @Test("A write that throws or cannot be committed is rolled back, and keeps the lock", arguments: [true, false])
  func undoing(inMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let database = try inMemory ? SQLiteDatabase.inMemory() : folder.database()
    try makeTable(database)
    try database.holdingLock { connection in
      let generation = connection.writeGeneration
      #expect(throws: Stop.self) {
        try database.write { connection in
          try connection.run("INSERT INTO t VALUES (1)")
          throw Stop()
        }
      }
      #expect(connection.holdsLock)
      #expect(connection.writeGeneration != generation)
      let error = #expect(throws: DatabaseError.self) {
        try database.write { try $0.run("INSERT INTO u VALUES (7)") }
      }
      #expect(error?.reason == .foreignKeyViolation)
      #expect(connection.holdsLock)
      #expect(try numbers(connection).isEmpty)
      try database.write { try $0.run("INSERT INTO t VALUES (2)") }
    }
    #expect(try database.read(numbers) == [2])
  }

  @Test("Holding the lock without writing does not change the write generation")
  func unused() throws {
    let folder = try TemporaryFolder()
    let database = try folder.database()
    try makeTable(database)
    let first = try database.holdingLock { $0.writeGeneration }
    #expect(throws: Stop.self) { try database.holdingLock { _ in throw Stop() } }
    #expect(try database.holdingLock { $0.writeGeneration } == first)
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(try database.holdingLock { $0.writeGeneration } == first)
    try folder.database().write { try $0.run("INSERT INTO t VALUES (2)") }
    #expect(try database.holdingLock { $0.writeGeneration } != first)
  }

  @Test("A thread that takes its own lock through another connection is refused at once, and other threads wait")
  func reentrancy() throws {
    let folder = try TemporaryFolder()
    let database = try folder.database()
    try makeTable(database)
    let other = try folder.database()
    try database.holdingLock { _ in
      let error = #expect(throws: DatabaseError.self) { try other.write { _ in } }
      #expect(error?.reason == .busy)
      let nested = #expect(throws: DatabaseError.self) { try database.holdingLock { _ in } }
      #expect(nested?.reason == .busy)
      #expect(throws: DatabaseError.self) { try database.close() }
    }
    try other.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(try database.read(numbers) == [1])
  }

  @Test("A wait that times out throws an error, after the wait observer was called", arguments: [true, false])
  func waiting(sameDatabase: Bool) throws {
    let folder = try TemporaryFolder()
    let reports = WaitReports()
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(
        location: .file(folder.file()), busyTimeout: 0.08,
        waitObserver: WaitObserver(after: 0.02) { reports.note($0) }))
    try makeTable(database)
    let holder =
      sameDatabase
      ? database
      : try SQLiteDatabase(
        configuration: SQLiteConfiguration(location: .file(folder.file())))
    let (entered, leave, left) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let thread = Thread {
      try? holder.holdingLock { _ in
        entered.signal()
        leave.wait()
      }
      left.signal()
    }
    thread.start()
    entered.wait()
    let error = #expect(throws: DatabaseError.self) { try database.write { _ in } }
    #expect(error?.reason == .busy)
    #expect(reports.holders == [sameDatabase ? .otherThread : .otherConnection])
    leave.signal()
    left.wait()
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    try database.close()
  }

  private final class WaitReports: @unchecked Sendable {
    // One thread waits.
    private(set) var holders: [WaitObserver.Holder] = []

    func note(_ holder: WaitObserver.Holder) {
      holders.append(holder)
    }
  }
}
