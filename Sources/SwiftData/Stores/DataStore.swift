/// A place that keeps models, of your own making.
///
/// A container hands a store snapshots of models to keep, and asks it for the snapshots of models that a descriptor
/// selects; models, contexts and delete rules are no concern of a store. Calls come from any thread, and one at a time.
public protocol DataStore: AnyObject {
  associatedtype Configuration: DataStoreConfiguration where Self == Self.Configuration.Store
  associatedtype Snapshot: DataStoreSnapshot

  /// What tells the store from every other, for as long as its content lasts; the identifiers of its rows carry it.
  var identifier: String { get }
  var schema: Schema { get }
  var configuration: Configuration { get }

  /// Opens the store. The container has given the configuration its schema by then.
  ///
  /// - Parameter migrationPlan: Always nil when a container opens the store: containers over custom stores take no plan.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// Forgets everything that is stored.
  func erase() throws

  /// The snapshots of the models that the request's descriptor selects.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` to be asked again without
  ///   the predicate or the sort descriptors, and without limits; the context then does the rest.
  func fetch<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Snapshot>
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int
  func fetchIdentifiers<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]

  /// Writes all changes of one context, or none of them when it throws.
  ///
  /// Snapshots of inserted models have temporary identifiers, and so have the references to them from any snapshot of
  /// the request. The result has to name a permanent one for each.
  func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot>

  /// A context begins to use the store.
  func initializeState(for editingState: EditingState)
  /// A context that used the store is gone.
  func invalidateState(for editingState: EditingState)
  /// Snapshots that the store has at hand, so that they need not be fetched. Those it leaves out are fetched.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
  /// Counts what ``fetch(_:)`` gives.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetch(request).fetchedSnapshots.count
  }

  /// Takes the identifiers of what ``fetch(_:)`` gives.
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

  /// Has none at hand.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] {
    [:]
  }
}

/// A store that deletes the models that a predicate selects without being handed them.
///
/// Contexts of this release do not ask for it: `delete(model:where:)` takes part in their pending changes.
public protocol DataStoreBatching: DataStore {
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// What a store needs to know to be opened.
public protocol DataStoreConfiguration: Hashable {
  associatedtype Store: DataStore where Self == Self.Store.Configuration

  var name: String { get }
  /// The models that the store holds; all of the container's when nil, which it then sets here before it opens the store.
  var schema: Schema? { get set }

  /// Checks what can be told before the store is opened.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Finds nothing wrong.
  public func validate() throws {}
}
