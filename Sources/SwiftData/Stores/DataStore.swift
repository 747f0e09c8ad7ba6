/// A custom store, which can keep models in any form.
///
/// Contexts pass snapshots of models to a store, and request the snapshots of the models that a descriptor selects. A
/// store does not handle model objects, contexts and delete rules. Its methods are called on any thread, but only one at a
/// time.
public protocol DataStore: AnyObject {
  /// The type of the configurations that open the store.
  associatedtype Configuration: DataStoreConfiguration where Self == Self.Configuration.Store
  /// The type of the snapshots that the store exchanges with contexts.
  associatedtype Snapshot: DataStoreSnapshot

  /// Identifies the store among all stores.
  ///
  /// The identifiers of its rows contain it. The identifier must stay the same for as long as the content of the store
  /// exists.
  var identifier: String { get }
  /// The models that the store holds.
  var schema: Schema { get }
  /// The configuration that the store was opened with.
  var configuration: Configuration { get }

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store. When a container opens the store, it has set the schema before.
  ///   - migrationPlan: Always nil when a container opens the store, because containers with custom stores take no
  ///     plan.
  /// - Throws: An error of the store that prevents opening it. ``ModelContainer`` throws it as the underlying error
  ///   of ``SwiftDataError/loadIssueModelContainer``, unless it is a ``SwiftDataError`` itself.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// Deletes everything that is stored.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature`` when the store cannot be erased, or an error of the store.
  func erase() throws

  /// Returns the snapshots of the models that the request's descriptor selects.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` when the store cannot
  ///   evaluate the predicate or the sort descriptors. The context then sends a request without them and without limit
  ///   and offset, and evaluates the rest in memory. It throws other errors to its caller.
  func fetch<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Snapshot>
  /// Counts the models that the request's descriptor selects.
  ///
  /// - Throws: The errors of ``fetch(_:)``.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int
  /// Returns the identifiers of the models that the request's descriptor selects, in its order.
  ///
  /// - Throws: The errors of ``fetch(_:)``.
  func fetchIdentifiers<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]

  /// Writes all changes of one context, or none of them when it throws.
  ///
  /// The snapshot of an inserted model has a temporary identifier. Relationships of all snapshots in the request refer
  /// to the model by that identifier. The store has to choose a permanent identifier for each inserted model, and to
  /// return it in the result.
  ///
  /// - Throws: An error of the store, which must not have written any change then. The save throws the error.
  func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Called when a context of the store is made.
  func initializeState(for editingState: EditingState)
  /// Called when a context of the store, and all of its models, are released.
  func invalidateState(for editingState: EditingState)
  /// Returns the snapshots of the given models that the store has in memory.
  ///
  /// The context fetches the others.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: The identifiers of the models.
  ///   - editingState: Identifies the context.
  /// - Throws: An error of the store. The read of the context throws it.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
  /// Counts the snapshots that ``fetch(_:)`` returns.
  ///
  /// - Throws: The errors of ``fetch(_:)``.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetch(request).fetchedSnapshots.count
  }

  /// Returns the identifiers of the snapshots that ``fetch(_:)`` returns.
  ///
  /// - Throws: The errors of ``fetch(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
  }

  /// Refuses to erase the store.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature``, always.
  public func erase() throws {
    throw DataStoreError.unsupportedFeature
  }

  /// Does nothing.
  public func initializeState(for editingState: EditingState) {}

  /// Does nothing.
  public func invalidateState(for editingState: EditingState) {}

  /// Returns no snapshots.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: The identifiers of the models.
  ///   - editingState: Identifies the context.
  /// - Throws: Nothing.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] {
    [:]
  }
}

/// A store that can delete the models that a predicate selects without getting their snapshots.
///
/// A context uses it when a save has only deletions by `delete(model:where:)` for the store, of models without
/// relationships. The models are selected twice: by `fetchIdentifiers` at the call, so that the context does not return them
/// any more, and by the store at the save. In all other cases, and when the store throws a ``DataStoreError``, the save
/// passes snapshots, as for models that are deleted one by one. A deletion by predicate returns no history token.
public protocol DataStoreBatching: DataStore {
  /// Deletes the models that the request's predicate selects.
  ///
  /// - Throws: ``DataStoreError`` when the store cannot delete by the predicate; the save then passes the snapshots.
  ///   Another error makes the save fail.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// A description of a store, with everything that opening it needs.
public protocol DataStoreConfiguration: Hashable {
  /// The type of the store that the configuration opens.
  associatedtype Store: DataStore where Self == Self.Store.Configuration

  /// The name of the configuration, which differs from those of the other configurations of a container.
  var name: String { get }
  /// The models that the store holds; when nil, the container's models that no other configuration lists.
  ///
  /// When it is nil, the container sets it before it opens a custom store.
  var schema: Schema? { get set }

  /// Checks the configuration before the store is opened.
  ///
  /// A container calls it before it opens any store.
  ///
  /// - Throws: An error that describes an invalid configuration. The initializer of ``ModelContainer`` throws it.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Accepts every configuration.
  ///
  /// - Throws: Nothing.
  public func validate() throws {}
}
