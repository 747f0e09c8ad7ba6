import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Fetches use declared indexes")
struct QueryPlanTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let descriptor: @Sendable (PersistentIdentifier) -> FetchDescriptor<Parcel>
    /// Parts of the expected plan.
    let steps: [String]

    init(
      _ description: String, _ steps: [String], sortedBy sort: SortDescriptor<Parcel>? = nil,
      _ predicate: (@Sendable (PersistentIdentifier) -> Predicate<Parcel>)? = nil
    ) {
      testDescription = description
      self.steps = steps
      descriptor = { id in
        var descriptor = FetchDescriptor(predicate: predicate?(id), sortBy: sort.map { [$0] } ?? [])
        if sort != nil { descriptor.fetchLimit = 10 }
        return descriptor
      }
    }
  }

  static let examples: [Example] = [
    .init("equality", ["(weight=?)"]) { _ in #Predicate { $0.weight == 3 } },
    .init("equality of text", ["(label=?)"]) { _ in #Predicate { $0.label == "abc" } },
    .init("equality of text with accents", ["(label>? AND label<?)"]) { _ in #Predicate { $0.label == "Café" } },
    .init("nil", ["(due=?)"]) { _ in #Predicate { $0.due == nil } },
    .init("an order", ["(weight>?)"], sortedBy: SortDescriptor(\.weight)) { _ in #Predicate { $0.weight > 3 } },
    .init("an order of reals", ["(price>?)"], sortedBy: SortDescriptor(\.price)) { _ in #Predicate { $0.price >= 3 } },
    .init("a range", ["(weight>? AND weight<?)"]) { _ in #Predicate { (3...9).contains($0.weight) } },
    .init("both ends of a range", ["(weight>? AND weight<?)"]) { _ in #Predicate { $0.weight > 3 && $0.weight < 9 } },
    .init("a range of dates", ["(due>? AND due<?)"]) { _ in
      let (start, end) = (Fleet.date(1), Fleet.date(3))
      return #Predicate { $0.due.flatMap { $0 >= start && $0 < end } ?? false }
    },
    .init("a prefix", ["(label>? AND label<?)"]) { _ in #Predicate { $0.label.starts(with: "ab") } },
    .init("captured numbers", ["(weight=?)"]) { _ in
      let weights = Set(1...2000)
      return #Predicate { weights.contains($0.weight) }
    },
    .init("100,000 captured numbers", ["(weight=?)"]) { _ in
      let weights = Array(1...100_000)
      return #Predicate { weights.contains($0.weight) }
    },
    .init("100,000 captured texts", ["(label=?)"]) { _ in
      let labels = Set((1...100_000).map { "label \($0)" })
      return #Predicate { labels.contains($0.label) }
    },
    .init("100,000 captured identifiers", ["INTEGER PRIMARY KEY (rowid=?)"]) { id in
      let ids = (1...100_000).map { PersistentIdentifier(store: id.id.store, entity: id.id.entity, key: $0) }
      return #Predicate { ids.contains($0.persistentModelID) }
    },
    .init("captured texts", ["(label=?)"]) { _ in
      let labels = ["a", "b"]
      return #Predicate { labels.contains($0.label) }
    },
    .init("an identifier", ["INTEGER PRIMARY KEY (rowid=?)"]) { id in #Predicate { $0.persistentModelID == id } },
    .init("identifiers", ["INTEGER PRIMARY KEY (rowid=?)"]) { id in
      let ids = [id]
      return #Predicate { ids.contains($0.persistentModelID) }
    },
    .init("a to-one path", ["(sender_id=?)", "(name=?)"]) { _ in #Predicate { $0.sender?.name == "Ada" } },
    .init("a to-many", ["(parcel_id=?)"]) { _ in #Predicate { $0.weight == 3 && $0.stamps.contains { $0.value > 3 } } },
    .init("a part without a translation and one with", ["(weight=?)"]) { _ in
      #Predicate { $0.weight == 3 && $0.label.utf8.count > 2 }
    },
    .init("a sorted limit", ["USING INDEX"], sortedBy: SortDescriptor(\.weight)),
    .init("a sorted limit, backwards", ["USING INDEX"], sortedBy: SortDescriptor(\.weight, order: .reverse)),
    .init("a sorted limit of an optional", ["USING INDEX"], sortedBy: SortDescriptor(\.due)),
    .init(
      "a sorted limit of an optional, backwards", ["USING INDEX"],
      sortedBy: SortDescriptor(\.due, order: .reverse)),
    .init(
      "a sorted limit of text by its code points", ["USING INDEX"],
      sortedBy: SortDescriptor(\.label, comparator: .lexical)),
  ]

  @Test("The plan searches an index and needs no sorting step", arguments: examples)
  func plan(example: Example) throws {
    let container = try ModelContainer(
      for: Parcel.self, Sender.self, Stamp.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let parcel = Parcel("a", weight: 1)
    context.insert(parcel)
    try context.save()
    let descriptor = example.descriptor(parcel.persistentModelID)

    let plan = try context.queryPlan(descriptor)
    for step in example.steps {
      #expect(plan.contains { $0.contains(step) }, "\(plan)")
    }
    #expect(!plan.contains { $0.hasPrefix("SCAN t0") && !$0.contains("INDEX") }, "\(plan)")
    if !descriptor.sortBy.isEmpty {
      #expect(!plan.contains { $0.hasPrefix("USE TEMP B-TREE FOR ORDER BY") }, "\(plan)")
    }
  }
}
