public import Foundation

/// What a store is asked for.
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  /// Whose request it is.
  public let editingState: EditingState
  public let descriptor: FetchDescriptor<T>
}

/// What a store answers to a fetch.
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot>: Sendable {
  public let descriptor: FetchDescriptor<ModelType>
  /// The snapshots that the descriptor selects, in its order.
  public let fetchedSnapshots: [SnapshotType]
  /// Snapshots of models that those lead to, which spare the context a request when they are asked for next.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// The changes of one context that a store has to write.
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  /// New models. Their identifiers are temporary.
  public let inserted: [SnapshotType]
  /// Models with changes, whole.
  public let updated: [SnapshotType]
  /// Models to be removed, with their last values.
  public let deleted: [SnapshotType]
  /// Whose changes they are.
  public let editingState: EditingState
}

/// What a store answers to a save.
public final class DataStoreSaveChangesResult<T: DataStoreSnapshot>: Sendable {
  /// The permanent identifier of each inserted model by its temporary one.
  public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
  /// The identifier of the store that answers.
  public let storeIdentifier: String
  /// Models that the store itself gave other values than it was handed; the context takes these.
  public let snapshotsToReregister: [PersistentIdentifier: T]

  public init(
    for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
    snapshotsToReregister: [PersistentIdentifier: T] = [:]
  ) {
    self.storeIdentifier = storeIdentifier
    self.remappedIdentifiers = remappedIdentifiers
    self.snapshotsToReregister = snapshotsToReregister
  }
}

/// Which models a store has to delete on its own.
public struct DataStoreBatchDeleteRequest<T: PersistentModel>: Sendable {
  /// Whose request it is.
  public let editingState: EditingState
  /// Which models; all of the type when nil.
  public let predicate: Predicate<T>?
  public let includeSubclasses: Bool
}
