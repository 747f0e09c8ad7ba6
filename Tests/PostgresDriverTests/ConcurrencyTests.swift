import Foundation
import Relational
import Support
import Testing

@testable import PostgresDriver

@Suite("Many threads", .needsServer)
struct ConcurrencyTests {
  /// Runs `body` on threads of their own, and waits for all.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async {
    await withCheckedContinuation { continuation in
      let left = Mutex(count)
      for index in 0..<count {
        Thread.detachNewThread {
          do {
            try body(index)
          } catch {
            Issue.record(error)
          }
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { continuation.resume() }
        }
      }
    }
  }

  @Test("64 threads read and write with few connections", arguments: [true, false])
  func mixed(isPrepared: Bool) async throws {
    let schema = try TestSchema {
      $0.maximumConnections = 5
      $0.busyTimeout = 60
      $0.preparedStatements = isPrepared
    }
    let database = try schema.reopened { $0.applicationName = schema.name }
    let creation = "CREATE TABLE t (_id bigint PRIMARY KEY, n bigint); INSERT INTO t VALUES (0, 0)"
    try database.write { try $0.execute(creation) }
    await onThreads(64) { index in
      for round in 0..<20 {
        switch (index + round) % 4 {
        case 0:
          try database.write { connection in
            try connection.run("UPDATE t SET n = n + 1 WHERE _id = 0")
            try connection.statement("INSERT INTO t VALUES ((SELECT max(_id) + 1 FROM t), 1)").send()
          }
        case 1:
          try database.read { connection in
            var sums: [Int64] = []
            for _ in 0..<2 {
              try connection.forEachRow("SELECT n - (SELECT count(*) FROM t) FROM t WHERE _id = $1", [.integer(0)]) {
                sums.append($0.integer(0))
              }
            }
            #expect(sums == [-1, -1])
          }
        case 2:
          try database.readStatement(preferring: nil) { connection in
            try connection.forEachRow("SELECT count(*) FROM t") { #expect($0.integer(0) > 0) }
            // A write inside a read has a connection of its own.
            if round == 2 { try database.write { try $0.run("SELECT 1") } }
          }
        default:
          #expect(try database.integer("SELECT $1::bigint", [.integer(Int64(index))]) == Int64(index))
        }
      }
    }
    #expect(try database.integer("SELECT n FROM t WHERE _id = 0") == 320)
    #expect(try database.integer("SELECT count(*) FROM t") == 321)
    let used = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1"
    #expect((try database.integer(used, [.text(schema.name)]) ?? 0) <= 5)
  }

  @Test("When all connections are in use, the wait ends with a clear error")
  func exhaustion() async throws {
    let schema = try TestSchema {
      $0.maximumConnections = 2
      $0.busyTimeout = 0.2
    }
    let database = schema.database
    let error = Mutex<DatabaseError?>(nil)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try database.read { connection in
              try connection.run("SELECT 1")
              let group = DispatchGroup()
              DispatchQueue.global().async(group: group) {
                do {
                  try database.read { _ in }
                } catch let busy {
                  error.withLock { $0 = busy as? DatabaseError }
                }
              }
              group.wait()
              // A connection is kept for the writer.
              try database.write { try $0.run("SELECT 1") }
            }
          })
      }
    }
    #expect(error.withLock { $0?.reason } == .busy)
    #expect(error.withLock { $0?.message.contains("connections") } == true)
    #expect(try database.integer("SELECT 1") == 1)
  }

  @Test("Unused connections are closed")
  func idleness() async throws {
    let name = "idle \(UInt32.random(in: 0...(.max)))"
    let schema = try TestSchema {
      $0.idleTimeout = 0.1
      $0.applicationName = name
    }
    let other = try TestSchema()
    func count() throws -> Int64? {
      try other.database.integer("SELECT count(*) FROM pg_stat_activity WHERE application_name = $1", [.text(name)])
    }
    #expect(try schema.database.integer("SELECT 1") == 1)
    #expect(try count() == 1)
    for _ in 0..<100 where try count() != 0 { try await Task.sleep(for: .milliseconds(50)) }
    #expect(try count() == 0)
    #expect(try schema.database.integer("SELECT 1") == 1)
  }

  @Test("A notice reaches observers of its channel in other databases, also after a lost connection")
  func notices() async throws {
    let schema = try TestSchema { $0.applicationName = "observer" }
    let other = try schema.reopened { $0.applicationName = "notifier" }
    let channel = "a \"channel\"; " + schema.name
    let counts = Mutex((wanted: 0, unwanted: 0))
    let first = schema.database.notices.listen(channel) { counts.withLock { $0.wanted += 1 } }
    let second = schema.database.notices.listen("other " + channel) { counts.withLock { $0.unwanted += 1 } }
    func wait(_ isReached: (Int) -> Bool) async throws -> Int {
      for _ in 0..<200 {
        let count = counts.withLock { $0.wanted }
        if isReached(count) { return count }
        try await Task.sleep(for: .milliseconds(25))
      }
      return counts.withLock { $0.wanted }
    }
    var before = try await wait { $0 > 0 }
    try await Task.sleep(for: .milliseconds(200))
    before = counts.withLock { $0.wanted }
    let unwanted = counts.withLock { $0.unwanted }
    for _ in 0..<1000 { other.notices.notify(channel) }
    var after = try await wait { $0 > before }
    #expect(after > before && after < before + 100)
    #expect(counts.withLock { $0.unwanted } == unwanted)
    try await Task.sleep(for: .milliseconds(100))
    before = counts.withLock { $0.wanted }
    #expect(
      try schema.database.integer(
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE application_name = $1 AND query LIKE 'LISTEN%'
        """, [.text("observer")]) == 1)
    after = try await wait { $0 > before }
    #expect(after > before)
    first.cancel()
    second.cancel()
    try other.close()
  }

  @Test("Without notices observers are called every second")
  func polling() async throws {
    let schema = try TestSchema { $0.preparedStatements = false }
    let count = Mutex(0)
    let observation = schema.database.notices.listen("x") { count.withLock { $0 += 1 } }
    for _ in 0..<100 where count.withLock({ $0 < 3 }) { try await Task.sleep(for: .milliseconds(50)) }
    #expect(count.withLock { $0 } >= 3)
    observation.cancel()
  }
}
