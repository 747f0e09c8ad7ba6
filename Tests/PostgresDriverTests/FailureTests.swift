import Foundation
import PostgresDriver
import Relational
import Support
import Testing

@Suite("Failures of the server and of statements", .needsServer)
struct FailureTests {
  private let schema: TestSchema
  private let other: TestSchema
  private var database: PostgresDatabase { schema.database }

  init() throws {
    schema = try TestSchema { $0.busyTimeout = 2 }
    other = try TestSchema()
    try database.execute("CREATE TABLE t (_id bigint PRIMARY KEY, name text NOT NULL CHECK (name <> 'bad'))")
  }

  private func insert(_ key: Int64, _ connection: any Connection) throws {
    try connection.run("INSERT INTO t VALUES ($1, '')", [.integer(key)])
  }

  private var count: Int64? {
    get throws { try database.integer("SELECT count(*) FROM t") }
  }

  @Test(
    "An error has the reason that its SQLSTATE stands for",
    arguments: [
      ("INSERT INTO t VALUES (1, ''), (1, '')", .uniqueViolation),
      ("INSERT INTO t VALUES (1, NULL)", .notNullViolation),
      ("INSERT INTO t VALUES (1, 'bad')", .checkViolation), ("SELECT x FROM missing", .other), ("SELEC", .other),
      ("SELECT name + 1 FROM t", .tooComplex), ("SELECT nofunction(1)", .tooComplex), ("SELECT 1 / 0", .tooComplex),
      ("SELECT 9223372036854775807 + 1", .tooComplex), ("SELECT 'secret'::text::bigint", .tooComplex),
      ("SELECT coalesce(1, name) FROM t", .tooComplex),
      ("COPY t FROM STDIN", .other),
    ] as [(String, DatabaseError.Reason)])
  func reasons(sql: String, reason: DatabaseError.Reason) throws {
    let error = #expect(throws: DatabaseError.self) { try database.write { try $0.run(sql) } }
    #expect(error?.reason == reason)
    #expect(error?.message.contains("secret") == false)
    #expect(error?.sql == sql)
    #expect(try count == 0)
  }

  @Test(
    "The reasons of other SQLSTATEs",
    arguments: [
      ("23503", .foreignKeyViolation), ("P0001", .refusedByTrigger), ("55P03", .busy), ("53300", .busy),
      ("57014", .busy),
      ("53100", .diskFull), ("42501", .readOnly), ("25006", .readOnly), ("08006", .disconnected),
      ("57P01", .disconnected),
      ("40001", .conflict), ("40P01", .conflict), ("28P01", .cannotOpen), ("3D000", .cannotOpen),
      ("54001", .tooComplex),
      ("22003", .other), ("42P18", .tooComplex), ("XX000", .other), ("", .other),
    ] as [(String, DatabaseError.Reason)])
  func reason(state: String, reason: DatabaseError.Reason) {
    #expect(DatabaseError.Reason(state: state, isQuery: false) == reason)
  }

  @Test("A script with several statements fails as a whole")
  func script() throws {
    let error = #expect(throws: DatabaseError.self) {
      try database.execute("INSERT INTO t VALUES (1, ''); SELECT nothing")
    }
    #expect(error?.reason == .other)
    #expect(try count == 0)
    #expect(throws: DatabaseError.self) { try database.execute("COPY t TO STDOUT") }
    #expect(try count == 0)
  }

  @Test("A read on a connection that the server had closed is repeated", arguments: [true, false])
  func deadReader(inTransaction: Bool) throws {
    let process = try database.readStatement(preferring: nil) { try $0.process }
    try other.database.terminate(process)
    let again =
      inTransaction
      ? try database.read { try $0.process } : try database.readStatement(preferring: nil) { try $0.process }
    #expect(again != process)
  }

  @Test("A write on a connection that the server had closed is repeated")
  func deadWriter() throws {
    let process = try database.write { try $0.process }
    try other.database.terminate(process)
    try database.write { try insert(1, $0) }
    #expect(try count == 1)
  }

  @Test("A connection that is lost before the first answer is replaced", arguments: [true, false])
  func lostBeforeAnswer(isWrite: Bool) throws {
    let process = try database.write { try $0.process }
    var attempts = 0
    func body(_ connection: any Connection) throws {
      attempts += 1
      if attempts == 1 { try other.database.terminate(process) }
      try connection.run("SELECT 1")
      if isWrite { try insert(1, connection) }
    }
    if isWrite { try database.write(body) } else { try database.read(body) }
    #expect(attempts == 2)
    #expect(try count == (isWrite ? 1 : 0))
  }

  @Test("A connection that is lost later fails, and the next call succeeds")
  func lostLater() throws {
    let read = #expect(throws: DatabaseError.self) {
      try database.read { connection in
        try other.database.terminate(connection.process)
        try connection.run("SELECT 1")
      }
    }
    #expect(read?.reason == .disconnected)
    let write = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        try insert(1, connection)
        try other.database.terminate(connection.process)
        try insert(2, connection)
      }
    }
    #expect(write?.reason == .disconnected)
    #expect(try count == 0)
    try database.write { try insert(1, $0) }
    #expect(try count == 1)
  }

  @Test("A connection that is lost before the commit was not committed, and says so")
  func lostBeforeCommit() throws {
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection in
        try insert(1, connection)
        try other.database.terminate(connection.process)
      }
    }
    #expect(error?.reason == .disconnected)
    #expect(error?.message.contains("unknown") == false)
    #expect(try count == 0)
  }

  @Test("A commit that the server did not finish before the connection was lost was not committed")
  func lostDuringCommit() throws {
    try database.execute("CREATE TABLE u (n bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    let error = try other.database.withoutTransaction { rival in
      let process = Mutex<Int64>(0)
      // The commit waits until the rival's transaction, which has the same number, ends.
      try rival.execute("BEGIN; INSERT INTO \"\(schema.name)\".u VALUES (1)")
      let killer = Thread { [database] in
        let sql =
          "SELECT count(*) FROM pg_stat_activity WHERE pid = $1::int AND query = 'COMMIT' AND wait_event_type = 'Lock'"
        while (try? database.integer(sql, [.integer(process.withLock { $0 })])) != 1 { usleep(10_000) }
        try? database.terminate(process.withLock { $0 })
      }
      defer { try? rival.execute("ROLLBACK") }
      return #expect(throws: DatabaseError.self) {
        try database.write { connection in
          let own = try connection.process
          process.withLock { $0 = own }
          try connection.run("INSERT INTO u VALUES (1)")
          killer.start()
        }
      }
    }
    #expect(error?.reason == .disconnected)
    #expect(error?.message.contains("unknown") == false)
    #expect(try database.integer("SELECT count(*) FROM u") == 0)
  }

  @Test("A commit whose answer is lost has succeeded", arguments: [true, false])
  func lostAnswer(waits: Bool) throws {
    let proxy = try #require(try TestProxy(), "the server of the tests has no socket file")
    let database = try schema.reopened { $0.server = .url(proxy.url) }
    try database.write { try insert(1, $0) }
    proxy.dropsNextCommit()
    func write() throws {
      try database.write { connection in
        if waits { try insert(2, connection) } else { try connection.statement("INSERT INTO t VALUES (2, '')").send() }
      }
    }
    if waits {
      try write()
    } else {
      // The identifier of the transaction was to come with the same answer.
      let error = #expect(throws: DatabaseError.self) { try write() }
      #expect(error?.reason == .commitUnknown)
    }
    #expect(try count == 2)
    try database.write { try insert(3, $0) }
    #expect(try count == 3)
    try database.close()
  }

  @Test("A cancelled task cancels a read in the server, but not a write")
  func cancellation() async throws {
    let database = database
    let start = ContinuousClock.now
    let task = Task.detached {
      try database.readStatement(preferring: nil) { connection in
        connection.isCancellable = true
        defer { connection.isCancellable = false }
        try connection.run("SELECT pg_sleep(30)")
      }
    }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    let result = await task.result
    let error = #expect(throws: DatabaseError.self) { try result.get() }
    #expect(error?.reason == .interrupted)
    #expect(start.duration(to: .now) < .seconds(10))
    #expect(try database.integer("SELECT 1") == 1)
    let writing = Task.detached {
      withUnsafeCurrentTask { $0?.cancel() }
      try database.write { connection in
        connection.isCancellable = false
        try connection.run("SELECT pg_sleep(0.1)")
        try connection.run("INSERT INTO t VALUES (1, '')")
      }
    }
    try await writing.value
    #expect(try count == 1)
  }

  @Test("A statement that takes too long is refused")
  func statementTimeout() throws {
    let database = try schema.reopened { $0.statementTimeout = 0.1 }
    let error = #expect(throws: DatabaseError.self) { try database.rows("SELECT pg_sleep(20)") }
    #expect(error?.reason == .busy)
    #expect(try database.integer("SELECT 1") == 1)
    try database.close()
  }

  @Test("A database for reading only refuses writes")
  func readOnly() throws {
    let database = try schema.reopened { $0.isReadOnly = true }
    let error = #expect(throws: DatabaseError.self) { try database.write { _ in } }
    #expect(error?.reason == .readOnly)
    let other = #expect(throws: DatabaseError.self) { try database.rows("INSERT INTO t VALUES (1, '') RETURNING _id") }
    #expect(other?.reason == .readOnly)
    try database.close()
  }

  @Test("No description and no error has the password", arguments: [true, false])
  func passwords(isURL: Bool) throws {
    let server: PostgresConfiguration.Server =
      isURL
      ? .url("postgresql://tester:hunter2@127.0.0.1:1/missing")
      : .parameters(["host": "127.0.0.1", "port": "hunter2", "user": "tester", "password": "hunter2"])
    let configuration = PostgresConfiguration(server: server)
    var dumped = ""
    dump(configuration, to: &dumped)
    let error = #expect(throws: DatabaseError.self) { try PostgresDatabase(configuration: configuration) }
    // The port of the other address is malformed.
    #expect(error?.reason == (isURL ? .disconnected : .cannotOpen))
    let texts = [
      "\(configuration)", String(reflecting: configuration), dumped, "\(server)", String(reflecting: server),
      error?.description,
    ]
    for text in texts { #expect(text?.contains("hunter2") == false) }
  }

  @Test(
    "A malformed address is not quoted", arguments: ["postgresql://a:hunter2@[::1", "password='hunter2", "hunter2"])
  func malformed(address: String) throws {
    let error = #expect(throws: DatabaseError.self) {
      try PostgresDatabase(configuration: PostgresConfiguration(server: .url(address)))
    }
    #expect(error?.reason == .cannotOpen)
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test("A closed database refuses calls")
  func closed() throws {
    let database = try schema.reopened()
    try database.read { connection in
      let error = #expect(throws: DatabaseError.self) { try database.close() }
      #expect(error?.reason == .busy)
      _ = connection
    }
    try database.close()
    try database.close()
    let error = #expect(throws: DatabaseError.self) { try database.rows("SELECT 1") }
    #expect(error?.reason == .closed)
  }
}
