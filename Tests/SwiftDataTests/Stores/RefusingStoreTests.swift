import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

/// A store in memory that refuses requests as its script says, and applies nothing of a descriptor but its limit.
struct RefusingConfiguration: DataStoreConfiguration {
  typealias Store = RefusingStore

  var name = "refusing"
  var schema: Schema?
  let script = RefusalScript()

  static func == (left: Self, right: Self) -> Bool { left.script === right.script }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(script))
  }
}

/// What the store refuses, its contents and the requests that it got.
final class RefusalScript: Sendable {
  /// Called with each request: whether it has a predicate, and whether it has an order.
  typealias Refusal = @Sendable (_ filters: Bool, _ sorts: Bool) -> DataStoreError?

  struct Pages {
    var snapshots: [DefaultSnapshot] = []
    var refusal: Refusal = { _, _ in nil }
    var requests: [String] = []
  }

  let pages = Mutex(Pages())

  /// The requests that the store gets while `body` runs, with a store that refuses some of them.
  func requests(
    _ refusal: @escaping Refusal, _ body: () throws -> Void
  ) rethrows -> [String] {
    pages.withLock {
      $0.refusal = refusal
      $0.requests = []
    }
    defer { pages.withLock { $0.refusal = { _, _ in nil } } }
    try body()
    return pages.withLock { $0.requests }
  }
}

final class RefusingStore: DataStore {
  typealias Configuration = RefusingConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: RefusingConfiguration
  let schema: Schema
  let identifier = "refusing"

  init(_ configuration: RefusingConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  private func answer<T: PersistentModel>(
    _ kind: String, _ request: DataStoreFetchRequest<T>
  ) throws -> [DefaultSnapshot] {
    let descriptor = request.descriptor
    let (filters, sorts) = (descriptor.predicate != nil, !descriptor.sortBy.isEmpty)
    let limits = descriptor.fetchLimit != nil || descriptor.fetchOffset != nil
    let (all, refusal) = configuration.script.pages.withLock { pages in
      pages.requests.append(
        ([kind] + [(filters, "filtered"), (sorts, "sorted"), (limits, "limited")].filter(\.0).map(\.1))
          .joined(separator: " "))
      return (pages.snapshots, pages.refusal(filters, sorts))
    }
    if let refusal { throw refusal }
    let rest = all.dropFirst(descriptor.fetchOffset ?? 0)
    return Array(rest.prefix(descriptor.fetchLimit ?? .max))
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: try answer("fetch", request))
  }

  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try answer("count", request).count
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try answer("identifiers", request).map(\.persistentIdentifier)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try configuration.script.pages.withLock { pages in
      let replaced = Set((request.updated + request.deleted).map(\.persistentIdentifier))
      pages.snapshots.removeAll { replaced.contains($0.persistentIdentifier) }
      var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
      for snapshot in request.inserted + request.updated {
        var identifier = snapshot.persistentIdentifier
        if !replaced.contains(identifier) {
          identifier = try .identifier(
            for: "refusing", entityName: identifier.entityName, primaryKey: pages.snapshots.count + 1)
          remapped[snapshot.persistentIdentifier] = identifier
        }
        pages.snapshots.append(snapshot.copy(persistentIdentifier: identifier, remappedIdentifiers: nil))
      }
      return DataStoreSaveChangesResult(for: "refusing", remappedIdentifiers: remapped)
    }
  }
}

@Model
final class Cobble {
  var size: Int

  init(_ size: Int) {
    self.size = size
  }
}

@Suite("A custom store that refuses a request gets a simpler one")
struct RefusingStoreTests {
  private let container: ModelContainer
  private let script: RefusalScript
  private let context: ModelContext

  init() throws {
    let configuration = RefusingConfiguration()
    script = configuration.script
    container = try ModelContainer(for: Cobble.self, configurations: configuration)
    context = ModelContext(container)
    for size in [5, 3, 8, 1, 9, 2] { context.insert(Cobble(size)) }
    try context.save()
  }

  /// The second and third largest of the sizes above 2.
  private static var descriptor: FetchDescriptor<Cobble> {
    var descriptor = FetchDescriptor<Cobble>(
      predicate: #Predicate { $0.size > 2 }, sortBy: [SortDescriptor(\.size, order: .reverse)])
    descriptor.fetchLimit = 2
    descriptor.fetchOffset = 1
    return descriptor
  }

  /// What a store refuses, and in which order.
  enum Refusing: CaseIterable {
    case filterThenSort, sortThenFilter

    var refusal: RefusalScript.Refusal {
      switch self {
      case .filterThenSort: { filters, sorts in filters ? .preferInMemoryFilter : sorts ? .preferInMemorySort : nil }
      case .sortThenFilter: { filters, sorts in sorts ? .preferInMemorySort : filters ? .preferInMemoryFilter : nil }
      }
    }

    /// How the second request is described.
    var rest: String { self == .filterThenSort ? "sorted" : "filtered" }
  }

  @Test(
    "Each part is refused once, in any order, and the limit is omitted from the second request",
    arguments: Refusing.allCases)
  func both(_ refusing: Refusing) throws {
    let descriptor = Self.descriptor
    let whole = "filtered sorted limited"
    var requests = try script.requests(refusing.refusal) { () throws in
      #expect(try context.fetch(descriptor).map(\.size) == [8, 5])
    }
    #expect(requests == ["fetch \(whole)", "fetch \(refusing.rest)", "fetch"])
    requests = try script.requests(refusing.refusal) { () throws in #expect(try context.fetchCount(descriptor) == 2) }
    #expect(requests == ["count \(whole)", "fetch \(refusing.rest)", "fetch"])
    requests = try script.requests(refusing.refusal) { () throws in
      #expect(try context.fetchIdentifiers(descriptor).count == 2)
    }
    #expect(requests == ["identifiers \(whole)", "fetch \(refusing.rest)", "fetch"])
    requests = try script.requests(refusing.refusal) { () throws in
      #expect(try context.fetch(descriptor, batchSize: 1).map(\.size) == [8, 5])
    }
    #expect(Array(requests.prefix(3)) == ["identifiers \(whole)", "fetch \(refusing.rest)", "fetch"])
    requests = try script.requests(refusing.refusal) {
      var visited: [Int] = []
      try context.enumerate(descriptor) { visited.append($0.size) }
      #expect(visited == [8, 5])
    }
    #expect(Array(requests.prefix(3)) == ["identifiers \(whole)", "fetch \(refusing.rest)", "fetch"])
    requests = try script.requests(refusing.refusal) { () throws in
      #expect(try context.fetchAggregates(.sum(of: \.size), matching: descriptor) == 13)
    }
    #expect(requests == ["fetch \(whole)", "fetch \(refusing.rest)", "fetch"])
  }

  @Test(
    "A store that refuses only the predicate gets the order, and vice versa",
    arguments: [false, true])
  func one(isSort: Bool) throws {
    let refusal: RefusalScript.Refusal = { filters, sorts in
      isSort ? (sorts ? .preferInMemorySort : nil) : (filters ? .preferInMemoryFilter : nil)
    }
    let requests = try script.requests(refusal) { _ = try context.fetch(Self.descriptor) }
    #expect(requests == ["fetch filtered sorted limited", "fetch \(isSort ? "filtered" : "sorted")"])
  }

  @Test("Fetches after a refusal include or omit pending changes as the descriptor says", arguments: Refusing.allCases)
  func pending(_ refusing: Refusing) throws {
    for cobble in try context.fetch(FetchDescriptor<Cobble>()) where cobble.size == 8 { cobble.size = 1 }
    context.insert(Cobble(7))
    var descriptor = Self.descriptor
    _ = try script.requests(refusing.refusal) { () throws in
      #expect(try context.fetch(descriptor).map(\.size) == [7, 5])
      #expect(try context.fetchCount(descriptor) == 2)
      descriptor.includePendingChanges = false
      #expect(try context.fetchCount(descriptor) == 2)
      let sizes = try context.fetchIdentifiers(descriptor).map { try container.freshContext().size(of: $0) }
      #expect(sizes == [8, 5])
    }
    #expect(context.insertedModelsArray.count == 1)
  }

  @Test("Without in-memory evaluation the first refusal is an error", arguments: Refusing.allCases)
  func forbidden(_ refusing: Refusing) throws {
    context.allowsInMemoryEvaluation = false
    let expected: SwiftDataError =
      refusing == .filterThenSort ? .unsupportedPredicate : .unsupportedSortDescriptor
    let descriptor = Self.descriptor
    let calls: [() throws -> Void] = [
      { _ = try context.fetch(descriptor) }, { _ = try context.fetchCount(descriptor) },
      { _ = try context.fetchIdentifiers(descriptor) }, { _ = try context.fetch(descriptor, batchSize: 2) },
      { try context.enumerate(descriptor) { _ in } },
      { _ = try context.fetchAggregates(.sum(of: \Cobble.size), matching: descriptor) },
    ]
    for call in calls {
      let requests = script.requests(refusing.refusal) { #expect(throws: expected) { try call() } }
      #expect(requests.count == 1)
    }
  }

  @Test(
    "A store that refuses the simpler request fails the fetch",
    arguments: [DataStoreError.preferInMemoryFilter, .preferInMemorySort])
  func again(_ refusal: DataStoreError) throws {
    let always: RefusalScript.Refusal = { _, _ in refusal }
    let calls: [() throws -> Void] = [
      { _ = try context.fetch(Self.descriptor) }, { _ = try context.fetchCount(Self.descriptor) },
      { _ = try context.fetchIdentifiers(Self.descriptor) }, { _ = try context.fetch(FetchDescriptor<Cobble>()) },
    ]
    for call in calls {
      let requests = script.requests(always) { #expect(throws: refusal) { try call() } }
      #expect(requests.count == 2)
    }
  }

  @Test("Other errors of a store are not retried", arguments: [DataStoreError.unsupportedFeature, .invalidPredicate])
  func others(_ refusal: DataStoreError) throws {
    let (always, afterwards): (RefusalScript.Refusal, RefusalScript.Refusal) = (
      { _, _ in refusal }, { filters, _ in filters ? .preferInMemoryFilter : refusal }
    )
    var requests = script.requests(always) {
      #expect(throws: refusal) { try context.fetch(Self.descriptor) }
    }
    #expect(requests.count == 1)
    requests = script.requests(afterwards) {
      #expect(throws: refusal) { try context.fetchCount(Self.descriptor) }
    }
    #expect(requests.count == 2)
  }

  @Test("A refusal is not remembered: the next fetch requests everything again")
  func memory() throws {
    for _ in 0..<2 {
      let requests = try script.requests(Refusing.filterThenSort.refusal) { _ = try context.fetch(Self.descriptor) }
      #expect(requests.count == 3)
    }
    let never: RefusalScript.Refusal = { _, _ in nil }
    let requests = try script.requests(never) { _ = try context.fetchCount(Self.descriptor) }
    #expect(requests == ["count filtered sorted limited"])
  }

  @Test("A deletion by predicate works with a store that refuses predicates")
  func deletion() throws {
    let requests = try script.requests(Refusing.filterThenSort.refusal) {
      try context.delete(model: Cobble.self, where: #Predicate { $0.size > 4 })
    }
    #expect(requests == ["fetch filtered", "fetch"])
    try context.save()
    #expect(try container.freshContext().fetch(FetchDescriptor<Cobble>()).map(\.size).sorted() == [1, 2, 3])
  }

  @Test("An error while reading snapshots is no refusal")
  func afterRows() throws {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Shingle.self, configurations: ShingleConfiguration()).freshContext()
        .fetch(FetchDescriptor<Shingle>(predicate: #Predicate { $0.size > 0 }))
    }
    #expect(error == .modelValidationFailure)
  }
}

extension ModelContext {
  fileprivate func size(of identifier: PersistentIdentifier) throws -> Int? {
    (model(for: identifier) as? Cobble)?.size
  }
}

// MARK: A store whose second snapshot throws

@Model
final class Shingle {
  var size: Int

  init(_ size: Int) {
    self.size = size
  }
}

struct ShingleConfiguration: DataStoreConfiguration {
  typealias Store = ShingleStore
  var name = "shingles"
  var schema: Schema?
}

struct ShingleSnapshot: DataStoreSnapshot {
  var persistentIdentifier: PersistentIdentifier
  var size: Int

  init(_ size: Int) throws {
    persistentIdentifier = try .identifier(for: "shingles", entityName: "Shingle", primaryKey: size)
    self.size = size
  }

  init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]) {
    fatalError("Nothing is saved here")
  }

  func copy(
    persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> ShingleSnapshot { self }

  enum CodingKeys: String, CodingKey {
    case persistentIdentifier, size
  }

  func encode(to encoder: any Encoder) throws {
    if size > 1 { throw DataStoreError.preferInMemoryFilter }
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(size, forKey: .modeledProperty("size"))
  }
}

final class ShingleStore: DataStore {
  let configuration: ShingleConfiguration
  let schema: Schema
  let identifier = "shingles"

  init(_ configuration: ShingleConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, ShingleSnapshot> {
    DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: [try ShingleSnapshot(1), try ShingleSnapshot(2)])
  }

  func save(
    _ request: DataStoreSaveChangesRequest<ShingleSnapshot>
  ) throws -> DataStoreSaveChangesResult<ShingleSnapshot> {
    DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: [:])
  }
}
