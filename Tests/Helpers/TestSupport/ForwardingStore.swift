import SwiftData

/// A custom store that forwards all requests to a store of the library.
struct ForwardingConfiguration<Base: DataStoreConfiguration & Sendable>: DataStoreConfiguration
where
  Base.Store: DataStoreBatching & HistoryProviding, Base.Store.Snapshot == DefaultSnapshot,
  Base.Store.HistoryType == DefaultHistoryTransaction
{
  typealias Store = ForwardingStore<Base>

  var base: Base
  var schema: Schema?
  /// Whether the store returns its history without the last save.
  var hidesLastTransaction = false
  var name: String { "forwarding" }
}

final class ForwardingStore<Base: DataStoreConfiguration & Sendable>: DataStore, DataStoreBatching, HistoryProviding
where
  Base.Store: DataStoreBatching & HistoryProviding, Base.Store.Snapshot == DefaultSnapshot,
  Base.Store.HistoryType == DefaultHistoryTransaction
{
  typealias Snapshot = DefaultSnapshot

  let configuration: ForwardingConfiguration<Base>
  private let base: Base.Store
  var identifier: String { base.identifier }
  var schema: Schema { base.schema }

  init(_ configuration: ForwardingConfiguration<Base>, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    var base = configuration.base
    base.schema = configuration.schema
    self.base = try Base.Store(base, migrationPlan: migrationPlan)
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
