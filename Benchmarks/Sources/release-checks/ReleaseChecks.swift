import Foundation
import SwiftData

/// Checks behavior that may differ between an optimized build and the debug build of the tests: the properties of key paths
/// from another file. The context must not fall back to evaluation in memory.
@main
@MainActor
enum ReleaseChecks {
  static func main() throws {
    let container = try ModelContainer(
      for: Owner.self, Item.self, Book.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = container.mainContext
    context.allowsInMemoryEvaluation = false
    try insert(into: context)

    check("a sort by a property of a related model", ["b", "c", "a"]) {
      try context.fetch(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.owner?.name), SortDescriptor(\.title)])).map(
        \.title)
    }
    check("a sort by a field of an optional structure", ["Ada", "Bob"]) {
      try context.fetch(FetchDescriptor<Owner>(sortBy: [SortDescriptor(\.address?.city)])).map(\.name)
    }
    check("a predicate with both", ["a"]) {
      let wanted = #Predicate<Item> { $0.owner?.name == "Bob" && $0.owner?.address?.city == "Zurich" }
      return try context.fetch(FetchDescriptor(predicate: wanted)).map(\.title)
    }
    check("a predicate with an enumeration", ["Bob"]) {
      let guest = Standing.guest
      return try context.fetch(FetchDescriptor<Owner>(predicate: #Predicate { $0.standing == guest })).map(\.name)
    }
    check("an inherited property of a subclass, and of its related model", ["c"]) {
      let wanted = #Predicate<Book> { $0.title == "c" && $0.owner?.name == "Ada" }
      var descriptor = FetchDescriptor<Book>(predicate: wanted, sortBy: [SortDescriptor(\.owner?.name)])
      descriptor.sortBy.append(SortDescriptor(\.title))
      return try context.fetch(descriptor).map(\.title)
    }
    check("groups by a property of a related model", ["Ada 2", "Bob 1"]) {
      try context.fetchGroups(by: \Item.owner?.name, computing: .count).map { "\($0.key ?? "") \($0.value)" }
    }
    check("sections by a property of a related model", ["Ada 2", "Bob 1"]) {
      let descriptor = FetchDescriptor<Item>(sortBy: [SortDescriptor(\.owner?.name), SortDescriptor(\.title)])
      let observer = try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.owner?.name, modelContext: context)
      return observer.sections?.map { "\($0.title) \($0.count)" } ?? []
    }
    if hasFailed { exit(1) }
    print("release checks: passed")
  }

  private static func insert(into context: ModelContext) throws {
    let ada = Owner(name: "Ada", city: "Bern", standing: .member)
    let bob = Owner(name: "Bob", city: "Zurich", standing: .guest)
    let items = [Item(title: "a", count: 1), Item(title: "b", count: 2), Book(title: "c", count: 3, pages: 30)]
    for model in items { context.insert(model) }
    items[0].owner = bob
    items[1].owner = ada
    items[2].owner = ada
    try context.save()
  }

  private static var hasFailed = false

  private static func check(_ name: String, _ expected: [String], _ body: () throws -> [String]) {
    let found: String
    do {
      let result = try body()
      if result == expected { return }
      found = "\(result)"
    } catch {
      found = "\(error)"
    }
    hasFailed = true
    print("release checks: \(name) should be \(expected) (was \(found))")
  }
}
