import Foundation
import Support
import SwiftData
import SwiftDataPostgres
import Testing

@testable import TestSupport

@Model
private final class Club {
  @Attribute(.unique) var name: String
  var founded: Int
  @Relationship(deleteRule: .cascade, inverse: \Member.club) var members: [Member] = []

  init(name: String, founded: Int = 0) {
    self.name = name
    self.founded = founded
  }
}

@Model
private final class Member {
  var name: String
  var club: Club?

  init(name: String) {
    self.name = name
  }
}

private enum Later {
  @Model
  final class Club {
    @Attribute(.unique) var name: String
    @Attribute(originalName: "founded") var year: Int
    var motto: String = "none"
    @Relationship(deleteRule: .cascade, inverse: \Member.club) var members: [Member] = []

    init(name: String) {
      self.name = name
      year = 0
    }
  }

  @Model
  final class Member {
    var name: String
    var club: Club?

    init(name: String) {
      self.name = name
    }
  }
}

@Suite("PostgreSQL behind pgbouncer in transaction mode", .needsPooler, .serialized)
struct PoolerTests {
  private let namespace: Namespace
  private let pooled: String

  init() throws {
    namespace = try Namespace("pooled")
    pooled = try #require(ServerAddress.pooled)
  }

  private func configuration(_ namespace: Namespace, allowsSave: Bool = true) -> PostgresConfiguration {
    var configuration = PostgresConfiguration(url: pooled, namespace: namespace.name, allowsSave: allowsSave)
    configuration.connections.preparedStatements = false
    configuration.connections.statementTimeout = .seconds(20)
    configuration.options.busyTimeout = .seconds(10)
    return configuration
  }

  private func open(_ namespace: Namespace, allowsSave: Bool = true) throws -> ModelContainer {
    try ModelContainer(for: Club.self, configurations: configuration(namespace, allowsSave: allowsSave))
  }

  /// Expects that no connection of the pooler to the server keeps a setting of a client.
  private func expectNoSettings(sourceLocation: SourceLocation = #_sourceLocation) {
    let settings = [
      "search_path", "lock_timeout", "statement_timeout", "default_transaction_read_only", "client_min_messages",
    ]
    let query = "SELECT concat_ws(', ', \(settings.map { "current_setting('\($0)')" }.joined(separator: ", ")))"
    // Each one in a transaction has a connection of its own to the server.
    let clients = (0..<16).map { _ in RawClient(url: pooled) }
    for client in clients {
      _ = client.value("BEGIN")
      #expect(
        client.value(query) == "\"$user\", public, 0, 0, off, notice", "\(client.value("SELECT pg_backend_pid()"))",
        sourceLocation: sourceLocation)
      #expect(client.value("SELECT count(*) FROM pg_prepared_statements") == "0", sourceLocation: sourceLocation)
      #expect(client.value("SELECT count(*) FROM pg_listening_channels()") == "0", sourceLocation: sourceLocation)
    }
    for client in clients { _ = client.value("ROLLBACK") }
  }

  @Test("Saves, fetches, relationships, transactions and history leave no setting on the server's connections")
  func basics() async throws {
    let container = try open(namespace)
    expectNoSettings()
    let context = ModelContext(container)
    context.author = "pooled"
    let club = Club(name: "chess")
    context.insert(club)
    for number in 0..<20 {
      let member = Member(name: "member \(number)")
      context.insert(member)
      member.club = club
    }
    try context.save()
    expectNoSettings()
    let other = ModelContext(container)
    let found = try #require(try other.fetch(FetchDescriptor<Club>(predicate: #Predicate { $0.name == "chess" })).first)
    #expect(found.members.count == 20)
    #expect(
      try other.fetchCount(FetchDescriptor<Member>(predicate: #Predicate { $0.club?.name == "chess" })) == 20)
    expectNoSettings()
    try other.transaction {
      found.founded += 1
      other.insert(Club(name: "chess", founded: 7))
      if let first = found.members.first { other.delete(first) }
    }
    expectNoSettings()
    try other.delete(model: Member.self, where: #Predicate { $0.name == "member 19" })
    try other.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Member>()).count == 18)
    #expect(try ModelContext(container).fetch(FetchDescriptor<Club>()).map(\.founded) == [7])
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.first?.author == "pooled")
    #expect(history.first?.changes.count == 21)
    #expect(history.count == 3)
    expectNoSettings()
    try container.erase()
    expectNoSettings()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Club>()) == 0)
    try container.close()
  }

  @Test("Errors of statements, of the program and of the server leave no setting")
  func errors() throws {
    let container = try open(namespace)
    let context = ModelContext(container)
    context.insert(Club(name: "a"))
    try context.save()
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try context.transaction {
        context.insert(Club(name: "b"))
        throw Failure()
      }
    }
    context.rollback()
    expectNoSettings()
    // The server refuses the row.
    try namespace.database.execute("ALTER TABLE \"Club\" ADD CHECK (founded < 100)")
    context.insert(Club(name: "c", founded: 100))
    #expect(throws: SwiftDataError.self) { try context.save() }
    context.rollback()
    expectNoSettings()
    try namespace.database.execute("ALTER TABLE \"Member\" RENAME TO elsewhere")
    #expect(throws: SwiftDataError.self) { _ = try ModelContext(container).fetch(FetchDescriptor<Member>()) }
    expectNoSettings()
    try namespace.database.execute("ALTER TABLE elsewhere RENAME TO \"Member\"")
    #expect(try ModelContext(container).fetch(FetchDescriptor<Member>()).isEmpty)
    #expect(try ModelContext(container).fetch(FetchDescriptor<Club>()).map(\.name) == ["a"])
  }

  @Test("A migration works and leaves no setting, and other clients get a typed error")
  func migration() throws {
    let container = try open(namespace)
    let context = ModelContext(container)
    let club = Club(name: "a", founded: 1990)
    context.insert(club)
    let member = Member(name: "m")
    context.insert(member)
    member.club = club
    try context.save()
    let later = try ModelContainer(for: Later.Club.self, configurations: configuration(namespace))
    expectNoSettings()
    let found = try ModelContext(later).fetch(FetchDescriptor<Later.Club>())
    #expect(found.map(\.year) == [1990])
    #expect(found.map(\.motto) == ["none"])
    #expect(found.first?.members.map(\.name) == ["m"])
    club.founded = 1
    #expect(SwiftDataError.thrown { try context.save() } == .loadIssueModelContainer)
    expectNoSettings()
  }

  @Test("A container follows the saves of another one by polling")
  func following() async throws {
    let (container, other) = (try open(namespace), try open(namespace))
    let context = ModelContext(container)
    context.insert(Club(name: "a"))
    try context.save()
    let observer = ModelContext(other)
    let club = try #require(try observer.fetch(FetchDescriptor<Club>()).first)
    try context.fetch(FetchDescriptor<Club>()).first?.founded = 9
    try context.save()
    let isCurrent = await comesTrue(within: .seconds(20)) {
      observer.processPendingChanges()
      return club.founded == 9
    }
    #expect(isCurrent)
    expectNoSettings()
  }

  @Test("A read-only client beside a writing one stays read-only, and makes no other client so")
  func readOnly() throws {
    let container = try open(namespace)
    let reader = try open(namespace, allowsSave: false)
    for round in 0..<50 {
      let context = ModelContext(container)
      context.insert(Club(name: "club \(round)"))
      try context.save()
      #expect(try ModelContext(reader).fetchCount(FetchDescriptor<Club>()) == round + 1)
    }
    expectNoSettings()
  }

  @Test("Clients in different schemas that share the server's connections never see each other's rows")
  func manySchemas() throws {
    let namespaces = try (0..<6).map { try Namespace("pooled_\($0)") }
    let group = DispatchGroup()
    let shared = Mutex<Set<String>>([])
    for (number, namespace) in namespaces.enumerated() {
      for thread in 0..<2 {
        Thread.detachNewThread(in: group) {
          do {
            let container = try open(namespace)
            for round in 0..<25 { try use(container, number: number, thread: thread, round: round) }
            try container.close()
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    // Another program's statements, on connections that clients have just used.
    Thread.detachNewThread(in: group) {
      let client = RawClient(url: pooled)
      for _ in 0..<300 {
        let value = client.value("SELECT current_setting('search_path') || current_setting('statement_timeout')")
        shared.withLock { _ = $0.insert(value) }
      }
    }
    group.wait()
    #expect(shared.withLock { $0 } == ["\"$user\", public0"])
    for (number, namespace) in namespaces.enumerated() {
      let context = ModelContext(try open(namespace))
      let clubs = try context.fetch(FetchDescriptor<Club>())
      #expect(clubs.count == 51)
      #expect(clubs.allSatisfy { $0.name == "total" || $0.name.hasPrefix("\(number)/") })
      #expect(clubs.first { $0.name == "total" }?.founded == 50)
    }
    expectNoSettings()
  }

  private func use(_ container: ModelContainer, number: Int, thread: Int, round: Int) throws {
    let context = ModelContext(container)
    try context.transaction {
      let club = Club(name: "\(number)/\(thread)/\(round)")
      context.insert(club)
      let member = Member(name: "\(number)")
      context.insert(member)
      member.club = club
      if let total = try context.fetch(FetchDescriptor<Club>(predicate: #Predicate { $0.name == "total" })).first {
        total.founded += 1
      } else {
        context.insert(Club(name: "total", founded: 1))
      }
    }
    let names = try ModelContext(container).fetch(FetchDescriptor<Member>()).map(\.name)
    #expect(!names.isEmpty && names.allSatisfy { $0 == "\(number)" })
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Club>()) > round)
  }
}
