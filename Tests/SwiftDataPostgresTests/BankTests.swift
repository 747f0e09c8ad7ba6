import Foundation
import PostgresTestModels
import Support
import SwiftData
import Testing

@testable import TestSupport

/// `OSD_POSTGRES_SECONDS` is how long the processes work, and `OSD_POSTGRES_INCREMENTS` how often they count up.
@Suite("Several processes on one PostgreSQL store", .needsServer, .serialized)
struct BankTests {
  private static let seconds = Double(integer("OSD_POSTGRES_SECONDS") ?? 10)
  private static let increments = integer("OSD_POSTGRES_INCREMENTS") ?? 2000

  private static func integer(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// Whether clients use the server itself or the pooler in front of it.
  enum Route: CaseIterable {
    case direct, pooled

    /// The routes for which there is an address.
    static var available: [Route] { ServerAddress.pooled == nil ? [.direct] : allCases }
  }

  private let namespace: Namespace
  private let container: ModelContainer

  init() throws {
    namespace = try Namespace("bank")
    let url = try #require(ServerAddress.url)
    container = try Bank.open(url: url, namespace: namespace.name, applicationName: "bank tests")
    try Bank.fill(container)
  }

  // MARK: Mixed work

  @Test(
    "When clients are killed and connections terminated, the ledger adds up and every acknowledged step is there once",
    arguments: Route.available)
  func mixedWork(by route: Route) async throws {
    let observer = ModelContext(container)
    let observed = try Observed(observer)
    let follower = try Follower(container)
    // The pooler gives each role connections of its own, so that those of other tests are not terminated.
    let role = "bank_\(UUID().uuidString.lowercased().prefix(8))"
    try namespace.database.execute("CREATE ROLE \(role) LOGIN SUPERUSER")
    defer { try? namespace.database.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
    var running = try (0..<4).map { try start("bank", $0, threads: 4, by: route, as: role) }
    var ended: [ProgramRun] = []
    let deadline = ContinuousClock.now + .seconds(route == .direct ? Self.seconds : Self.seconds / 2)
    var terminated: Int64 = 0
    var round = 0
    while ContinuousClock.now < deadline {
      // Clients are killed and connections end at any moment, not at an event.
      usleep(.random(in: 20_000...250_000))
      round += 1
      terminated += try namespace.terminate(
        connectionsOf: Bank.applicationName, role: role, limit: .random(in: 1...3))
      if round % 3 == 0 { try follower.follow() }
      if round % 8 == 0 {
        let index = Int.random(in: 0..<running.count)
        running[index].kill()
        ended.append(running[index])
        running[index] = try start("bank", 3 + ended.count, threads: 4, by: route, as: role)
      }
    }
    for run in running { try run.stop() }
    var acknowledged: [String: Int] = [:]
    for run in ended + running {
      let (steps, complaints) = try run.finish()
      #expect(complaints == [])
      acknowledged.merge(steps) { max($0, $1) }
    }
    try expectSoundLedger(acknowledged)
    // The tests would show little if nothing had happened.
    #expect(terminated > 0 && !ended.isEmpty && acknowledged.values.reduce(0, +) > 100)
    print("\(acknowledged.values.reduce(0, +)) steps, \(terminated) connections and \(ended.count) clients ended")
    try follower.follow()
    try follower.expectEqual(to: container)
    #expect(try await container.hasCaughtUp())
    observer.processPendingChanges()
    try observed.expectCurrent(container)
  }

  private func start(
    _ kind: String, _ number: Int, threads: Int, times: Int? = nil, by route: Route, as role: String? = nil
  ) throws -> ProgramRun {
    let url = try ServerAddress.url(
      role.map { ["user": $0] } ?? [:], of: route == .direct ? ServerAddress.url : ServerAddress.pooled)
    return try ProgramRun(
      kind, url: url, namespace: namespace.name, name: "p\(number)", threads: threads, times: times,
      isPooled: route == .pooled)
  }

  private func expectSoundLedger(_ acknowledged: [String: Int]) throws {
    let context = ModelContext(container)
    let accounts = try context.fetch(FetchDescriptor<Account>())
    #expect(accounts.map(\.number).sorted() == Array(0..<Bank.accountCount))
    #expect(accounts.reduce(0) { $0 + $1.balance } == Bank.accountCount * Bank.startingBalance)
    let branches = try context.fetch(FetchDescriptor<Branch>())
    #expect(branches.reduce(0) { $0 + $1.accounts.count } == Bank.accountCount)
    #expect(branches.allSatisfy { branch in branch.accounts.allSatisfy { $0.branch === branch } })
    let labels = try context.fetch(FetchDescriptor<Label>()).map(\.name)
    #expect(Set(labels).count == labels.count)
    let receipts = Dictionary(grouping: try context.fetch(FetchDescriptor<Receipt>()), by: \.client)
    let tallies = try context.fetch(FetchDescriptor<Tally>())
    for tally in tallies {
      let own = receipts[tally.client] ?? []
      // A step that was written twice has one receipt, and was counted twice.
      #expect(own.count == tally.written - tally.deleted, "receipts of \(tally.client)")
      #expect(own.allSatisfy { 1...tally.written ~= $0.number }, "numbers of \(tally.client)")
      let last = acknowledged[tally.client] ?? 0
      // A client is killed after a save and before its acknowledgement.
      #expect(tally.written == last || tally.written == last + 1, "\(tally.client) has \(tally.written), not \(last)")
    }
    #expect(Set(acknowledged.keys).subtracting(tallies.map(\.client)).isEmpty)
    #expect(Set(receipts.keys).subtracting(tallies.map(\.client)).isEmpty)
    let counters = try context.fetch(FetchDescriptor<Counter>())
    #expect(counters.map(\.value) == [tallies.reduce(0) { $0 + $1.counted }])
  }

  // MARK: Increments

  @Test("No increment of several processes and threads is lost", arguments: Route.available)
  func increments(by route: Route) throws {
    let each = (route == .direct ? Self.increments : Self.increments / 4) / 8
    let runs = try (0..<4).map { try start("count", $0, threads: 2, times: each, by: route) }
    for run in runs { #expect(try run.finish().complaints == []) }
    let counters = try ModelContext(container).fetch(FetchDescriptor<Counter>())
    #expect(counters.map(\.value) == [8 * each])
  }

  // MARK: History

  @Test("A reader that follows tokens gets every transaction of concurrent writers once, in the order of each writer")
  func historyOrder() throws {
    let follower = try Follower(container)
    let runs = try (0..<4).map { try start("insert", $0, threads: 4, times: 40, by: .direct) }
    while runs.contains(where: \.isRunning) { try follower.follow() }
    for run in runs { #expect(try run.finish().complaints == []) }
    try follower.follow()
    #expect(follower.transactionCount == 4 * 4 * 40)
    #expect(follower.pollCount > 10)
    try follower.expectEqual(to: container)
    let context = ModelContext(container)
    let receipts = try context.fetch(FetchDescriptor<Receipt>())
    let byIdentifier = Dictionary(uniqueKeysWithValues: receipts.map { ($0.persistentModelID, $0) })
    var last: [String: Int] = [:]
    for identifier in follower.insertedReceipts {
      let receipt = try #require(byIdentifier[identifier])
      #expect(receipt.number == (last[receipt.client] ?? 0) + 1)
      last[receipt.client] = receipt.number
    }
    #expect(last.count == 16)
  }
}

/// The models that a context has in memory, which the container keeps current.
private struct Observed {
  private let accounts: [Account]
  private let branches: [Branch]
  private let counter: Counter?

  init(_ context: ModelContext) throws {
    accounts = try context.fetch(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.number)]))
    branches = try context.fetch(FetchDescriptor<Branch>(sortBy: [SortDescriptor(\.name)]))
    counter = try context.fetch(FetchDescriptor<Counter>()).first
    // The members are in memory too.
    _ = branches.map(\.accounts.count)
  }

  func expectCurrent(_ container: ModelContainer) throws {
    let other = try Observed(ModelContext(container))
    #expect(accounts.map(\.balance) == other.accounts.map(\.balance))
    #expect(accounts.map(\.branch?.name) == other.accounts.map(\.branch?.name))
    func members(_ branches: [Branch]) -> [Set<Int>] { branches.map { Set($0.accounts.map(\.number)) } }
    #expect(members(branches) == members(other.branches))
    #expect(counter?.value == other.counter?.value)
  }
}

/// Knows the store only by its history and by the rows that it names.
private final class Follower {
  private let context: ModelContext
  private var token: DefaultHistoryToken?
  private var rows: Set<PersistentIdentifier> = []
  private(set) var transactionCount = 0
  private(set) var pollCount = 0
  /// The identifiers of receipts in the order of their transactions.
  private(set) var insertedReceipts: [PersistentIdentifier] = []

  /// Begins with what is there.
  init(_ container: ModelContainer) throws {
    context = ModelContext(container)
    token = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token
    rows = try Self.stored(context)
  }

  func follow() throws {
    pollCount += 1
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token { descriptor.predicate = #Predicate { $0.token > token } }
    for transaction in try context.fetchHistory(descriptor) {
      if let token { #expect(transaction.token > token) }
      token = transaction.token
      transactionCount += 1
      for change in transaction.changes { apply(change) }
    }
  }

  private func apply(_ change: HistoryChange) {
    let identifier = change.changedPersistentIdentifier
    switch change {
    case .insert(let insertion):
      #expect(rows.insert(identifier).inserted, "\(identifier) is inserted twice")
      if insertion is DefaultHistoryInsert<Receipt> { insertedReceipts.append(identifier) }
    case .update:
      #expect(rows.contains(identifier), "\(identifier) is updated and was never inserted")
    case .delete:
      #expect(rows.remove(identifier) != nil, "\(identifier) is deleted and was never inserted")
    }
  }

  func expectEqual(to container: ModelContainer) throws {
    let stored = try Self.stored(ModelContext(container))
    #expect(rows == stored, "\(rows.symmetricDifference(stored).count) rows differ")
  }

  private static func stored(_ context: ModelContext) throws -> Set<PersistentIdentifier> {
    Set(try context.fetchIdentifiers(FetchDescriptor<Account>()))
      .union(try context.fetchIdentifiers(FetchDescriptor<Branch>()))
      .union(try context.fetchIdentifiers(FetchDescriptor<Receipt>()))
      .union(try context.fetchIdentifiers(FetchDescriptor<Tally>()))
      .union(try context.fetchIdentifiers(FetchDescriptor<Label>()))
      .union(try context.fetchIdentifiers(FetchDescriptor<Counter>()))
  }
}
