import Foundation
import SwiftData

/// Checks a promise on a new store.
final class StoreTrial<Configuration: DataStoreConfiguration> {
  typealias Author = ConformanceModels.Author
  typealias Book = ConformanceModels.Book
  typealias Card = ConformanceModels.Card
  typealias Code = ConformanceModels.Code
  typealias Draft = ConformanceModels.Draft
  typealias Shelf = ConformanceModels.Shelf
  typealias Tag = ConformanceModels.Tag
  typealias Values = ConformanceModels.Values

  /// Descriptions of the store's failures.
  var messages: [String] = []
  /// Second containers on the store, which stay open until the end of the check.
  var retainedContainers: [ModelContainer] = []
  private let url: URL
  private let claims: DataStoreConformance.Claims?
  private let configure: @Sendable (URL, Schema) throws -> Configuration

  init(
    url: URL, _ claims: DataStoreConformance.Claims?,
    _ configure: @escaping @Sendable (URL, Schema) throws -> Configuration
  ) {
    self.url = url
    self.claims = claims
    self.configure = configure
  }

  func open(_ schema: Schema) throws -> ModelContainer {
    try ModelContainer(for: schema, configurations: [try configure(url, schema)])
  }

  /// Whether the store makes a promise that only some stores make.
  func isClaimed(_ claim: DataStoreConformance.Claims) throws -> Bool {
    if let claims { return claims.contains(claim) }
    guard let configuration = try configure(url, ConformanceModels.codes) as? ModelConfiguration else {
      return claim == .persistence
    }
    return claim == .uniqueness || !configuration.isStoredInMemoryOnly
  }

  func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { messages.append(message()) }
  }

  func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ subject: String) {
    expect(found == expected, "\(subject): \(String(describing: found)), expected \(String(describing: expected))")
  }

  /// - Returns: The author with the name; nil after a failure, when there is none.
  func author(_ name: String, _ context: ModelContext) throws -> Author? {
    let found = try context.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == name }))
    expectEqual(found.count, 1, "authors with the name \(name)")
    return found.first
  }

  func names(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Author>()).map(\.name).sorted()
  }

  func titles(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Book>()).map(\.title).sorted()
  }

  func run(_ promise: DataStoreConformance.Promise) async throws {
    switch promise {
    case .insertion: try checkInsertion()
    case .identifiers: try checkIdentifiers()
    case .update: try checkUpdate()
    case .deletion: try checkDeletion()
    case .attributes: try checkAttributes()
    case .predicates: try checkPredicates()
    case .sorting: try checkSorting()
    case .limits: try checkLimits()
    case .counts: try checkCounts()
    case .fetchedIdentifiers: try checkFetchedIdentifiers()
    case .toOne: try checkToOne()
    case .toMany: try checkToMany()
    case .manyToMany: try checkManyToMany()
    case .deleteRules: try checkDeleteRules()
    case .severalContexts: try checkSeveralContexts()
    case .separateUpdates: try checkSeparateUpdates()
    case .concurrentSaves: try await checkConcurrentSaves()
    case .failedSave: try checkFailedSave()
    case .deletionByPredicate: try checkDeletionByPredicate()
    case .erasure: try checkErasure()
    case .reopening: if try isClaimed(.persistence) { try checkReopening() }
    case .uniqueness: if try isClaimed(.uniqueness) { try checkUniqueness() }
    case .history:
      if let store = Configuration.Store.self as? any HistoryProviding.Type { try checkHistory(of: store) }
    }
  }
}
