public import Foundation

/// A request for the models that a descriptor selects.
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  /// Identifies the context that sends the request.
  public let editingState: EditingState
  /// Selects the models and their order.
  public let descriptor: FetchDescriptor<T>
}

/// The answer of a store to a ``DataStoreFetchRequest``.
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot>: Sendable {
  /// The descriptor of the request.
  public let descriptor: FetchDescriptor<ModelType>
  /// The snapshots of the models that the descriptor selects, in its order.
  public let fetchedSnapshots: [SnapshotType]
  /// Snapshots of models that the fetched models are related to.
  ///
  /// The context needs no request for these models until its next fetch or the next change of the store.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  /// Makes the answer to a fetch.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor of the request.
  ///   - fetchedSnapshots: The snapshots of the models that the descriptor selects, in its order.
  ///   - relatedSnapshots: Snapshots of models that the fetched models are related to.
  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// A request to write the unsaved changes of one context.
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  /// The snapshots of new models.
  ///
  /// Their identifiers are temporary.
  public let inserted: [SnapshotType]
  /// The snapshots of changed models, with all of their values.
  public let updated: [SnapshotType]
  /// The snapshots of models to be deleted, with their last values.
  public let deleted: [SnapshotType]
  /// Identifies the context that saves.
  public let editingState: EditingState
}

/// The answer of a store to a ``DataStoreSaveChangesRequest``.
public final class DataStoreSaveChangesResult<T: DataStoreSnapshot>: Sendable {
  /// The permanent identifiers of the inserted models, by their temporary identifiers.
  public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
  /// The identifier of the store.
  public let storeIdentifier: String
  /// The snapshots of models whose values the store has changed.
  ///
  /// The context refreshes its models with these values.
  public let snapshotsToReregister: [PersistentIdentifier: T]
  /// The token of the save in the history of the store; nil for a store without a history.
  ///
  /// The context posts it with ``ModelContext/didSave``.
  public let historyToken: (any HistoryToken)?

  /// Makes the answer of a store that keeps no history.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The identifier of the store.
  ///   - remappedIdentifiers: The permanent identifiers of the inserted models, by their temporary identifiers.
  ///   - snapshotsToReregister: The snapshots of models whose values the store has changed.
  public convenience init(
    for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
    snapshotsToReregister: [PersistentIdentifier: T] = [:]
  ) {
    self.init(
      for: storeIdentifier, remappedIdentifiers: remappedIdentifiers, snapshotsToReregister: snapshotsToReregister,
      historyToken: nil)
  }

  /// Makes the answer of a store that keeps a history.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The identifier of the store.
  ///   - remappedIdentifiers: The permanent identifiers of the inserted models, by their temporary identifiers.
  ///   - snapshotsToReregister: The snapshots of models whose values the store has changed.
  ///   - historyToken: The token of the save in the history of the store; nil for a save without one.
  public init(
    for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
    snapshotsToReregister: [PersistentIdentifier: T] = [:], historyToken: (any HistoryToken)?
  ) {
    self.storeIdentifier = storeIdentifier
    self.remappedIdentifiers = remappedIdentifiers
    self.snapshotsToReregister = snapshotsToReregister
    self.historyToken = historyToken
  }
}

/// A request to delete the models of a type that a predicate selects.
public struct DataStoreBatchDeleteRequest<T: PersistentModel>: Sendable {
  /// Identifies the context that sends the request.
  public let editingState: EditingState
  /// Selects the models; all models of the type when nil.
  public let predicate: Predicate<T>?
  /// Whether the models of subclasses are deleted as well.
  public let includeSubclasses: Bool
}
