import Foundation
import Support
import SwiftData
import SwiftDataPostgres
import Testing

@testable import TestSupport

@Model
private final class Parcel {
  @Attribute(.unique) var code: String
  var weight: Int

  init(code: String, weight: Int = 1) {
    self.code = code
    self.weight = weight
  }
}

/// What another release makes of the model.
private enum Later {
  @Model
  final class Parcel {
    @Attribute(.unique) var code: String
    @Attribute(originalName: "weight") var grams: Double?

    init(code: String) {
      self.code = code
    }
  }
}

@Suite("Failures of a PostgreSQL server", .needsServer)
struct FailureTests {
  private let namespace: Namespace
  private let url: String

  init() throws {
    namespace = try Namespace("failures")
    url = try #require(ServerAddress.url)
  }

  private func configuration(
    url: String? = nil, allowsSave: Bool = true, application: String? = nil
  ) -> PostgresConfiguration {
    var configuration = PostgresConfiguration(url: url ?? self.url, namespace: namespace.name, allowsSave: allowsSave)
    configuration.connections.applicationName = application ?? namespace.name
    configuration.options.busyTimeout = .seconds(5)
    return configuration
  }

  private func open(_ configuration: PostgresConfiguration) throws -> ModelContainer {
    try ModelContainer(for: Parcel.self, configurations: configuration)
  }

  private func codes(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Parcel>()).map(\.code).sorted()
  }

  private func save(_ code: String, _ container: ModelContainer) throws {
    let context = ModelContext(container)
    context.insert(Parcel(code: code))
    try context.save()
  }

  // MARK: Lost connections

  @Test("Fetches and saves after all connections were lost succeed")
  func lostBetweenCalls() throws {
    let container = try open(configuration())
    try save("a", container)
    try namespace.terminate(connectionsOf: namespace.name)
    #expect(try codes(container) == ["a"])
    try namespace.terminate(connectionsOf: namespace.name)
    try save("b", container)
    #expect(try codes(container) == ["a", "b"])
  }

  @Test("A connection lost inside a transaction is a typed error, nothing is saved, and the changes can be saved later")
  func lostInTransaction() throws {
    let container = try open(configuration())
    try save("a", container)
    let context = ModelContext(container)
    let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
    var runs = 0
    let error = SwiftDataError.thrown {
      try context.transaction {
        runs += 1
        parcel.weight += 1
        context.insert(Parcel(code: "b"))
        try namespace.terminate(connectionsOf: namespace.name)
      }
    }
    #expect(error?.reason == .disconnected)
    // What a program does in the block is never repeated without its knowledge.
    #expect(runs == 1)
    #expect(try codes(container) == ["a"])
    #expect(parcel.weight == 2)
    try context.save()
    #expect(try codes(container) == ["a", "b"])
    #expect(
      try ModelContext(container).fetchCount(FetchDescriptor<Parcel>(predicate: #Predicate { $0.weight == 2 })) == 1)
  }

  @Test("A connection that is lost during a read inside a transaction does not repeat the block")
  func lostDuringRead() throws {
    let container = try open(configuration())
    try save("a", container)
    let context = ModelContext(container)
    var runs = 0
    let error = SwiftDataError.thrown {
      try context.transaction {
        runs += 1
        try namespace.terminate(connectionsOf: namespace.name)
        try context.fetch(FetchDescriptor<Parcel>()).first?.weight += 1
      }
    }
    #expect(error?.reason == .disconnected)
    #expect(runs == 1)
    try context.transaction { try context.fetch(FetchDescriptor<Parcel>()).first?.weight += 1 }
    #expect(try ModelContext(container).fetch(FetchDescriptor<Parcel>()).map(\.weight) == [2])
  }

  @Test("After a restart of the server the same container works, and a save meanwhile is a typed error")
  func restart() throws {
    let server = try OwnServer()
    let container = try open(configuration(url: server.url))
    try save("a", container)
    try server.stop()
    let context = ModelContext(container)
    context.insert(Parcel(code: "b"))
    let saving = SwiftDataError.thrown { try context.save() }
    #expect(saving?.reason == .disconnected)
    let fetching = SwiftDataError.thrown { _ = try codes(container) }
    #expect(fetching?.reason == .disconnected)
    let opening = SwiftDataError.thrown { _ = try open(configuration(url: server.url)) }
    #expect(opening == .loadIssueModelContainer)
    try server.start()
    try context.save()
    #expect(try codes(container) == ["a", "b"])
    try container.close()
  }

  @Test("Another container is notified of saves after the server was restarted")
  func followingAfterRestart() async throws {
    let server = try OwnServer()
    let (container, other) = (try open(configuration(url: server.url)), try open(configuration(url: server.url)))
    try save("a", container)
    let context = ModelContext(other)
    let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
    try server.stop()
    try server.start()
    let writer = ModelContext(container)
    try writer.fetch(FetchDescriptor<Parcel>()).first?.weight = 5
    try writer.save()
    let isCurrent = await comesTrue(within: .seconds(20)) {
      context.processPendingChanges()
      return parcel.weight == 5
    }
    #expect(isCurrent)
    try container.close()
    try other.close()
  }

  // MARK: Rights

  /// A role of the test, which is dropped afterwards.
  private func withRole(_ options: String, _ body: (_ role: String) throws -> Void) throws {
    let role = "role_\(UUID().uuidString.lowercased().prefix(8))"
    try namespace.database.execute("CREATE ROLE \(role) LOGIN \(options)")
    defer { try? namespace.database.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
    try body(role)
  }

  @Test("A role that may only read fetches, and its save is a typed error")
  func reader() throws {
    let container = try open(configuration())
    try save("a", container)
    try withRole("") { role in
      try namespace.database.execute(
        """
        GRANT USAGE ON SCHEMA "\(namespace.name)" TO \(role);
        GRANT SELECT ON ALL TABLES IN SCHEMA "\(namespace.name)" TO \(role)
        """)
      let url = try ServerAddress.url(["user": role])
      let reader = try open(configuration(url: url))
      #expect(try codes(reader) == ["a"])
      let context = ModelContext(reader)
      let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
      parcel.weight = 7
      let error = SwiftDataError.thrown { try context.save() }
      #expect(error == .storeFailure)
      #expect(error?.reason == .readOnly)
      #expect(error?.details?.hint?.contains("role") == true)
      #expect(context.hasChanges)
      let transaction = SwiftDataError.thrown { try context.transaction { parcel.weight = 8 } }
      #expect(transaction?.reason == .readOnly)
      #expect(try codes(reader) == ["a"])
      try reader.close()
      let readOnly = try open(configuration(url: url, allowsSave: false))
      #expect(try codes(readOnly) == ["a"])
      try readOnly.close()
    }
    #expect(try ModelContext(container).fetch(FetchDescriptor<Parcel>()).map(\.weight) == [1])
  }

  @Test("A configuration that allows no saves cannot write, and its transactions are read-only")
  func savesRefused() throws {
    let container = try open(configuration())
    try save("a", container)
    let reader = try open(configuration(allowsSave: false))
    #expect(try codes(reader) == ["a"])
    let context = ModelContext(reader)
    context.insert(Parcel(code: "b"))
    #expect(SwiftDataError.thrown { try context.save() } != nil)
    #expect(try codes(container) == ["a"])
  }

  @Test("A role that may not create a schema or tables is a typed error")
  func noRightToCreate() throws {
    try withRole("") { role in
      let url = try ServerAddress.url(["user": role])
      let missing = PostgresConfiguration(url: url, namespace: "missing_\(role)")
      let error = SwiftDataError.thrown { _ = try open(missing) }
      #expect(error == .loadIssueModelContainer)
      #expect(error?.message.contains("missing_\(role)") == true)
      #expect(error?.message.contains("cannot be created") == true)
      // The schema is there, without the right to create tables.
      try namespace.database.execute("GRANT USAGE ON SCHEMA \"\(namespace.name)\" TO \(role)")
      let tables = SwiftDataError.thrown { _ = try open(configuration(url: url)) }
      #expect(tables == .loadIssueModelContainer)
      #expect(tables?.texts.contains("permission denied") == true)
    }
  }

  // MARK: Limits

  @Test("A statement that takes too long is a typed error, and the next one works")
  func statementTimeout() throws {
    var configuration = configuration()
    configuration.connections.statementTimeout = .milliseconds(300)
    let container = try open(configuration)
    try save("a", container)
    try namespace.database.withoutTransaction { connection in
      try connection.execute("BEGIN; LOCK TABLE \"Parcel\" IN ACCESS EXCLUSIVE MODE")
      defer { try? connection.execute("ROLLBACK") }
      let start = ContinuousClock.now
      let error = SwiftDataError.thrown { _ = try codes(container) }
      #expect(error?.reason == .busy)
      #expect(ContinuousClock.now - start < .seconds(10))
      let saving = SwiftDataError.thrown { try save("b", container) }
      #expect(saving?.reason == .busy)
    }
    #expect(try codes(container) == ["a"])
    try save("b", container)
    #expect(try codes(container) == ["a", "b"])
  }

  @Test("A writer that another one keeps waiting is a typed error after the time of the configuration")
  func busyTimeout() throws {
    var configuration = configuration()
    configuration.options.busyTimeout = .milliseconds(300)
    let container = try open(configuration)
    try save("a", container)
    try namespace.database.withoutTransaction { connection in
      try connection.execute("BEGIN; UPDATE swiftdata_sequences SET last = last WHERE name = 'swiftdata_writer'")
      defer { try? connection.execute("ROLLBACK") }
      #expect(SwiftDataError.thrown { try save("b", container) }?.reason == .busy)
      #expect(try codes(container) == ["a"])
    }
    try save("b", container)
  }

  @Test("When the server has no connection left, a fetch is a typed error, and later ones work")
  func fullServer() throws {
    let container = try open(configuration())
    try save("a", container)
    let role = "full_\(UUID().uuidString.lowercased().prefix(8))"
    try namespace.database.execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 1")
    defer { try? namespace.database.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
    try namespace.database.execute(
      """
      GRANT USAGE ON SCHEMA "\(namespace.name)" TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA "\(namespace.name)" TO \(role)
      """)
    // Without a history the container needs no connection for notifications.
    var configuration = try configuration(url: ServerAddress.url(["user": role]))
    configuration.options.history = .none
    let limited = try open(configuration)
    let error = Mutex<SwiftDataError?>(nil)
    try ModelContext(limited).transaction {
      let group = DispatchGroup()
      Thread.detachNewThread(in: group) {
        let thrown = SwiftDataError.thrown { _ = try codes(limited) }
        error.withLock { $0 = thrown }
      }
      group.wait()
    }
    #expect(error.withLock { $0?.reason } == .busy)
    #expect(error.withLock { $0?.message.contains("too many connections") } == true)
    #expect(try codes(limited) == ["a"])
    try limited.close()
  }

  // MARK: Wrong servers

  @Test("A database in another encoding is refused with its name", arguments: ["SQL_ASCII", "LATIN1"])
  func encoding(_ encoding: String) throws {
    let name = "osd_\(encoding.lowercased())_\(UUID().uuidString.lowercased().prefix(8))"
    let creation = "CREATE DATABASE \(name) ENCODING '\(encoding)' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
    try namespace.database.execute(creation)
    defer { try? namespace.database.execute("DROP DATABASE \(name) WITH (FORCE)") }
    let error = SwiftDataError.thrown { _ = try open(configuration(url: ServerAddress.url(["dbname": name]))) }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.message.contains(encoding) == true)
  }

  private static let secret = "s3cr3t"

  @Test(
    "An address where no server answers is a typed error without the password",
    arguments: [
      "postgresql://user:s3cr3t@/postgres?host=/nowhere",
      "postgresql://user:s3cr3t@no.such.host.invalid:1/postgres",
      "postgresql://user:s3cr3t@127.0.0.1:1/postgres?connect_timeout=2",
      "host=/nowhere user=user password=s3cr3t", "host=/nowhere user=user password='s3cr3t with spaces'",
      "postgresql:///postgres?host=/nowhere&password=s3cr3t",
      // These are malformed, and messages of libpq quote them.
      "postgresql://user:s3cr3t@[::1", "postgresql://user:%zzs3cr3t@host/db", "postgresql://user:s3cr3t@host/db?s3cr3t",
      "postgresql://user:s3cr3t@host:s3cr3t/db", "postgresql://user:s3cr3t/x@/postgres?host=/nowhere",
      "postgresql://user:p/s3cr3t@/postgres?host=/nowhere", "postgresql://user:12s3cr3t/x@/postgres?host=/nowhere",
      "postgresql://user:a?s3cr3t@/postgres?host=/nowhere", "postgresql://user:s3cr3t?a@/postgres?host=/nowhere",
      "postgresql://user:s3cr3t#a@/postgres?host=/nowhere", "postgresql://user:s3cr3t@x@/postgres?host=/nowhere",
      "postgresql://user:x@s3cr3t@127.0.0.1:1/postgres", "postgresql://user:x@@s3cr3t@/postgres",
      "postgresql://user:x@/postgres\0s3cr3t?host=/nowhere", "host=/nowhere password s3cr3t",
      "host=/nowhere password='s3cr3t", "s3cr3t", "user:s3cr3t@host/db",
      "postgresql://user@/postgres?host=/nowhere&password=x@s3cr3t",
      "postgresql://user@/postgres?host=/nowhere&port=s3cr3t",
    ])
  func unreachable(address: String) throws {
    let configuration = configuration(url: address)
    let error = SwiftDataError.thrown { _ = try open(configuration) }
    #expect(error == .loadIssueModelContainer)
    let shown = [
      error?.texts ?? "", "\(configuration)", String(reflecting: configuration), String(describing: configuration),
    ]
    var dumped = ""
    dump(configuration, to: &dumped)
    if let error { dump(error, to: &dumped) }
    for text in shown + [dumped] { #expect(!text.contains(Self.secret)) }
  }

  @Test("A wrong password is a typed error without the password, and a right one opens the store")
  func wrongPassword() throws {
    let server = try OwnServer()
    let admin = try Namespace.database("public", url: server.url)
    try admin.execute(
      "CREATE ROLE member LOGIN PASSWORD 's3cr3t/?#@right'; GRANT CREATE ON DATABASE postgres TO member")
    try server.setRules("local all postgres trust\nlocal all all scram-sha-256\n")
    try admin.execute("SELECT pg_reload_conf()")
    func address(_ password: String) throws -> String {
      try ServerAddress.url(["user": "member", "password": password], of: server.url)
    }
    // The server reads the rules again soon.
    #expect(comesTrueHere { (try? open(configuration(url: address("s3cr3t wrong")))) == nil })
    for password in ["s3cr3t wrong", "s3cr3t'; DROP ROLE member; --", ""] {
      let error = SwiftDataError.thrown { _ = try open(configuration(url: address(password))) }
      #expect(error == .loadIssueModelContainer)
      #expect(error?.details?.hint?.contains("password and the rights of the role") == true)
      #expect(error?.texts.contains(Self.secret) == false)
    }
    let container = try open(configuration(url: address("s3cr3t/?#@right")))
    try save("a", container)
    #expect(try codes(container) == ["a"])
    // The password changes while the container is open.
    try admin.execute("ALTER ROLE member PASSWORD 'other'")
    try server.stop()
    try server.start()
    let error = SwiftDataError.thrown { _ = try codes(container) }
    #expect(error == .storeFailure)
    #expect(error?.texts.contains(Self.secret) == false)
    try container.close()
    try admin.close()
  }

  @Test("The name of a database is no connection string to another server")
  func databaseName() throws {
    let host = try #require(URLComponents(string: url)?.queryItems?.first { $0.name == "host" }?.value)
    for name in ["host=/nowhere dbname=postgres", "postgresql:///postgres?host=/nowhere"] {
      let configuration = PostgresConfiguration(host: host, database: name, user: "postgres", namespace: namespace.name)
      let error = SwiftDataError.thrown { _ = try open(configuration) }
      #expect(error == .loadIssueModelContainer)
      #expect(error?.message.contains("does not exist") == true)
    }
  }

  @Test("The name of a database does not end at U+0000")
  func databaseNameWithZero() throws {
    let host = try #require(URLComponents(string: url)?.queryItems?.first { $0.name == "host" }?.value)
    let configuration = PostgresConfiguration(
      host: host, database: "postgres\0other", user: "postgres", namespace: namespace.name)
    #expect(SwiftDataError.thrown { _ = try open(configuration) } == .loadIssueModelContainer)
  }

  // MARK: Migration by others

  @Test("When another container has migrated the store, the next save and the next fetch are typed errors")
  func migratedByOther() throws {
    let container = try open(configuration())
    try save("a", container)
    let context = ModelContext(container)
    let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
    let later = try ModelContainer(for: Later.Parcel.self, configurations: configuration())
    parcel.weight = 3
    let saving = SwiftDataError.thrown { try context.save() }
    #expect(saving == .loadIssueModelContainer)
    let fetching = SwiftDataError.thrown { _ = try codes(container) }
    #expect(fetching == .loadIssueModelContainer)
    #expect(try ModelContext(later).fetch(FetchDescriptor<Later.Parcel>()).map(\.grams) == [1])
  }

  @Test("When another program has dropped the tables or the schema, calls are typed errors")
  func droppedTables() throws {
    let container = try open(configuration())
    try save("a", container)
    try namespace.database.execute("DROP TABLE \"Parcel\"")
    #expect(SwiftDataError.thrown { _ = try codes(container) } != nil)
    #expect(SwiftDataError.thrown { try save("b", container) } != nil)
    try namespace.database.execute("DROP SCHEMA \"\(namespace.name)\" CASCADE")
    #expect(SwiftDataError.thrown { _ = try codes(container) } != nil)
    #expect(SwiftDataError.thrown { try save("b", container) } != nil)
  }

  @Test("Several containers that create the same store at the same time all open it")
  func concurrentCreation() throws {
    let group = DispatchGroup()
    let configuration = configuration()
    let containers = Mutex<[ModelContainer]>([])
    for number in 0..<8 {
      Thread.detachNewThread(in: group) {
        do {
          let container = try open(configuration)
          try save("\(number)", container)
          containers.withLock { $0.append(container) }
        } catch {
          Issue.record(error)
        }
      }
    }
    group.wait()
    let all = containers.withLock { $0 }
    #expect(all.count == 8)
    for container in all { #expect(try codes(container) == (0..<8).map(String.init)) }
  }
}

extension Thread {
  /// Runs a body on a thread of its own, which a group waits for.
  static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    detachNewThread {
      body()
      group.leave()
    }
  }
}
