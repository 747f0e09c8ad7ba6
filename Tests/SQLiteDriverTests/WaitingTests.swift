import Foundation
import Relational
import SQLiteDriver
import Support
import Testing

@Suite("Waiting for other threads")
struct WaitingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(busyTimeout: Double, observer: WaitObserver? = nil) throws -> SQLiteDatabase {
    try SQLiteDatabase(
      configuration: SQLiteConfiguration(
        location: .file(folder.file()), busyTimeout: busyTimeout, waitObserver: observer))
  }

  /// Runs `body` while another thread writes.
  ///
  /// - Returns: Whether the other thread was still writing when `body` had ended.
  private func whileWriting(to database: SQLiteDatabase, _ body: () throws -> Void) throws -> Bool {
    let (isInside, mayLeave, hasLeft) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let isAwaited = Switch(false)
    Thread {
      try? database.write { _ in
        isInside.signal()
        isAwaited.isOn = mayLeave.wait(timeout: .now() + 10) == .success
      }
      hasLeft.signal()
    }.start()
    isInside.wait()
    let result = Result { try body() }
    mayLeave.signal()
    hasLeft.wait()
    try result.get()
    return isAwaited.isOn
  }

  @Test(
    "A busy timeout may be any number of seconds, however large", arguments: [4300, 1e12, 1e300, Double.infinity],
    [true, false])
  func longWait(timeout: Double, sameDatabase: Bool) throws {
    let (isInside, isAwaited, hasLeft) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let database = try open(busyTimeout: timeout, observer: WaitObserver(after: 0) { _ in isAwaited.signal() })
    try database.execute("CREATE TABLE t (n INTEGER)")
    let holder = sameDatabase ? database : try folder.database()
    Thread {
      try? holder.write { _ in
        isInside.signal()
        _ = isAwaited.wait(timeout: .now() + 10)
      }
      hasLeft.signal()
    }.start()
    isInside.wait()
    try database.execute("INSERT INTO t VALUES (1)")
    hasLeft.wait()
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
  }

  @Test(
    "Without a positive timeout there is no wait", arguments: [0, -1, -Double.infinity, .nan],
    [true, false])
  func noWait(timeout: Double, sameDatabase: Bool) throws {
    let database = try open(busyTimeout: timeout)
    try database.execute("CREATE TABLE t (n INTEGER)")
    let isWriting = try whileWriting(to: sameDatabase ? database : folder.database()) {
      let error = #expect(throws: DatabaseError.self) { try database.execute("INSERT INTO t VALUES (1)") }
      #expect(error?.reason == .busy)
    }
    #expect(isWriting)
  }

  @Test(
    "The threshold of the wait observer may be any number of seconds",
    arguments: [-Double.infinity, 1e300, .infinity, .nan])
  func thresholds(seconds: Double) throws {
    let database = try open(busyTimeout: 0.01, observer: WaitObserver(after: seconds) { _ in })
    _ = try whileWriting(to: database) {
      #expect(throws: DatabaseError.self) { try database.execute("CREATE TABLE t (n INTEGER)") }
    }
  }

  @Test("Checking for readers of an old snapshot does not wait for a writer")
  func currentReaders() throws {
    let database = try open(busyTimeout: 30)
    try database.execute("CREATE TABLE t (n INTEGER)")
    #expect(database.hasOnlyCurrentReaders())
    let isWriting = try whileWriting(to: database) { #expect(!database.hasOnlyCurrentReaders()) }
    #expect(isWriting)
    #expect(database.hasOnlyCurrentReaders())
    try database.close()
    #expect(!database.hasOnlyCurrentReaders())
  }

  @Test("Concurrent calls of close all wait until the database is closed")
  func closingTogether() throws {
    for _ in 0..<5 {
      let database = try folder.database()
      try database.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER); INSERT INTO t VALUES (1)")
      let count = 4
      let (isInside, areReady, hasLeft) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      let isReading = Switch(true)
      let early = Switch(false)
      let log = folder.file() + "-wal"
      Thread {
        try? database.read { connection in
          for _ in 0..<count { isInside.signal() }
          for _ in 0..<count { areReady.wait() }
          // Gives the closing threads time to start; without it the test would show less.
          _ = try connection.integer(
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200000) SELECT count(*) FROM c")
          isReading.isOn = false
        }
        hasLeft.signal()
      }.start()
      for _ in 0..<count {
        Thread {
          isInside.wait()
          areReady.signal()
          try? database.close()
          if isReading.isOn || FileManager.default.fileExists(atPath: log) { early.isOn = true }
          hasLeft.signal()
        }.start()
      }
      for _ in 0...count { hasLeft.wait() }
      #expect(!early.isOn)
    }
  }
}

private final class Switch: Sendable {
  private let state: Mutex<Bool>

  init(_ isOn: Bool) {
    state = Mutex(isOn)
  }

  var isOn: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
