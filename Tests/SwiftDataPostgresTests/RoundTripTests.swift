import Foundation
import Relational
import Support
import SwiftData
import SwiftDataPostgres
import Testing

@testable import TestSupport

@Model
private final class Depot {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Shelf.depot) var shelves: [Shelf] = []

  init(name: String) {
    self.name = name
  }
}

@Model
private final class Shelf {
  var number: Int
  var depot: Depot?
  @Relationship(inverse: \Item.shelf) var items: [Item] = []

  init(number: Int) {
    self.number = number
  }
}

@Model
private final class Item {
  var title: String
  var amount: Int
  var price: Decimal
  var shelf: Shelf?

  init(title: String, amount: Int) {
    self.title = title
    self.amount = amount
    price = 1.25
  }
}

@Model
private final class Badge {
  @Attribute(.unique) var code: String

  init(code: String) {
    self.code = code
  }
}

@Suite("Round trips to a PostgreSQL server", .needsServer)
struct RoundTripTests {
  private let namespace: Namespace
  private let container: ModelContainer
  private let database: any Database

  init() throws {
    let namespace = try Namespace("trips")
    let configuration = PostgresConfiguration(url: try #require(ServerAddress.url), namespace: namespace.name)
    let opened = Mutex<(any Database)?>(nil)
    let wrap: @Sendable (any Database) -> any Database = { database in
      opened.withLock { $0 = database }
      return database
    }
    container = try DatabaseInterception.$wrap.withValue(wrap) {
      try ModelContainer(for: Depot.self, Badge.self, configurations: configuration)
    }
    self.namespace = namespace
    database = try #require(opened.withLock { $0 })
  }

  /// How often the writer's connection waits for the server during a body.
  private func roundTrips(_ body: () throws -> Void) throws -> Int {
    let before = try database.withoutTransaction { $0.roundTrips }
    try body()
    return try database.withoutTransaction { $0.roundTrips } - before
  }

  /// Inserts models of three tables.
  private func insert(_ count: Int, _ context: ModelContext, in round: Int) {
    let depot = Depot(name: "depot \(round)")
    context.insert(depot)
    let shelves = (0..<(count / 10)).map { Shelf(number: $0) }
    for shelf in shelves {
      context.insert(shelf)
      shelf.depot = depot
    }
    for number in 0..<(count - 1 - shelves.count) {
      let item = Item(title: "item \(number)", amount: number)
      context.insert(item)
      item.shelf = shelves[number % shelves.count]
    }
  }

  private func insertion(of count: Int, round: Int) throws -> Int {
    let context = ModelContext(container)
    insert(count, context, in: round)
    return try roundTrips { try context.save() }
  }

  @Test("A save of 100 new models of three tables takes at most two round trips, and one of 1,000 as many")
  func insertions() throws {
    // Statements are prepared, and the types of their parameters are known, from the first saves on.
    for round in 0..<2 { _ = try insertion(of: 100, round: round) }
    let small = try insertion(of: 100, round: 2)
    #expect(small <= 2)
    #expect(try insertion(of: 1000, round: 3) == small)
    #expect(try insertion(of: 100, round: 4) == small)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Item>()) == 4 * 89 + 899)
  }

  @Test("Saves of single models take two round trips, and stay in order when another process saves in between")
  func singleInsertions() throws {
    let other = try ModelContainer(
      for: Depot.self, Badge.self,
      configurations: PostgresConfiguration(url: try #require(ServerAddress.url), namespace: namespace.name))
    var names: [String] = []
    func save(_ container: ModelContainer) throws {
      let context = ModelContext(container)
      names.append("depot \(names.count)")
      context.insert(Depot(name: names.last ?? ""))
      try context.save()
    }
    for _ in 0..<4 { try save(container) }
    // The store has asked for keys of its next saves.
    let lastKey = try namespace.database.integer(
      "SELECT last_value FROM pg_sequences WHERE schemaname = $1 AND sequencename LIKE 'Depot%'",
      [.text(namespace.name)])
    #expect(lastKey > Int64(names.count))
    let trips = try (0..<70).map { _ in try roundTrips { try save(container) } }
    // From time to time a save also asks whether the tables have changed.
    #expect(trips.min() == 2)
    for _ in 0..<5 {
      // The keys that are left come before the other's, and are not used any more.
      try save(other)
      try save(container)
    }
    let depots = try ModelContext(container).fetch(FetchDescriptor<Depot>())
    #expect(depots.map(\.name) == names)
  }

  @Test("A save of 100 new models with unique values takes one more round trip, for the rows that may have the values")
  func uniqueInsertions() throws {
    func insertion(of count: Int, round: Int) throws -> Int {
      let context = ModelContext(container)
      for number in 0..<count { context.insert(Badge(code: "\(round)/\(number)")) }
      return try roundTrips { try context.save() }
    }
    for round in 0..<2 { _ = try insertion(of: 100, round: round) }
    let small = try insertion(of: 100, round: 2)
    #expect(small <= 3)
    #expect(try insertion(of: 1000, round: 3) == small)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Badge>()) == 1300)
  }

  @Test("A save of 100 changed models takes at most two round trips, and one of 1,000 as many")
  func updates() throws {
    _ = try insertion(of: 1200, round: 0)
    let context = ModelContext(container)
    let items = try context.fetch(FetchDescriptor<Item>())
    let shelves = try context.fetch(FetchDescriptor<Shelf>())
    func change(_ count: Int) throws -> Int {
      for (index, item) in items.prefix(count).enumerated() {
        item.amount += 1
        if index % 2 == 0 { item.title += "'" }
      }
      for shelf in shelves.prefix(count / 10) { shelf.number += 1 }
      return try roundTrips { try context.save() }
    }
    for _ in 0..<2 { _ = try change(100) }
    let small = try change(100)
    #expect(small <= 2)
    #expect(try change(1000) <= small)
    #expect(try change(3) <= small)
  }

  @Test("A save of 100 deletions takes at most three round trips, and one of 1,000 as many")
  func deletions() throws {
    for round in 0..<2 { _ = try insertion(of: 1200, round: round) }
    let context = ModelContext(container)
    var items = try context.fetch(FetchDescriptor<Item>())
    func delete(_ count: Int) throws -> Int {
      for item in items.suffix(count) { context.delete(item) }
      items.removeLast(count)
      return try roundTrips { try context.save() }
    }
    for _ in 0..<2 { _ = try delete(100) }
    let small = try delete(100)
    #expect(small <= 3)
    #expect(try delete(1000) <= small)
  }

  @Test("A save inside a transaction takes at most three round trips")
  func transactions() throws {
    _ = try insertion(of: 100, round: 0)
    let context = ModelContext(container)
    let item = try #require(try context.fetch(FetchDescriptor<Item>()).first)
    func change() throws -> Int { try roundTrips { try context.transaction { item.amount += 1 } } }
    for _ in 0..<2 { _ = try change() }
    #expect(try change() <= 3)
  }

  @Test("A fetch takes one round trip, however many rows it returns")
  func fetches() throws {
    _ = try insertion(of: 1000, round: 0)
    func count() throws -> Int {
      let before = try database.readStatement(preferring: nil) { ($0.serial, $0.roundTrips) }
      _ = try ModelContext(container).fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.amount >= 0 }))
      let after = try database.readStatement(preferring: nil) { ($0.serial, $0.roundTrips) }
      #expect(before.0 == after.0)
      return after.1 - before.1
    }
    for _ in 0..<2 { _ = try count() }
    // From time to time the fetch also asks whether the tables have changed.
    #expect(try count() <= 2)
  }
}
