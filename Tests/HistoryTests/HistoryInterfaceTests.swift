import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// History as programs use it, following Apple's documentation.
@Suite("Reading and deleting history")
struct HistoryInterfaceTests {
  private let store: LoggedStore
  private var context: ModelContext { store.context }
  /// All transactions, in the order of the saves.
  private let all: [DefaultHistoryTransaction]

  /// Makes twelve saves, by the app, by a server, and without an author: each inserts a trip, each third one with stages, then
  /// one changes all trips and one deletes the first.
  init() throws {
    store = try LoggedStore()
    let context = store.context
    var trips: [LoggedTrip] = []
    for number in 0..<10 {
      context.author = ["app", "server", nil][number % 3]
      let trip = LoggedTrip("trip \(number)")
      context.insert(trip)
      if number % 3 == 0 { trip.stages = [LoggedStage("a"), LoggedStage("b")] }
      try context.save()
      trips.append(trip)
    }
    context.author = "server"
    for trip in trips { trip.days += 1 }
    try context.save()
    context.author = "app"
    context.delete(trips[0])
    try context.save()
    all = try store.container.logged()
  }

  private func tokens() throws -> [DefaultHistoryToken] {
    try #require(all.count == 12)
    return all.map(\.token)
  }

  // MARK: As documented

  private func findTransactions(after token: DefaultHistoryToken?, author: String) throws -> [DefaultHistoryTransaction]
  {
    var historyDescriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token {
      historyDescriptor.predicate = #Predicate { transaction in
        (transaction.token > token) && (transaction.author == author)
      }
    }
    let taskContext = ModelContext(store.container)
    return try taskContext.fetchHistory(historyDescriptor)
  }

  private func findTrips(in transactions: [DefaultHistoryTransaction]) throws -> (Set<LoggedTrip>, DefaultHistoryToken?)
  {
    let taskContext = ModelContext(store.container)
    var resultTrips: Set<LoggedTrip> = []
    for transaction in transactions {
      for change in transaction.changes {
        let modelID = change.changedPersistentIdentifier
        let fetchDescriptor = FetchDescriptor<LoggedTrip>(
          predicate: #Predicate { trip in
            trip.persistentModelID == modelID
          })
        let fetchResults = try? taskContext.fetch(fetchDescriptor)
        guard let matchedTrip = fetchResults?.first else { continue }
        switch change {
        case .insert(_ as DefaultHistoryInsert<LoggedTrip>):
          resultTrips.insert(matchedTrip)
        case .update(_ as DefaultHistoryUpdate<LoggedTrip>):
          resultTrips.update(with: matchedTrip)
        case .delete(_ as DefaultHistoryDelete<LoggedTrip>):
          resultTrips.remove(matchedTrip)
        default: break
        }
      }
    }
    return (resultTrips, transactions.last?.token)
  }

  @Test("A program finds an author's changes since a token")
  func followingAnAuthor() throws {
    let tokens = try tokens()
    #expect(try findTransactions(after: nil, author: "app") == all)
    let found = try findTransactions(after: tokens[3], author: "app")
    #expect(found == [all[6], all[9], all[11]])
    let (trips, token) = try findTrips(in: found)
    #expect(Set(trips.map(\.name)) == ["trip 6", "trip 9"])
    #expect(token == tokens[11])
    #expect(try findTransactions(after: token, author: "app").isEmpty)
    #expect(try findTransactions(after: tokens[11], author: "none").isEmpty)
  }

  @Test("A switch distinguishes changes by their model")
  func switching() throws {
    var (inserted, updated, deleted, others) = (0, 0, 0, 0)
    for change in all.flatMap(\.changes) {
      switch change {
      case .insert(let insert as DefaultHistoryInsert<LoggedTrip>):
        #expect(insert.changedPersistentIdentifier == change.changedPersistentIdentifier)
        #expect(insert.changedPersistentIdentifier.entityName == "LoggedTrip")
        inserted += 1
      case .update(let update as DefaultHistoryUpdate<LoggedTrip>):
        #expect(update.updatedAttributes.contains(\.days))
        updated += 1
      case .delete(let deletion as DefaultHistoryDelete<LoggedTrip>):
        #expect(deletion.tombstone[\.name] as? String == "trip 0")
        #expect(deletion.tombstone[\.destination] == nil)
        deleted += 1
      default:
        others += 1
      }
    }
    #expect(inserted == 10 && updated == 10 && deleted == 1 && others == 10)
  }

  /// Works for any model and any store.
  private func identifiers<Model: PersistentModel>(
    of type: Model.Type, in transactions: [some HistoryTransaction]
  ) -> (inserted: Set<PersistentIdentifier>, updated: Set<PersistentIdentifier>, deleted: Set<PersistentIdentifier>) {
    var result = (Set<PersistentIdentifier>(), Set<PersistentIdentifier>(), Set<PersistentIdentifier>())
    for change in transactions.flatMap(\.changes) {
      switch change {
      case .insert(let insert as any HistoryInsert<Model>): result.0.insert(insert.changedPersistentIdentifier)
      case .update(let update as any HistoryUpdate<Model>): result.1.insert(update.changedPersistentIdentifier)
      case .delete(let deletion as any HistoryDelete<Model>): result.2.insert(deletion.changedPersistentIdentifier)
      default: break
      }
    }
    return result
  }

  @Test("A generic function selects the changes of a model")
  func generic() throws {
    let trips = identifiers(of: LoggedTrip.self, in: all)
    #expect(trips.inserted.count == 10 && trips.updated.count == 10 && trips.deleted.count == 1)
    let stages = identifiers(of: LoggedStage.self, in: all)
    #expect(stages.inserted.count == 8 && stages.updated.isEmpty && stages.deleted.count == 2)
    #expect(identifiers(of: LoggedGuide.self, in: all).inserted.isEmpty)
    let there = Set(try ModelContext(store.container).fetchIdentifiers(FetchDescriptor<LoggedTrip>()))
    #expect(trips.inserted.subtracting(trips.deleted) == there)
  }

  @Test("A deletion's tombstone has the preserved values")
  func tombstones() throws {
    let names = all.flatMap(\.changes).compactMap { change -> String? in
      guard case .delete(let deletion as DefaultHistoryDelete<LoggedTrip>) = change else { return nil }
      return deletion.tombstone[\.name] as? String
    }
    #expect(names == ["trip 0"])
  }

  @Test("History can be deleted up to a token")
  func deleting() throws {
    let token = try tokens()[4]
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    descriptor.predicate = #Predicate { $0.token < token }
    let context = ModelContext(store.container)
    try context.deleteHistory(descriptor)
    #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) == Array(all[4...]))
    #expect(try context.fetchCount(FetchDescriptor<LoggedTrip>()) == 9)
    #expect(!context.hasChanges)
  }

  @Test("A descriptor with a limit and an order selects the history to delete")
  func deletingSome() throws {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == "server" })
    descriptor.fetchLimit = 2
    try context.deleteHistory(descriptor)
    #expect(try store.container.logged() == all.enumerated().filter { ![1, 4].contains($0.offset) }.map(\.element))
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(try store.container.logged().isEmpty)
  }

  @Test("A token can be stored as JSON between runs of a program")
  func storedToken() throws {
    let file = store.folder.file("token.json")
    let token = try #require(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
    try JSONEncoder().encode(token).write(to: file)
    let trip = LoggedTrip("later")
    context.insert(trip)
    try context.save()
    let kept = try JSONDecoder().decode(DefaultHistoryToken.self, from: try Data(contentsOf: file))
    #expect(kept == token)
    let found = try store.reopen().logged(after: kept)
    #expect(found.count == 1)
    expectChanges(found.first, [.insert(trip)])
  }

  @Test("Sorting by time in reverse gives the last transaction first")
  func latest() throws {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(sortBy: [SortDescriptor(\.timestamp, order: .reverse)]
    )
    descriptor.fetchLimit = 1
    let found = try context.fetchHistory(descriptor)
    #expect(found == [all[11]])
    #expect(found.first?.changes.count == 3)
  }

  // MARK: Predicates

  /// Compares the results of a predicate with those of Swift's filter.
  private func check(
    _ predicate: Predicate<DefaultHistoryTransaction>, sourceLocation: SourceLocation = #_sourceLocation,
    _ isIncluded: (DefaultHistoryTransaction) throws -> Bool
  ) throws {
    let expected = try all.filter(isIncluded)
    let context = ModelContext(store.container)
    var descriptor = HistoryDescriptor(predicate: predicate)
    let found = try context.fetchHistory(descriptor)
    #expect(found == expected, "\(predicate)", sourceLocation: sourceLocation)
    #expect(found.map(\.logged) == expected.map(\.logged), "\(predicate)", sourceLocation: sourceLocation)
    #expect(try all.filter(predicate.evaluate) == expected, "the test's predicate", sourceLocation: sourceLocation)
    descriptor.fetchLimit = 2
    #expect(try context.fetchHistory(descriptor) == Array(expected.prefix(2)), sourceLocation: sourceLocation)
    descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
    #expect(
      try context.fetchHistory(descriptor) == Array(expected.reversed().prefix(2)), sourceLocation: sourceLocation)
  }

  @Test("Predicates over tokens select as in Swift")
  func tokenPredicates() throws {
    for token in try [tokens()[0], tokens()[5], tokens()[11]] {
      try check(#Predicate { $0.token > token }) { $0.token > token }
      try check(#Predicate { $0.token >= token }) { $0.token >= token }
      try check(#Predicate { $0.token < token }) { $0.token < token }
      try check(#Predicate { $0.token <= token }) { $0.token <= token }
      try check(#Predicate { $0.token == token }) { $0.token == token }
      try check(#Predicate { $0.token != token }) { $0.token != token }
      try check(#Predicate { token < $0.token }) { token < $0.token }
      try check(#Predicate { !($0.token > token) }) { !($0.token > token) }
    }
    let (from, to) = try (tokens()[3], tokens()[8])
    try check(#Predicate { $0.token > from && $0.token <= to }) { $0.token > from && $0.token <= to }
    try check(#Predicate { $0.token <= from || $0.token > to }) { $0.token <= from || $0.token > to }
    try check(#Predicate { $0.token > to && $0.token < from }) { _ in false }
    let known = [from, to]
    try check(#Predicate { known.contains($0.token) }) { known.contains($0.token) }
  }

  @Test("Predicates over transaction identifiers select as in Swift")
  func identifierPredicates() throws {
    let id = try #require(all.dropFirst(5).first).transactionIdentifier
    try check(#Predicate { $0.transactionIdentifier > id }) { $0.transactionIdentifier > id }
    try check(#Predicate { $0.transactionIdentifier == id }) { $0.transactionIdentifier == id }
    try check(#Predicate { $0.transactionIdentifier != id }) { $0.transactionIdentifier != id }
    try check(#Predicate { $0.transactionIdentifier <= id }) { $0.transactionIdentifier <= id }
    let some = [id, id + 2, -1, .max]
    try check(#Predicate { some.contains($0.transactionIdentifier) }) { some.contains($0.transactionIdentifier) }
    let range = id..<(id + 3)
    try check(#Predicate { range.contains($0.transactionIdentifier) }) { range.contains($0.transactionIdentifier) }
    for extreme in [Int64.min, -1, 0, .max] {
      try check(#Predicate { $0.transactionIdentifier > extreme }) { $0.transactionIdentifier > extreme }
      try check(#Predicate { $0.transactionIdentifier < extreme }) { $0.transactionIdentifier < extreme }
    }
  }

  @Test("Predicates over authors select as in Swift")
  func authorPredicates() throws {
    for author in ["app", "server", "none", "", "App"] {
      try check(#Predicate { $0.author == author }) { $0.author == author }
      try check(#Predicate { $0.author != author }) { $0.author != author }
      try check(#Predicate { !($0.author == author) }) { !($0.author == author) }
    }
    let none: String? = nil
    try check(#Predicate { $0.author == nil }) { $0.author == nil }
    try check(#Predicate { $0.author != nil }) { $0.author != nil }
    try check(#Predicate { $0.author == none }) { $0.author == none }
    let (first, second) = ("app", "server")
    try check(#Predicate { $0.author == first || $0.author == second }) { $0.author == first || $0.author == second }
    try check(#Predicate { $0.author == first && $0.author == second }) { _ in false }
    let some: [String?] = ["app", nil]
    try check(#Predicate { some.contains($0.author) }) { some.contains($0.author) }
    try check(#Predicate { ($0.author ?? "app") == first }) { ($0.author ?? "app") == first }
    try check(#Predicate { $0.author?.starts(with: "se") == true }) { $0.author?.starts(with: "se") == true }
  }

  @Test("Predicates over times select as in Swift")
  func timePredicates() throws {
    let tokens = try tokens()
    #expect(tokens.count == 12)
    let (from, to) = (all[3].timestamp, all[8].timestamp)
    try check(#Predicate { $0.timestamp >= from && $0.timestamp < to }) { $0.timestamp >= from && $0.timestamp < to }
    try check(#Predicate { $0.timestamp > from }) { $0.timestamp > from }
    try check(#Predicate { $0.timestamp == from }) { $0.timestamp == from }
    try check(#Predicate { $0.timestamp < from || $0.timestamp > to }) { $0.timestamp < from || $0.timestamp > to }
    let range = from...to
    try check(#Predicate { range.contains($0.timestamp) }) { range.contains($0.timestamp) }
    for extreme in [Date.distantPast, .distantFuture, .now] {
      try check(#Predicate { $0.timestamp < extreme }) { $0.timestamp < extreme }
    }
  }

  @Test("Predicates over the process, the bundle and the store select as in Swift")
  func originPredicates() throws {
    let process = "\(ProcessInfo.processInfo.processName) (\(ProcessInfo.processInfo.processIdentifier))"
    let bundle = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    #expect(all.allSatisfy { $0.processIdentifier == process })
    #expect(all.allSatisfy { $0.bundleIdentifier == bundle })
    let identifier = try #require(all.first).storeIdentifier
    #expect(all.allSatisfy { $0.storeIdentifier == identifier })
    #expect(identifier == store.container.storeIdentifier(forConfigurationNamed: "test"))
    for name in [process, bundle, identifier, "other"] {
      try check(#Predicate { $0.processIdentifier == name }) { $0.processIdentifier == name }
      try check(#Predicate { $0.bundleIdentifier != name }) { $0.bundleIdentifier != name }
      try check(#Predicate { $0.storeIdentifier == name }) { $0.storeIdentifier == name }
      try check(#Predicate { $0.storeIdentifier != name }) { $0.storeIdentifier != name }
    }
  }

  @Test("Predicates over changes are evaluated in memory")
  func changePredicates() throws {
    try check(#Predicate { $0.changes.count > 1 }) { $0.changes.count > 1 }
    try check(#Predicate { $0.changes.isEmpty }) { $0.changes.isEmpty }
    let (author, token) = ("app", try tokens()[3])
    try check(#Predicate { $0.author == author && $0.changes.count > 1 }) {
      $0.author == author && $0.changes.count > 1
    }
    try check(#Predicate { $0.token > token && ($0.changes.count == 1 || $0.author == author) }) {
      $0.token > token && ($0.changes.count == 1 || $0.author == author)
    }
    try check(#Predicate { $0.changes.count == 10 || $0.token <= token }) {
      $0.changes.count == 10 || $0.token <= token
    }
  }

  @Test("Conditions are combined as in Swift")
  func combinations() throws {
    let (token, author, date) = (try tokens()[2], "server", all[9].timestamp)
    try check(#Predicate { ($0.token > token) && ($0.author == author) }) { $0.token > token && $0.author == author }
    try check(#Predicate { !($0.token > token && $0.author == author) }) { !($0.token > token && $0.author == author) }
    try check(#Predicate { ($0.author == nil || $0.author == author) && $0.timestamp < date }) {
      ($0.author == nil || $0.author == author) && $0.timestamp < date
    }
    try check(#Predicate { !($0.author == nil) && !($0.timestamp < date || $0.token <= token) }) {
      !($0.author == nil) && !($0.timestamp < date || $0.token <= token)
    }
    try check(#Predicate { $0.author == author ? $0.token > token : $0.timestamp > date }) {
      $0.author == author ? $0.token > token : $0.timestamp > date
    }
    try check(.true) { _ in true }
    try check(.false) { _ in false }
  }

  // MARK: Orders and limits

  @Test("Sort orders equal Swift's, and equal transactions stay in the order of the saves")
  func orders() throws {
    let orders: [[SortDescriptor<DefaultHistoryTransaction>]] = [
      [], [SortDescriptor(\.timestamp)], [SortDescriptor(\.timestamp, order: .reverse)],
      [SortDescriptor(\.token)], [SortDescriptor(\.token, order: .reverse)],
      [SortDescriptor(\.transactionIdentifier, order: .reverse)], [SortDescriptor(\.processIdentifier)],
      [SortDescriptor(\.bundleIdentifier, order: .reverse), SortDescriptor(\.token, order: .reverse)],
      [SortDescriptor(\.author)], [SortDescriptor(\.author, order: .reverse), SortDescriptor(\.timestamp)],
      [SortDescriptor(\.author), SortDescriptor(\.token, order: .reverse)],
    ]
    for sortBy in orders {
      let expected = all.sorted(using: sortBy)
      for limit in [0, 1, 5, 12, 100, UInt64.max] {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(sortBy: sortBy)
        descriptor.fetchLimit = limit
        let found = try context.fetchHistory(descriptor)
        let rest = limit == 0 ? expected : Array(expected.prefix(Int(clamping: limit)))
        #expect(found == rest, "\(sortBy), \(limit)")
      }
    }
  }

  @Test("A limit applies after conditions that are evaluated in memory")
  func limitInMemory() throws {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      predicate: #Predicate { $0.changes.count > 1 }, sortBy: [SortDescriptor(\.timestamp, order: .reverse)])
    descriptor.fetchLimit = 3
    let expected = all.filter { $0.changes.count > 1 }.reversed().prefix(3)
    #expect(expected.count == 3)
    #expect(try context.fetchHistory(descriptor) == Array(expected))
  }

  // MARK: Access

  @Test("Fetching the history neither includes nor affects unsaved changes")
  func unsavedChanges() throws {
    context.insert(LoggedGuide("pending"))
    #expect(try context.logged() == all)
    #expect(context.insertedModelsArray.count == 1)
    context.rollback()
  }

  @Test("A read-only container can fetch the history, and cannot delete it")
  func readOnly() throws {
    let container = try ModelContainer(
      for: Schema(LoggedStore.models), configurations: ModelConfiguration(url: store.url, allowsSave: false))
    #expect(try container.logged() == all)
    #expect(throws: (any Error).self) {
      try ModelContext(container).deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
    #expect(try container.logged() == all)
    #expect(try store.container.logged() == all)
  }

  @Test("Transactions are equal if their store and number are")
  func equality() throws {
    let again = try store.reopen().logged()
    #expect(again == all)
    #expect(Set(again + all).count == 12)
    let other = try LoggedStore()
    other.insert(LoggedGuide("a"))
    try other.context.save()
    let foreign = try other.container.logged()
    #expect(Set(foreign + all).count == 13)
    #expect(foreign.first?.storeIdentifier != all.first?.storeIdentifier)
  }

  @Test("Fetching transactions of a type that no store has throws")
  func foreignType() throws {
    let descriptor = HistoryDescriptor<LoggedForeignTransaction>()
    let error = #expect(throws: (any Error).self) { try context.fetchHistory(descriptor) }
    #expect(error is SwiftDataError || error is DataStoreError)
    let other = #expect(throws: (any Error).self) { try context.deleteHistory(descriptor) }
    #expect(other is SwiftDataError || other is DataStoreError)
  }

  @Test("Fetching the history of a closed container throws")
  func closed() throws {
    let container = try store.reopen()
    let context = ModelContext(container)
    #expect(try context.logged() == all)
    try container.close()
    #expect(throws: (any Error).self) { try context.logged() }
  }
}

/// A transaction type of another store.
struct LoggedForeignTransaction: HistoryTransaction {
  struct Token: Comparable, Hashable, Identifiable, Sendable {
    var id = 0

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.id < rhs.id }
  }

  var timestamp = Date.distantPast
  var changes: [HistoryChange] = []
  var token = Token()
  var transactionIdentifier = 0
  var storeIdentifier = ""
  var author: String?
  var id: Int { transactionIdentifier }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
