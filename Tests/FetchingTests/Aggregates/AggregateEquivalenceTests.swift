import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Aggregates equal those computed in Swift over the models")
struct AggregateEquivalenceTests {
  private static let container = Result { try SaleSamples.makeContainer() }

  /// Which sales an aggregate includes.
  enum Selection: CaseIterable {
    case all, some, none, page, inMemory

    var descriptor: FetchDescriptor<Sale> {
      var descriptor = FetchDescriptor<Sale>()
      switch self {
      case .all: break
      case .some: descriptor.predicate = #Predicate { $0.units > 0 && $0.shop?.name != "Kiosk" }
      case .none: descriptor.predicate = #Predicate { $0.units > 1_000 }
      case .page:
        descriptor.predicate = #Predicate { $0.isPaid }
        descriptor.sortBy = [SortDescriptor(\.soldOn, order: .reverse)]
        descriptor.fetchLimit = 40
        descriptor.fetchOffset = 5
      case .inMemory: descriptor.predicate = #Predicate { $0.isThere && $0.units < 10 }
      }
      return descriptor
    }
  }

  @Test("Aggregates are correct for any selection of models", arguments: AggregateCase.all, Selection.allCases)
  func selections(example: AggregateCase, selection: Selection) throws {
    let container = try Self.container.get()
    let sales = try container.freshContext().fetch(selection.descriptor)
    try example.check(container.freshContext(), selection.descriptor, sales)
  }

  @Test("An aggregate takes one statement if SQL can compute it")
  func statements() throws {
    let log = StatementLog()
    let container = try SaleSamples.makeContainer(log)
    for example in AggregateCase.all {
      let context = container.freshContext()
      let queries = try log.queries { try example.ask(context, FetchDescriptor()) }
      if let count = example.statementCount { #expect(queries.count == count, "\(example.testDescription)") }
      // An aggregate that is computed in memory reads whole rows.
      #expect(queries.contains { $0.contains(#""t0"."wide", "#) } == (example.statementCount == nil), "\(queries)")
    }
  }

  @Test("Aggregates are correct with and without pending changes")
  func pending() throws {
    let container = try SaleSamples.makeContainer()
    let context = container.freshContext()
    var dice = Dice(seed: 7)
    let sales = try context.fetch(FetchDescriptor<Sale>())
    for (index, sale) in sales.enumerated() {
      if index % 5 == 0 { SaleSamples.change(sale, &dice) }
      if index % 7 == 0 { context.delete(sale) }
      if index % 11 == 0 { sale.shop = sales[index / 2].shop }
    }
    SaleSamples.fill(context, count: 30, &dice)
    for shop in try context.fetch(FetchDescriptor<Outlet>()) where shop.name == "Kiosk" { shop.name = "Kiosque" }
    #expect(context.hasChanges)
    let saved = try container.freshContext().fetch(FetchDescriptor<Sale>())
    for selection in Selection.allCases {
      var descriptor = selection.descriptor
      let expected = try context.fetch(descriptor)
      for example in AggregateCase.all { try example.check(context, descriptor, expected) }
      descriptor.includePendingChanges = false
      let savedExpected = try container.freshContext().fetch(descriptor)
      for example in AggregateCase.all { try example.check(context, descriptor, savedExpected) }
    }
    #expect(saved.count == sales.count)
    #expect(context.hasChanges)
  }

  @Test("Aggregates are correct when only a related model has changed")
  func relatedChanges() throws {
    let container = try SaleSamples.makeContainer()
    let context = container.freshContext()
    for shop in try context.fetch(FetchDescriptor<Outlet>()) {
      shop.name += "!"
      shop.rent = 7
    }
    let sales = try container.freshContext().fetch(FetchDescriptor<Sale>())
    let names = try context.fetchGroups(by: \Sale.shop?.name, computing: .count).compactMap { $0.key }
    #expect(!names.isEmpty)
    #expect(names.allSatisfy { $0.hasSuffix("!") })
    #expect(try context.fetchAggregates(.sum(of: \Sale.shop?.rent)) == Decimal(7 * sales.count { $0.shop != nil }))
    var saved = FetchDescriptor<Sale>()
    saved.includePendingChanges = false
    let savedNames = try context.fetchGroups(by: \.shop?.name, computing: .count, matching: saved).compactMap { $0.key }
    #expect(savedNames.allSatisfy { !$0.hasSuffix("!") })
  }

  @Test("Aggregates are correct in a custom store, for which the context computes them")
  func customStore() throws {
    let folder = try TemporaryFolder()
    let configuration = ArchiveConfiguration(url: folder.file("sales.json"))
    let container = try ModelContainer(
      for: Sale.self, OnlineSale.self, Outlet.self, Region.self, Visitor.self, configurations: configuration)
    let writer = container.freshContext()
    var dice = Dice(seed: 99)
    SaleSamples.fill(writer, count: 40, &dice)
    try writer.save()
    let sales = try container.freshContext().fetch(FetchDescriptor<Sale>())
    #expect(sales.count == 40)
    for example in AggregateCase.all {
      try example.check(container.freshContext(), FetchDescriptor(), sales)
    }
  }

  @Test("Aggregates are correct for a model that inherits its properties")
  func inheritance() throws {
    let container = try Self.container.get()
    let sales = try container.freshContext().fetch(FetchDescriptor<OnlineSale>())
    let context = container.freshContext()
    #expect(sales.count == 50)
    #expect(try context.fetchAggregates(.sum(of: \OnlineSale.units)) == sales.map(\.units).reduce(0, +))
    #expect(try context.fetchAggregates(.maximum(of: \OnlineSale.clicks)) == sales.compactMap(\.clicks).max())
    let groups = try context.fetchGroups(by: \OnlineSale.payment, computing: .sum(of: \.clicks))
    let expected = Dictionary(grouping: sales, by: \.payment).mapValues { $0.compactMap(\.clicks).reduce(0, +) }
    #expect(Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.value) }) == expected)
    let identifiers = try context.fetchGroups(by: \OnlineSale.persistentModelID, computing: .count)
    #expect(identifiers.map(\.key) == sales.map(\.persistentModelID))
  }
}
