import Foundation
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Invalid fetches are typed errors")
struct BadInputTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try makeWares()
    context = ModelContext(container)
  }

  private struct Request<T: PersistentModel> {
    let name: String
    let ask: (FetchDescriptor<T>) throws -> Void
  }

  /// All calls that take a descriptor.
  private func requests<T: PersistentModel>(_ type: T.Type) -> [Request<T>] {
    let context = context
    return [
      Request(name: "fetch") { _ = try context.fetch($0) },
      Request(name: "fetchCount") { _ = try context.fetchCount($0) },
      Request(name: "fetchIdentifiers") { _ = try context.fetchIdentifiers($0) },
      Request(name: "fetch in batches") { _ = try context.fetch($0, batchSize: 5) },
      Request(name: "fetchIdentifiers in batches") { _ = try context.fetchIdentifiers($0, batchSize: 5) },
      Request(name: "enumerate") { try context.enumerate($0) { _ in } },
      Request(name: "fetchAggregates") { _ = try context.fetchAggregates(.count, matching: $0) },
      Request(name: "fetchGroups") {
        _ = try context.fetchGroups(by: \T.persistentModelID, computing: .count, matching: $0)
      },
    ]
  }

  private func expect<T: PersistentModel>(
    _ expected: SwiftDataError, naming name: String, for descriptor: FetchDescriptor<T>
  ) throws {
    for request in requests(T.self) {
      let error = try #require(throws: SwiftDataError.self, "\(request.name)") { try request.ask(descriptor) }
      #expect(error == expected, "\(request.name)")
      #expect(error.description.contains(name) && !error.description.contains("0x"), "\(request.name): \(error)")
    }
  }

  @Test("Transient, computed and nested properties in propertiesToFetch are an error")
  func propertiesToFetch() throws {
    let keyPaths: [(PartialKeyPath<Ware>, String)] = [
      (\.mark, "<computed String>"), (\.title, "<computed String>"), (\.name.count, "name.<computed Int>"),
      (\.parts.count, "parts.<computed Int>"),
    ]
    for (keyPath, name) in keyPaths {
      var descriptor = FetchDescriptor<Ware>()
      descriptor.propertiesToFetch = [\.name, keyPath]
      try expect(.unsupportedKeyPath, naming: name, for: descriptor)
    }
  }

  @Test("Prefetching a path that is no relationship is an error")
  func prefetching() throws {
    let keyPaths: [(PartialKeyPath<Ware>, String)] = [
      (\.name, "Ware.name"), (\.mark, "Ware.<computed String>"), (\.leader, "Ware.<computed "),
      (\.owner?.name, "owner.name"),
      (\.owner?.persistentModelID, "owner.persistentModelID"), (\.place.city, "place.city"),
    ]
    for (keyPath, name) in keyPaths {
      var descriptor = FetchDescriptor<Ware>()
      descriptor.relationshipKeyPathsForPrefetching = [\.owner, keyPath]
      try expect(.unsupportedKeyPath, naming: name, for: descriptor)
    }
  }

  @Test("A predicate or sort order without translation is an error without in-memory evaluation")
  func refusedInMemory() throws {
    context.allowsInMemoryEvaluation = false
    let predicates: [Predicate<Ware>] = [
      #Predicate { $0.mark == "a" }, #Predicate { $0.title == "a" }, #Predicate { $0.rating > 1 && $0.sum > 1 },
    ]
    for predicate in predicates {
      for request in requests(Ware.self).prefix(6) {
        let error = try #require(throws: SwiftDataError.self, "\(request.name)") {
          try request.ask(FetchDescriptor(predicate: predicate))
        }
        #expect(error == .unsupportedPredicate, "\(request.name)")
        #expect(error.description.contains("Ware.<computed "), "\(request.name): \(error)")
      }
    }
    for sort in [SortDescriptor(\Ware.mark), SortDescriptor(\Ware.title), SortDescriptor(\Ware.distance)] {
      for request in requests(Ware.self).prefix(6) where request.name != "fetchCount" {
        let error = try #require(throws: SwiftDataError.self, "\(request.name)") {
          try request.ask(FetchDescriptor(sortBy: [SortDescriptor(\.rating), sort]))
        }
        #expect(error == .unsupportedSortDescriptor, "\(request.name)")
        #expect(error.description.contains("Ware.<computed "), "\(request.name): \(error)")
      }
    }
  }

  @Test("A type that is not in the schema is an error")
  func unknownType() throws {
    try expect(.unknownSchema, naming: "Harbor", for: FetchDescriptor<Harbor>())
    let descriptor = FetchDescriptor<Harbor>(
      predicate: #Predicate { $0.depth > 3 }, sortBy: [SortDescriptor(\.name)])
    try expect(.unknownSchema, naming: "Harbor", for: descriptor)
    #expect(throws: SwiftDataError.unknownSchema) {
      try context.delete(model: Harbor.self, where: #Predicate { $0.depth > 3 })
    }
  }

  @Test("A negative limit or offset is an error")
  func negativeNumbers() throws {
    var limited = FetchDescriptor<Ware>()
    limited.fetchLimit = -1
    try expect(.invalidFetchDescriptor, naming: "fetchLimit must not be negative (was -1)", for: limited)
    var shifted = FetchDescriptor<Ware>(sortBy: [SortDescriptor(\.rating)])
    shifted.fetchOffset = -7
    try expect(.invalidFetchDescriptor, naming: "fetchOffset must not be negative (was -7)", for: shifted)
  }

  @Test("A batch size below 1 is an error", arguments: [0, -1, .min])
  func batchSizes(size: Int) throws {
    let descriptor = FetchDescriptor<Ware>()
    #expect(throws: SwiftDataError.invalidFetchDescriptor) { try context.fetch(descriptor, batchSize: size) }
    #expect(throws: SwiftDataError.invalidFetchDescriptor) { try context.fetchIdentifiers(descriptor, batchSize: size) }
    #expect(throws: SwiftDataError.invalidFetchDescriptor) {
      try context.enumerate(descriptor, batchSize: size) { _ in }
    }
  }

  @Test(
    "A comparison with a model of another container is an error, and its identifier matches no row",
    arguments: [true, false])
  func foreignModels(isPending: Bool) throws {
    let other = ModelContext(try makeWares())
    let foreign = try #require(try other.fetch(FetchDescriptor<WareKeeper>()).first)
    let foreignPart = try #require(try other.fetch(FetchDescriptor<WarePart>()).first)
    let id = foreign.persistentModelID
    let ids = [id, foreignPart.persistentModelID]
    if isPending {
      let ware = try #require(try context.fetch(FetchDescriptor<Ware>()).first)
      ware.owner = WareKeeper("new")
    }
    let predicates: [Predicate<Ware>] = [
      #Predicate { $0.owner?.persistentModelID == id },
      #Predicate { $0.parts.contains { ids.contains($0.persistentModelID) } },
      #Predicate { ids.contains($0.persistentModelID) },
    ]
    for predicate in predicates {
      #expect(try context.fetch(FetchDescriptor(predicate: predicate)).isEmpty)
      #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == 0)
    }
    #expect(try context.graph.existingModel(for: id, as: WareKeeper.self) == nil)

    // #Predicate captures no models, but its nodes can.
    let store = try #require(context.graph.requireBinding(for: Ware.self).session as? RelationalSession).store
    let translation = TranslationContext(layout: store.layout, store: store.identifier)
    let ware = PredicateExpressions.Variable<Ware>()
    let layout = try #require(store.layout.layout(named: "Ware"))
    translation.bind(ware, to: .model(ModelTerm(layout, source: Projection.alias)))
    let isOwner = PredicateExpressions.build_Equal(
      lhs: PredicateExpressions.build_KeyPath(root: ware, keyPath: \.owner),
      rhs: PredicateExpressions.Value(foreign as WareKeeper?))
    let isPart = PredicateExpressions.build_contains(
      PredicateExpressions.build_KeyPath(root: ware, keyPath: \.parts), PredicateExpressions.Value(foreignPart))
    for (node, entity) in [(isOwner, "WareKeeper"), (isPart, "WarePart")] as [(any PredicateExpression<Bool>, String)] {
      let error = try #require(throws: SwiftDataError.self) { try translation.condition(node) }
      #expect(
        error == .unsupportedPredicate && error.description.contains("\(entity) with a model of another container"))
    }
    // A model of another context of this container is compared by its identifier.
    let own = try #require(try ModelContext(container).fetch(FetchDescriptor<WareKeeper>()).first)
    let isOwned = PredicateExpressions.build_Equal(
      lhs: PredicateExpressions.build_KeyPath(root: ware, keyPath: \.owner),
      rhs: PredicateExpressions.Value(own as WareKeeper?))
    #expect(try translation.condition(isOwned).isExact)
  }

  @Test("A subclass that the schema lacks has no models")
  func unknownSubclass() throws {
    let container = try ModelContainer(
      for: Ware.self, WareKeeper.self, WarePart.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Ware(1))
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Ware>(predicate: #Predicate { $0 is FragileWare })).isEmpty)
    let descriptor = FetchDescriptor<Ware>(predicate: #Predicate { ($0 as? FragileWare)?.wrapping == "paper" })
    #expect(try context.fetch(descriptor).isEmpty)
  }
}
