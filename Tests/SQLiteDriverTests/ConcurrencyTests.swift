import Foundation
import Relational
import SQLiteDriver
import Support
import Testing

@Suite("Several threads and connections on one database")
struct ConcurrencyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("Increments from many threads and two databases are all kept")
  func increments() throws {
    let databases = [try folder.database(), try folder.database()]
    try databases[0].execute("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (0)")
    let failures = inParallel(8) { index in
      for _ in 0..<50 {
        try databases[index % 2].write { connection in
          let count = try #require(try connection.integer("SELECT n FROM t"))
          try connection.run("UPDATE t SET n = ?", [.integer(count + 1)])
        }
      }
    }
    #expect(failures.isEmpty, "\(failures)")
    #expect(try databases[1].integer("SELECT n FROM t") == 400)
  }

  @Test("Reads continue during a write and see the state before it")
  func readsDuringWrite() throws {
    let database = try folder.database()
    try database.execute("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)")
    try database.write { connection in
      try connection.run("UPDATE t SET n = 2")
      let failures = inParallel(8) { _ in
        for _ in 0..<20 { try #require(try database.integer("SELECT n FROM t") == 1) }
      }
      #expect(failures.isEmpty, "\(failures)")
    }
    #expect(try database.integer("SELECT n FROM t") == 2)
  }

  @Test("Reads run concurrently")
  func concurrentReads() throws {
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(location: .file(folder.file()), maximumReaderCount: 4))
    let arrived = DispatchSemaphore(value: 0)
    let failures = inParallel(4) { _ in
      try database.read { _ in
        // Each read waits until all four run.
        for _ in 0..<4 { arrived.signal() }
        for _ in 0..<4 { try #require(arrived.wait(timeout: .now() + 30) == .success) }
      }
    }
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test("Reads and writes of a database in memory are serialized")
  func memoryIsSerialized() throws {
    let database = try SQLiteDatabase.inMemory()
    try database.execute("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (0)")
    let failures = inParallel(8) { index in
      for _ in 0..<50 {
        if index % 2 == 0 {
          try database.execute("UPDATE t SET n = n + 1; UPDATE t SET n = n + 1")
        } else {
          try #require(try database.integer("SELECT n % 2 FROM t") == 0)
        }
      }
    }
    #expect(failures.isEmpty, "\(failures)")
    #expect(try database.integer("SELECT n FROM t") == 400)
  }

  @Test("Several threads may open a new file concurrently")
  func concurrentOpening() throws {
    for round in 0..<5 {
      let failures = inParallel(8) { index in
        let database = try folder.database("new-\(round).store")
        try database.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER); INSERT INTO t VALUES (\(index))")
      }
      #expect(failures.isEmpty, "\(failures)")
      #expect(try folder.database("new-\(round).store").integer("SELECT count(*) FROM t") == 8)
    }
  }

  @Test("A lock that outlasts the timeout is an error")
  func lockTimeout() throws {
    let holder = try folder.database()
    let other = try folder.database(busyTimeout: 0.05)
    try holder.execute("CREATE TABLE t (n INTEGER)")
    try holder.write { _ in
      let error = #expect(throws: DatabaseError.self) { try other.execute("INSERT INTO t VALUES (1)") }
      #expect(error?.reason == .busy)
    }
    try other.execute("INSERT INTO t VALUES (1)")
    #expect(try holder.integer("SELECT count(*) FROM t") == 1)
  }

  @Test("Closing waits for running calls and refuses later ones")
  func closing() throws {
    for _ in 0..<10 {
      let database = try folder.database()
      try database.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER)")
      let failures = inParallel(4) { index in
        if index == 0 {
          try database.close()
        } else {
          do {
            for _ in 0..<100 { _ = try database.integer("SELECT count(*) FROM t") }
          } catch let error as DatabaseError {
            try #require(error.message == "the database is closed", "\(error)")
          }
        }
      }
      #expect(failures.isEmpty, "\(failures)")
    }
  }

  /// Runs `body` on threads of its own, and returns the errors.
  private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
    let failures = Failures()
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      Thread {
        do { try body(index) } catch { failures.add("\(error)") }
        group.leave()
      }.start()
    }
    group.wait()
    return failures.all
  }
}

private final class Failures: Sendable {
  private let state = Mutex<[String]>([])

  var all: [String] { state.withLock { $0 } }

  func add(_ failure: String) { state.withLock { $0.append(failure) } }
}
