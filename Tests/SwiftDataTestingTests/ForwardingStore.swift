import SwiftData

/// A custom store that forwards all requests to the default store.
struct ForwardingConfiguration: DataStoreConfiguration {
  typealias Store = ForwardingStore

  var base: ModelConfiguration
  var schema: Schema?
  /// Whether the store returns its history without the last save.
  var hidesLastTransaction = false
  var name: String { "forwarding" }
}

final class ForwardingStore: DataStore, DataStoreBatching, HistoryProviding {
  typealias Snapshot = DefaultSnapshot

  let configuration: ForwardingConfiguration
  private let base: DefaultStore
  var identifier: String { base.identifier }
  var schema: Schema { base.schema }

  init(_ configuration: ForwardingConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    var base = configuration.base
    base.schema = configuration.schema
    self.base = try DefaultStore(base, migrationPlan: migrationPlan)
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
    let transactions = try base.fetchHistory(descriptor)
    return configuration.hidesLastTransaction ? transactions.dropLast() : transactions
  }

  func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try base.deleteHistory(descriptor)
  }
}
