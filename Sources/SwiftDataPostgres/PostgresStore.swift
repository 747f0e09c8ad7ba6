public import SwiftData

/// The PostgreSQL store as a ``DataStore``.
///
/// It is for custom stores that forward requests to it, and for code that works with snapshots. A container with
/// a ``PostgresConfiguration`` reads and writes the same tables in the same way, but without snapshots.
public final class PostgresStore: DataStore, DataStoreBatching {
  public typealias Configuration = PostgresConfiguration
  public typealias Snapshot = DefaultSnapshot

  /// The configuration that the store was opened with.
  public let configuration: PostgresConfiguration
  private let base: DefaultStore

  /// Opens the store, and creates or changes its tables as a ``ModelContainer`` does.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store, with a schema.
  ///   - migrationPlan: The plan that migrates an older store; nil for none.
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` when the configuration has no schema, and what the
  ///   initializer of ``ModelContainer`` throws.
  public init(_ configuration: PostgresConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil) throws {
    self.configuration = configuration
    base = try DefaultStore(configuration.model, migrationPlan: migrationPlan)
  }

  /// The models that the store holds.
  public var schema: Schema { base.schema }
  /// Identifies the store among all stores.
  public var identifier: String { base.identifier }

  /// Deletes all rows.
  ///
  /// - Throws: The errors of ``ModelContainer/erase()``.
  public func erase() throws {
    try base.erase()
  }

  /// Returns the snapshots of the models that the descriptor selects.
  ///
  /// - Throws: The errors of ``ModelContext/fetch(_:)``, and an error of a read of a related model.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try base.fetch(request)
  }

  /// Counts the models that the descriptor selects.
  ///
  /// - Throws: The errors of ``ModelContext/fetchCount(_:)``.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try base.fetchCount(request)
  }

  /// Returns the identifiers of the models that the descriptor selects, in its order.
  ///
  /// - Throws: The errors of ``ModelContext/fetchIdentifiers(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try base.fetchIdentifiers(request)
  }

  /// Deletes the models that the predicate selects, applies delete rules, and saves.
  ///
  /// - Throws: The errors of ``ModelContext/delete(model:where:includeSubclasses:)`` and ``ModelContext/save()``.
  public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    try base.delete(request)
  }

  /// Writes the snapshots in one transaction.
  ///
  /// - Throws: The errors of ``DefaultStore/save(_:)``.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try base.save(request)
  }
}

extension PostgresStore: HistoryProviding {
  public typealias HistoryType = DefaultHistoryTransaction
  public typealias TokenType = DefaultHistoryToken

  /// ``DefaultHistoryTransaction``.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// Returns the transactions that a descriptor selects.
  ///
  /// - Throws: The errors of ``ModelContext/fetchHistory(_:)``.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    try base.fetchHistory(descriptor)
  }

  /// Deletes the transactions that a descriptor selects.
  ///
  /// - Throws: The errors of ``ModelContext/deleteHistory(_:)``.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try base.deleteHistory(descriptor)
  }
}
