import Foundation
import SwiftData
import SwiftDataTesting
import Testing

@Model
final class Shelf {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .cascade, inverse: \Jar.shelf) var jars: [Jar] = []

  init(name: String) {
    self.name = name
  }
}

@Model
final class Jar {
  var label: String
  var filled: Date
  var shelf: Shelf?

  init(label: String, filled: Date) {
    self.label = label
    self.filled = filled
  }
}

@ModelActor
actor Pantry {
  func clear(olderThan days: Int, at now: Date = .now) throws -> Int {
    let limit = now.addingTimeInterval(-86_400 * Double(days))
    let old = try modelContext.fetch(FetchDescriptor<Jar>(predicate: #Predicate { $0.filled < limit }))
    for jar in old {
      modelContext.delete(jar)
    }
    try modelContext.save()
    return old.count
  }
}

extension ModelContainer {
  /// A test's own empty store, deleted with the container.
  static func empty() throws -> ModelContainer {
    try ModelContainer(for: Shelf.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }
}

extension ModelContainer {
  /// A shelf with jars of three months.
  static func sample() throws -> ModelContainer {
    let container = try ModelContainer.empty()
    let context = ModelContext(container)
    let shelf = Shelf(name: "Cellar")
    context.insert(shelf)
    for month in 0..<3 {
      let filled = Date(timeIntervalSinceReferenceDate: 800_000_000 + 86_400 * 30 * Double(month))
      shelf.jars.append(Jar(label: "Plums \(month)", filled: filled))
    }
    try context.save()
    return container
  }
}

@Suite("A pantry, as the guide on testing tests it")
struct ShelfTests {
  @Test("Old jars are cleared, and new ones stay")
  func clearing() async throws {
    let container = try ModelContainer.sample()
    let pantry = Pantry(modelContainer: container)
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000 + 86_400 * 70)
    #expect(try await pantry.clear(olderThan: 30, at: now) == 2)

    // A new context has only the saved values.
    let labels = try ModelContext(container).fetch(FetchDescriptor<Jar>()).map(\.label)
    #expect(labels == ["Plums 2"])
  }
}

@Test("A list has the requested order", arguments: [SortOrder.forward, .reverse])
func sorting(order: SortOrder) throws {
  let context = ModelContext(try ModelContainer.sample())
  let labels = try context.fetch(FetchDescriptor<Jar>(sortBy: [SortDescriptor(\.label, order: order)])).map(\.label)
  #expect(labels == (order == .forward ? ["Plums 0", "Plums 1", "Plums 2"] : ["Plums 2", "Plums 1", "Plums 0"]))
}

@Test("A list prefetches its jars, without a read for each shelf")
func statements() throws {
  let context = ModelContext(try ModelContainer.sample())
  var loads: [String] = []
  context.relationshipLoadHandler = { loads.append($0.propertyName) }
  var descriptor = FetchDescriptor<Shelf>()
  descriptor.relationshipKeyPathsForPrefetching = [\.jars]
  #expect(try context.fetch(descriptor).map(\.jars.count) == [3])
  #expect(loads.isEmpty)
}

@Test("A fetch returns the labels of all jars in order", .seeded)
func randomLabels() throws {
  var generator = SeededGenerator()
  let context = ModelContext(try ModelContainer.empty())
  let numbers = (0..<20).map { _ in Int.random(in: 100...999, using: &generator) }
  for number in numbers { context.insert(Jar(label: "\(number)", filled: .distantPast)) }
  let order = SortDescriptor(\Jar.label, comparator: .lexical)
  let labels = try context.fetch(FetchDescriptor(sortBy: [order])).map(\.label)
  #expect(labels == numbers.map(String.init).sorted())
}

@Test("Jars stay when the disk is full, and are cleared by the next attempt")
func fullDisk() async throws {
  let faults = FaultInjection()
  let container = try faults.open { try ModelContainer.sample() }
  let pantry = Pantry(modelContainer: container)
  let now = Date(timeIntervalSinceReferenceDate: 900_000_000)
  faults.fail(.commit, with: .diskFull)
  await #expect(throws: (any Error).self) { try await pantry.clear(olderThan: 30, at: now) }
  #expect(try ModelContext(container).fetchCount(FetchDescriptor<Jar>()) == 3)
  // The failed save left the deletions pending in the actor's context: its fetch finds no old jars, hence 0, and its save
  // commits the deletions.
  #expect(try await pantry.clear(olderThan: 30, at: now) == 0)
  #expect(try ModelContext(container).fetchCount(FetchDescriptor<Jar>()) == 0)
}

@Test("A list loads no relationship lazily")
func strictLoading() throws {
  let context = ModelContext(try ModelContainer.sample())
  var descriptor = FetchDescriptor<Shelf>()
  descriptor.relationshipKeyPathsForPrefetching = [\.jars]
  let counts = try context.withStrictLoading {
    try context.fetch(descriptor).map { $0.jars.map(\.label).count }
  }
  #expect(counts == [3])
}

extension PlainArchive {
  struct ConformanceTests {
    @Test("The archive is a store")
    func archive() async throws {
      try await DataStoreConformance.check { url, schema in
        ArchiveConfiguration(schema: schema, url: url)
      }
    }
  }
}
