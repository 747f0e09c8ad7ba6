import Foundation
import SwiftData
import SwiftDataPostgres
import SwiftDataTesting
import Testing

@Suite("Conformance of the PostgreSQL store", .needsServer)
struct ConformanceTests {
  /// The names of the schemas of one check begin with its name.
  private let namespace: Namespace

  init() throws {
    namespace = try Namespace("conf")
  }

  private func check<Configuration: DataStoreConfiguration & SendableMetatype>(
    claiming claims: DataStoreConformance.Claims,
    _ configuration: @escaping @Sendable (PostgresConfiguration) -> Configuration
  ) async throws {
    let (server, prefix) = (try #require(ServerAddress.url), namespace.name)
    try await DataStoreConformance.check(claiming: claims) { url, schema in
      let name = "\(prefix)_\(url.deletingPathExtension().lastPathComponent.suffix(12).lowercased())"
      return configuration(PostgresConfiguration(schema: schema, url: server, namespace: name))
    }
    let names = try namespace.database.text(
      "SELECT coalesce(string_agg(quote_ident(nspname), ', '), '') FROM pg_namespace WHERE nspname LIKE '\(prefix)\\_%'"
    )
    if !names.isEmpty { try namespace.database.execute("DROP SCHEMA \(names) CASCADE") }
  }

  @Test("A store in a PostgreSQL database keeps all promises")
  func container() async throws {
    try await check(claiming: [.persistence, .uniqueness]) { $0 }
  }

  @Test("The PostgreSQL store keeps all promises through snapshots")
  func snapshots() async throws {
    try await check(claiming: [.persistence, .uniqueness]) { SnapshotConfiguration(base: $0, schema: $0.schema) }
  }
}

/// A custom store that forwards requests to the PostgreSQL store.
private struct SnapshotConfiguration: DataStoreConfiguration {
  typealias Store = ForwardingStore

  var base: PostgresConfiguration
  var schema: Schema?
  var name: String { "forwarding" }
}

private final class ForwardingStore: DataStore, DataStoreBatching, HistoryProviding {
  typealias Snapshot = DefaultSnapshot

  let configuration: SnapshotConfiguration
  private let base: PostgresStore
  var identifier: String { base.identifier }
  var schema: Schema { base.schema }

  init(_ configuration: SnapshotConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    var base = configuration.base
    base.schema = configuration.schema
    self.base = try PostgresStore(base, migrationPlan: migrationPlan)
  }

  static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try base.fetch(request)
  }

  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try base.fetchCount(request)
  }

  func fetchIdentifiers<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier] {
    try base.fetchIdentifiers(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try base.save(request)
  }

  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    try base.delete(request)
  }

  func erase() throws {
    try base.erase()
  }

  func fetchHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws -> [DefaultHistoryTransaction] {
    try base.fetchHistory(descriptor)
  }

  func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try base.deleteHistory(descriptor)
  }
}
