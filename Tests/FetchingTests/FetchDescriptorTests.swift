import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Comparing and printing fetch descriptors")
struct FetchDescriptorTests {
  @Test("A descriptor's description has key paths as in source and no captured values")
  func description() {
    let secret = "Nemo"
    var descriptor = FetchDescriptor<Captain>(
      predicate: #Predicate { $0.name == secret },
      sortBy: [SortDescriptor(\.name), SortDescriptor(\.country?.name, comparator: .lexical, order: .reverse)])
    descriptor.fetchLimit = 3
    descriptor.propertiesToFetch = [\.name, \.country]
    #expect(
      "\(descriptor)" == """
        FetchDescriptor<Captain>(predicate: Equal(Captain.name, <String>), sortBy: [name, country.name descending], \
        fetchLimit: 3, propertiesToFetch: [name, country])
        """)
    #expect("\(FetchDescriptor<Grown.Item>())" == "FetchDescriptor<Grown.Item>()")
  }

  @Test("A fetchLimit of 0 means no limit everywhere")
  func noLimit() throws {
    let container = try ModelContainer(
      for: Captain.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for name in ["Ahab", "Nemo", "Hook"] { context.insert(Captain(name)) }
    var descriptor = FetchDescriptor<Captain>(sortBy: [SortDescriptor(\.name)])
    (descriptor.fetchLimit, descriptor.fetchOffset) = (0, 1)
    let observer = try ResultsObserver(fetchDescriptor: descriptor, modelContext: context)
    for _ in ["unsaved", "saved"] {
      #expect(try context.fetch(descriptor).map(\.name) == ["Hook", "Nemo"])
      #expect(try context.fetchCount(descriptor) == 2)
      #expect(try context.fetchIdentifiers(descriptor).count == 2)
      #expect(observer.results.map(\.name) == ["Hook", "Nemo"])
      try context.save()
    }
    #expect(try context.fetch(descriptor, batchSize: 1).count == 2)
    var count = 0
    try context.enumerate(descriptor) { _ in count += 1 }
    #expect(count == 2)
    context.insert(Captain("Silver"))
    #expect(observer.results.map(\.name) == ["Hook", "Nemo", "Silver"])
  }

  private func younger(than age: Int) -> FetchDescriptor<Captain> {
    FetchDescriptor(predicate: #Predicate { ($0.age ?? 0) < age }, sortBy: [SortDescriptor(\.name)])
  }

  @Test("Copies of a descriptor are equal, and so are descriptors with equal parts")
  func equality() {
    let descriptor = younger(than: 40)
    #expect(descriptor == descriptor)
    #expect(younger(than: 40) == descriptor)
    #expect(FetchDescriptor<Captain>() == FetchDescriptor())
    let names = ["Ahab", "Nemo"]
    let named = FetchDescriptor<Captain>(predicate: #Predicate { names.contains($0.name) })
    let copy = named
    #expect(named == copy)
  }

  @Test("Descriptors that differ in any part are not equal")
  func differences() {
    let descriptor = younger(than: 40)
    #expect(younger(than: 41) != descriptor)
    #expect(
      FetchDescriptor<Captain>(predicate: #Predicate { ($0.age ?? 0) > 40 }, sortBy: descriptor.sortBy) != descriptor)
    #expect(FetchDescriptor<Captain>(sortBy: descriptor.sortBy) != descriptor)
    let changes: [(inout FetchDescriptor<Captain>) -> Void] = [
      { $0.sortBy = [] }, { $0.sortBy = [SortDescriptor(\.name, order: .reverse)] }, { $0.fetchLimit = 1 },
      { $0.fetchOffset = 1 }, { $0.includePendingChanges = false }, { $0.propertiesToFetch = [\.name] },
      { $0.relationshipKeyPathsForPrefetching = [\.voyages] },
    ]
    for change in changes {
      var other = descriptor
      change(&other)
      #expect(other != descriptor)
    }
  }
}
