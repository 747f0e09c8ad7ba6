/// A store of your own, which keeps models in any way it likes.
///
/// Contexts give a store snapshots of models to keep, and ask it for the snapshots of the models that a descriptor
/// selects. A store has nothing to do with model objects, contexts and delete rules. Its methods are called on any
/// thread, but only one at a time.
public protocol DataStore: AnyObject {
  associatedtype Configuration: DataStoreConfiguration where Self == Self.Configuration.Store
  associatedtype Snapshot: DataStoreSnapshot

  /// Identifies the store among all stores.
  ///
  /// The identifiers of its rows contain it. The identifier must stay the same for as long as the content of the store
  /// exists.
  var identifier: String { get }
  var schema: Schema { get }
  var configuration: Configuration { get }

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store. When a container opens the store, it has set the schema before.
  ///   - migrationPlan: Always nil when a container opens the store, because containers with custom stores take no
  ///     plan.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// Deletes everything that is stored.
  func erase() throws

  /// Returns the snapshots of the models that the request's descriptor selects.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` when the store cannot
  ///   evaluate the predicate or the sort descriptors. The context then sends a request without them and without limit
  ///   and offset, and does the rest in memory. Other errors are passed on to the code that uses the context.
  func fetch<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Snapshot>
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int
  func fetchIdentifiers<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]

  /// Writes all changes of one context, or none of them when it throws.
  ///
  /// The snapshot of an inserted model has a temporary identifier. Relationships of all snapshots in the request refer
  /// to the model by that identifier. The store has to choose a permanent identifier for each inserted model, and to
  /// return it in the result.
  func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Called when a context that uses the store is made.
  func initializeState(for editingState: EditingState)
  /// Called when a context that used the store, and all of its models, are gone.
  func invalidateState(for editingState: EditingState)
  /// Returns the snapshots of the given models that the store has in memory.
  ///
  /// The context fetches the others.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
  /// Counts the snapshots that ``fetch(_:)`` returns.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetch(request).fetchedSnapshots.count
  }

  /// Returns the identifiers of the snapshots that ``fetch(_:)`` returns.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
  }

  /// Throws ``DataStoreError/unsupportedFeature``.
  public func erase() throws {
    throw DataStoreError.unsupportedFeature
  }

  /// Does nothing.
  public func initializeState(for editingState: EditingState) {}

  /// Does nothing.
  public func invalidateState(for editingState: EditingState) {}

  /// Returns no snapshots.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] {
    [:]
  }
}

/// A store that can delete the models that a predicate selects without getting their snapshots.
///
/// A context uses it when deletions by `delete(model:where:)` are all that a save has for the store, and the models have no
/// relationships. The models are selected twice: by `fetchIdentifiers` at the call, so that the context does not show them
/// any more, and by the store at the save. In all other cases, and when the store throws a ``DataStoreError``, the save
/// passes the snapshots, like those of models that are deleted one by one. Such a deletion returns no history token.
public protocol DataStoreBatching: DataStore {
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// Describes a store: what is needed to open it.
public protocol DataStoreConfiguration: Hashable {
  associatedtype Store: DataStore where Self == Self.Store.Configuration

  var name: String { get }
  /// The models that the store holds; those of the container that no other configuration lists when nil.
  ///
  /// When it is nil, the container sets it before it opens a custom store.
  var schema: Schema? { get set }

  /// Checks what can be checked before the store is opened.
  ///
  /// A container calls it before it opens any store.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Accepts every configuration.
  public func validate() throws {}
}
