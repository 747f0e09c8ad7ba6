import Foundation

/// The session of one context with one store, with everything that a context needs from storage.
///
/// The relational store is one implementation; a store that exchanges snapshots is another. The protocol does not depend on
/// how rows are stored. Every call that reads sees one committed state; no call is made on two threads at a time.
protocol StoreSession: AnyObject {
  /// The identifier of the store in the identifiers of its rows.
  var storeIdentifier: InternedString { get }

  /// The name of the store's configuration.
  var storeName: String { get }

  /// Whether both ends of a relationship are written, so that a plan needs both when one changes.
  var keepsBothSides: Bool { get }
  /// Whether the row of a to-one's owner has the key of its target, and not the row of the target.
  func keepsTarget(of relationship: String, in entity: Schema.Entity) -> Bool

  /// Whether the store orders the texts at a key path by their original bytes, and not by those of Unicode's normal form C.
  func ordersTextsAsWritten(at keyPath: AnyKeyPath, of entity: Schema.Entity) -> Bool

  /// Plans a descriptor for one or more results.
  ///
  /// - Parameters:
  ///   - result: The result that is needed first, if the store can evaluate all of the descriptor.
  ///   - allowsResidue: Whether the caller evaluates what the store cannot.
  /// - Throws: ``SwiftDataError`` if the store cannot evaluate the descriptor and no residue is allowed.
  func plan<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, for result: FetchResultType, allowsResidue: Bool
  ) throws -> any FetchPlan

  /// The largest key of an entity's rows, zero when there are none; nil when the store cannot page by keys.
  func lastKey(of entity: Schema.Entity) throws -> Int64?

  /// Passes the rows with the given keys, in no order; keys without a row are ignored.
  ///
  /// - Parameter selection: The properties to read; nil for all. A store may read more.
  func rows(
    of entity: Schema.Entity, keys: [Int64], including selection: PropertySelection?,
    receive: (RowKey, _RowReader) throws -> Void
  ) throws

  /// Passes the row with the given key, if it exists.
  func row(of entity: Schema.Entity, key: Int64, receive: (RowKey, _RowReader) throws -> Void) throws

  /// Passes the targets of a relationship: owner by owner, and the members of a to-many in their order.
  func members(
    of relationship: String, in entity: Schema.Entity, owners: [Int64], receive: (_ owner: Int64, RowKey) -> Void
  ) throws

  /// Passes the rows of a to-many's members, in any order.
  ///
  /// - Parameters:
  ///   - owners: The keys of the owners, without duplicates.
  ///   - receive: Called once for a member of each owner, with the index of the owner in `owners`. The members of one
  ///     owner are ordered by `order`, and then by their keys.
  func memberRows(
    of relationship: String, in entity: Schema.Entity, owners: [Int64],
    receive: (_ owner: Int, _ order: Int64, RowKey, _RowReader) throws -> Void
  ) throws

  /// Runs `body`, in which all reads see the same state of a store with transactions, and take less time.
  func readingTogether<Result>(_ body: () throws -> Result) throws -> Result

  /// The key of the row with a textual identifier, which may not exist; nil if rows have no such keys.
  func key(for identifier: PersistentIdentifier) throws -> Int64?

  /// The text of a row's key; nil if the key is a number.
  func text(for key: Int64) -> String?

  /// Writes a plan in one transaction: all of it or, when this throws, nothing.
  ///
  /// - Parameter announce: Notifies the other contexts. It is called once the plan is written, and before another thread
  ///   can write to the store.
  func save(_ plan: SavePlan, announce: (SaveOutcome) -> Void) throws

  /// Deletes the models that a predicate selects; nil if the store needs their snapshots. The models have no relationships.
  func batchDeletion<Model: PersistentModel>(
    of type: Model.Type, where predicate: Predicate<Model>?, includeSubclasses: Bool
  ) -> ((EditingState) throws -> Void)?

  /// Sets properties of rows in one transaction: of all of them or, when this throws, of none.
  ///
  /// - Parameters:
  ///   - graph: Identifies the graph of the session.
  ///   - author: The author for the history.
  ///   - select: Selects the rows, inside the transaction. It may be called more than once.
  ///   - announce: Called like that of a save, with the rows, if there are any, and the token of the update in the history of
  ///     the store, if it has one.
  /// - Throws: ``DataStoreError/unsupportedFeature`` if the store has no such updates.
  func update(
    _ update: RowUpdate, of entity: Schema.Entity, by graph: UnsafeRawPointer, author: String?,
    _ select: () throws -> [RowKey], announce: (_ rows: [RowKey], _ historyToken: (any HistoryToken)?) -> Void
  ) throws

  /// The same session, if other contexts and processes write to the store under a lock.
  var lockable: (any LockableSession)? { get }

  func close()
}

/// A session of a store to which other contexts and processes write, one at a time.
protocol LockableSession: StoreSession {
  /// The context is about to merge the changes of which it was notified, and to save.
  func updateChangeReporting()

  /// Runs `body` while no other session can save. The first save inside ends the lock. A read-only session takes no lock.
  ///
  /// - Parameter graph: Identifies the graph of the session.
  func holdingLock<Result>(for graph: UnsafeRawPointer, _ body: () throws -> Result) throws -> Result

  /// Whether the lock is not held inside `holdingLock`, because a save has ended it.
  var lacksLock: Bool { get }

  /// Lets other sessions write, until `renewLock`.
  func giveLockBack()

  /// Takes the lock again inside `holdingLock`, if it is not held.
  func renewLock() throws

  /// Whether rows may have changed without a notification since the last call for the same models. Must be called with
  /// the lock.
  func hasMissedChanges(of models: UntrackedRows) -> Bool
}

/// The models that a context refreshes after changes without a notification.
enum UntrackedRows {
  case all
  /// The models that are about to be saved.
  case changed
}

extension StoreSession {
  func ordersTextsAsWritten(at keyPath: AnyKeyPath, of entity: Schema.Entity) -> Bool { true }
  func key(for identifier: PersistentIdentifier) throws -> Int64? { nil }
  func text(for key: Int64) -> String? { nil }

  var lockable: (any LockableSession)? { nil }

  func batchDeletion<Model: PersistentModel>(
    of type: Model.Type, where predicate: Predicate<Model>?, includeSubclasses: Bool
  ) -> ((EditingState) throws -> Void)? { nil }
  func update(
    _ update: RowUpdate, of entity: Schema.Entity, by graph: UnsafeRawPointer, author: String?,
    _ select: () throws -> [RowKey], announce: (_ rows: [RowKey], _ historyToken: (any HistoryToken)?) -> Void
  ) throws {
    throw DataStoreError.unsupportedFeature
  }

  func readingTogether<Result>(_ body: () throws -> Result) throws -> Result {
    try body()
  }

  func row(of entity: Schema.Entity, key: Int64, receive: (RowKey, _RowReader) throws -> Void) throws {
    try rows(of: entity, keys: [key], including: nil, receive: receive)
  }

  func rows(of entity: Schema.Entity, keys: [Int64], receive: (RowKey, _RowReader) throws -> Void) throws {
    try rows(of: entity, keys: keys, including: nil, receive: receive)
  }
}
