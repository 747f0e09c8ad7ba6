import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

extension Named {
  static func named(_ name: String) -> Predicate<Self> {
    #Predicate<Self> { $0.name == name }
  }
}

private func newest<T: PersistentModel & Dated>(_ type: T.Type) -> FetchDescriptor<T> {
  FetchDescriptor(sortBy: [SortDescriptor(\T.date, order: .reverse)])
}

@Suite("Key paths of protocol requirements")
struct ProtocolKeyPathTests {
  private let log = StatementLog()
  private let container: ModelContainer
  /// Refuses everything without a translation.
  private let context: ModelContext
  private let reader: ModelContext

  init() throws {
    container = try makeWares(log)
    context = ModelContext(container)
    reader = ModelContext(container)
    context.allowsInMemoryEvaluation = false
  }

  private func expectSame<T: PersistentModel>(_ predicate: Predicate<T>) throws {
    let all = try reader.fetch(FetchDescriptor<T>())
    let expected = try all.filter { try predicate.evaluate($0) }.map(\.persistentModelID)
    #expect(!expected.isEmpty && expected.count < all.count)
    #expect(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.persistentModelID) == expected)
    #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count)
  }

  @Test("A protocol's key path is the model's property in a predicate of an extension")
  func predicates() throws {
    try expectSame(WareKeeper.named("Ada"))
    try expectSame(WarePart.named("part 1"))
    func named<T: Named>(_ type: T.Type, _ name: String) -> Predicate<T> { #Predicate { $0.name == name } }
    try expectSame(named(Ware.self, "name 3"))
    #expect(try context.fetchCount(FetchDescriptor(predicate: named(FragileWare.self, "name 3"))) == 3)
    func rated<T: PersistentModel & Rated>(_ type: T.Type, _ least: Int) -> Predicate<T> {
      #Predicate { $0.rating > least }
    }
    try expectSame(rated(Ware.self, 2))
    try expectSame(rated(WarePart.self, 6))
  }

  @Test("A protocol's key path goes through relationships to models with protocols")
  func relationships() throws {
    func kept<T: PersistentModel & Kept>(_ type: T.Type, _ name: String) -> Predicate<T> {
      #Predicate { $0.owner?.name == name }
    }
    func assembled<T: PersistentModel & Kept>(_ type: T.Type, _ name: String) -> Predicate<T> {
      #Predicate { $0.parts.contains { $0.name == name && $0.rating > 4 } }
    }
    func few<T: PersistentModel & Kept>(_ type: T.Type) -> Predicate<T> {
      #Predicate { $0.parts.isEmpty && $0.owner != nil }
    }
    try expectSame(kept(Ware.self, "Ada"))
    try expectSame(assembled(Ware.self, "part 1"))
    try expectSame(few(Ware.self))
  }

  @Test("A protocol's key path may end in constants, identifiers and fields of structures")
  func otherProperties() throws {
    func coded<T: PersistentModel & Serialized>(_ type: T.Type, _ code: UUID) -> Predicate<T> {
      #Predicate { $0.code == code }
    }
    func identified<T: PersistentModel & Named>(_ type: T.Type, _ id: T.ID) -> Predicate<T>
    where T.ID: Codable & Sendable {
      #Predicate { $0.id == id }
    }
    func placed<T: PersistentModel & Placed>(_ type: T.Type, _ city: String) -> Predicate<T> {
      #Predicate { $0.place.city == city && $0.place.shelf > 3 }
    }
    try expectSame(coded(Ware.self, Fleet.code(5)))
    try expectSame(identified(WarePart.self, 50))
    let ware = try #require(try reader.fetch(FetchDescriptor<Ware>()).first)
    try expectSame(identified(Ware.self, ware.persistentModelID))
    try expectSame(placed(Ware.self, "city 1"))
  }

  @Test("A protocol's key path is the model's property in a sort order")
  func orders() throws {
    func check<T: PersistentModel>(_ sort: SortDescriptor<T>) throws {
      let all = try reader.fetch(FetchDescriptor<T>())
      let expected = all.sorted(using: sort).map(\.persistentModelID)
      #expect(try context.fetch(FetchDescriptor(sortBy: [sort])).map(\.persistentModelID) == expected)
    }
    try check(newest(Ware.self).sortBy[0])
    func named<T: Named>(_ type: T.Type) -> SortDescriptor<T> { SortDescriptor(\T.name, order: .reverse) }
    func kept<T: PersistentModel & Kept>(_ type: T.Type) -> SortDescriptor<T> { SortDescriptor(\T.owner?.name) }
    func placed<T: PersistentModel & Placed>(_ type: T.Type) -> SortDescriptor<T> {
      SortDescriptor(\T.place.shelf, order: .reverse)
    }
    func formerlyPlaced<T: PersistentModel & Placed>(_ type: T.Type) -> SortDescriptor<T> {
      SortDescriptor(\T.formerPlace?.shelf)
    }
    func identified<T: PersistentModel & Named>(_ type: T.Type) -> SortDescriptor<T> {
      SortDescriptor(\T.persistentModelID, order: .reverse)
    }
    try check(named(Ware.self))
    try check(kept(Ware.self))
    try check(placed(Ware.self))
    try check(formerlyPlaced(Ware.self))
    try check(identified(Ware.self))
  }

  @Test("A protocol's key path names properties to fetch and relationships to prefetch")
  func selections() throws {
    func descriptor<T: Named & Kept>(_ type: T.Type) -> FetchDescriptor<T> {
      var descriptor = FetchDescriptor<T>()
      descriptor.propertiesToFetch = [\T.name, \T.owner]
      descriptor.relationshipKeyPathsForPrefetching = [\T.owner, \T.parts]
      return descriptor
    }
    var wares: [Ware] = []
    let fetching = try log.queries { wares = try context.fetch(descriptor(Ware.self)) }
    #expect(fetching.first?.contains("name") == true)
    #expect(fetching.count == 3 && !fetching.contains { $0.contains("FROM \"Ware\"") && $0.contains("rating") })
    let reading = log.queries {
      #expect(wares.flatMap(\.parts).count == 18 && wares.compactMap(\.owner?.name).count == 8)
    }
    #expect(reading.isEmpty)
  }

  @Test("A protocol's key path is the model's property in aggregates and keys of groups")
  func aggregates() throws {
    func groups<T: Named & Rated & Labelled>(_ type: T.Type) throws -> [String: Int] {
      let groups = try context.fetchGroups(
        by: \T.name, computing: .sum(of: \T.rating), sortBy: [GroupSortDescriptor(\T.name)])
      return Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.value) })
    }
    let wares = try reader.fetch(FetchDescriptor<Ware>())
    var total = 0
    let statements = try log.queries { total = try Self.total(Ware.self, context) }
    #expect(total == wares.map(\.rating).reduce(0, +))
    #expect(statements.count == 1 && statements[0].contains("swiftdata_"))
    #expect(
      try groups(Ware.self) == Dictionary(grouping: wares, by: \.name).mapValues { $0.map(\.rating).reduce(0, +) })
  }

  private static func total<T: PersistentModel & Rated>(_ type: T.Type, _ context: ModelContext) throws -> Int {
    try context.fetchAggregates(.sum(of: \T.rating))
  }

  @Test("Protocols' key paths are distinguished even if two requirements make equal ones")
  func equalKeyPaths() throws {
    func name<T: Named>(_ type: T.Type) -> any KeyPath<T, String> & Sendable { \T.name }
    func label<T: Labelled>(_ type: T.Type) -> any KeyPath<T, String> & Sendable { \T.label }
    let runtime = ModelRuntime.of(Ware.self)
    #expect(KeyPathResolution.property(name(Ware.self), runtime)?.name == "name")
    #expect(KeyPathResolution.property(label(Ware.self), runtime)?.name == "label")
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.fetchGroups(
        by: name(Ware.self), computing: .count, sortBy: [GroupSortDescriptor(label(Ware.self))])
    }
    let byName = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(name(Ware.self))]))
    let byLabel = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(label(Ware.self))]))
    #expect(byName.map(\.name) == byName.map(\.name).sorted())
    #expect(byLabel.map(\.label) == byLabel.map(\.label).sorted())
    let groups = try context.fetchGroups(
      by: name(Ware.self), computing: .count, sortBy: [GroupSortDescriptor(\.name, order: .reverse)])
    #expect(groups.map(\.key) == ["name 3", "name 2", "name 1", "name 0"])
  }

  @Test("A key path in code that is generic over classes names the model's property")
  func classes() throws {
    func paper<T: FragileWare>(_ type: T.Type) -> KeyPath<T, String> { \T.wrapping }
    func name<T: Ware>(_ type: T.Type) -> KeyPath<T, String> { \T.name }
    let runtime = ModelRuntime.of(FragileWare.self)
    #expect(KeyPathResolution.property(paper(FragileWare.self), runtime)?.name == "wrapping")
    #expect(KeyPathResolution.property(name(FragileWare.self), runtime)?.name == "name")
    #expect(KeyPathResolution.property(name(Ware.self), ModelRuntime.of(Ware.self))?.name == "name")
  }
}

@Suite("Requirements that a model implements with a computed property")
struct ComputedRequirementTests {
  private let container: ModelContainer

  init() throws {
    container = try makeWares()
  }

  private static func computed<T: PersistentModel & Described>(_ type: T.Type) -> [PartialKeyPath<T>] {
    [
      \T.title, \T.upper, \T.untitled, \T.trimmed, \T.firstWord, \T.ownersName, \T.distance, \T.capped, \T.sum,
      \T.sorted, \T.fallback, \T.host, \T.isShown, \T.caption,
    ]
  }

  @Test("A computed property is not mistaken for a property that it reads")
  func notPersisted() throws {
    let runtime = ModelRuntime.of(Ware.self)
    for keyPath in Self.computed(Ware.self) {
      let name = KeyPathResolution.path(keyPath, runtime)?.name
      #expect(name == nil)
    }
  }

  @Test("A computed property that only returns a stored one is treated as it")
  func aliases() throws {
    func alias<T: Described>(_ type: T.Type) -> PartialKeyPath<T> { \T.alias }
    #expect(KeyPathResolution.path(alias(Ware.self), ModelRuntime.of(Ware.self))?.name == "name")
  }

  @Test("A computed property is evaluated in memory, or refused without in-memory evaluation")
  func evaluation() throws {
    func titled<T: PersistentModel & Described>(_ type: T.Type) -> FetchDescriptor<T> {
      let title = "name 1!"
      return FetchDescriptor(predicate: #Predicate { $0.title == title }, sortBy: [SortDescriptor(\T.sum)])
    }
    let context = ModelContext(container)
    let wares = try context.fetch(FetchDescriptor<Ware>())
    let found = try context.fetch(titled(Ware.self))
    #expect(Set(found) == Set(wares.filter { $0.name == "name 1" }))
    #expect(found.map(\.sum) == found.map(\.sum).sorted())
    context.allowsInMemoryEvaluation = false
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(titled(Ware.self)) }
  }

  @Test("A computed property is refused as a property to fetch and in aggregates")
  func refusal() throws {
    func descriptor<T: PersistentModel & Described>(_ type: T.Type) -> FetchDescriptor<T> {
      var descriptor = FetchDescriptor<T>()
      descriptor.propertiesToFetch = [\T.upper]
      return descriptor
    }
    func sum<T: PersistentModel & Described>(_ type: T.Type, in context: ModelContext) throws -> Int {
      try context.fetchAggregates(.sum(of: \T.distance))
    }
    let context = ModelContext(container)
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(descriptor(Ware.self)) }
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try sum(Ware.self, in: context) }
  }
}
