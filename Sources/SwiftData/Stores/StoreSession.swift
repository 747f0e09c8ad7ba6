import Foundation

/// One context's way to one store: all that a context ever asks of storage.
///
/// The relational store is one implementation; a store that trades in snapshots is another. Nothing here says how rows
/// are kept. Every call that reads sees one committed state; no call is made on two threads at a time.
protocol StoreSession: AnyObject {
  /// The identifier that the store's rows carry.
  var storeIdentifier: InternedString { get }

  /// The name of the store's configuration.
  var storeName: String { get }

  /// Whether both ends of a relationship are written, so that a plan has to have both when one changes.
  var keepsBothSides: Bool { get }
  /// Whether the row of a to-one's owner tells where it leads, and not the row of its target.
  func keepsTarget(of relationship: String, in entity: Schema.Entity) -> Bool

  /// Whether the store orders the texts that a key path leads to by the bytes in which they were written, rather than by
  /// those of Unicode's normal form C.
  func ordersTextsAsWritten(at keyPath: AnyKeyPath, of entity: Schema.Entity) -> Bool

  /// Understands a descriptor, once for all that is asked of it afterwards.
  ///
  /// - Parameters:
  ///   - result: What the plan is asked for first, as long as the store can do all of the descriptor.
  ///   - allowsResidue: Whether the caller does what the store cannot.
  /// - Throws: ``SwiftDataError`` for what the store cannot do where the caller does not do it either.
  func plan<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, for result: FetchResultType, allowsResidue: Bool
  ) throws -> any FetchPlan

  /// The largest key of an entity's rows, zero when there are none; nil when the store cannot page by keys.
  func lastKey(of entity: Schema.Entity) throws -> Int64?

  /// Hands over the rows that have the given keys, in no order; keys without a row are passed over.
  ///
  /// - Parameter selection: The properties to read; all when nil. A store may read more.
  func rows(
    of entity: Schema.Entity, keys: [Int64], including selection: PropertySelection?,
    receive: (RowKey, _RowReader) throws -> Void
  ) throws

  /// Hands over the row that has the given key, if there is one.
  func row(of entity: Schema.Entity, key: Int64, receive: (RowKey, _RowReader) throws -> Void) throws

  /// Hands over what a relationship leads to: owner by owner, and the members of a to-many in their order.
  func members(
    of relationship: String, in entity: Schema.Entity, owners: [Int64], receive: (_ owner: Int64, RowKey) -> Void
  ) throws

  /// Hands over the rows that a to-many leads to, in any order.
  ///
  /// - Parameters:
  ///   - owners: The keys of the owners, no key twice.
  ///   - receive: Called once a member of each owner, with the position of the owner in `owners`. Those of one owner are
  ///     in order of `rank`, and of their keys where that is the same.
  func memberRows(
    of relationship: String, in entity: Schema.Entity, owners: [Int64],
    receive: (_ owner: Int, _ rank: Int64, RowKey, _RowReader) throws -> Void
  ) throws

  /// Runs `body`, in which all reads see the same state of the store where that has transactions, and take less time.
  func readingTogether<Result>(_ body: () throws -> Result) throws -> Result

  /// The key of the row that an identifier names by a text, which need not be there; nil where rows have no such keys.
  func key(for identifier: PersistentIdentifier) throws -> Int64?

  /// The text that a key of a row stands for; nil when it stands for itself.
  func text(for key: Int64) -> String?

  /// Writes a plan in one transaction: all of it or, when this throws, nothing.
  ///
  /// - Parameter announce: Notifies the other contexts. It is called once the plan is written, and before another thread
  ///   can write to the store.
  func save(_ plan: SavePlan, announce: (SaveOutcome) -> Void) throws

  /// What deletes the models that a predicate selects; nil where the store has to be given them. The models have no
  /// relationships.
  func batchDeletion<Model: PersistentModel>(
    of type: Model.Type, where predicate: Predicate<Model>?, includeSubclasses: Bool
  ) -> ((EditingState) throws -> Void)?

  /// Sets properties of rows in one transaction: of all of them or, when this throws, of none.
  ///
  /// - Parameters:
  ///   - graph: Tells the graph whose session this is.
  ///   - author: Who sets them, for the history.
  ///   - select: Finds the rows, inside the transaction. It may be called more than once.
  ///   - announce: Given the rows, if there are any, and the place of the update in the history of the store, where the
  ///     store keeps one. It is called as that of a save is.
  /// - Throws: ``DataStoreError/unsupportedFeature`` where the store has no such updates.
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

  /// Runs `body` while no other session can save. The first save inside gives the lock up. A session that cannot save takes
  /// no lock.
  ///
  /// - Parameter graph: Tells the graph whose session this is.
  func holdingLock<Result>(for graph: UnsafeRawPointer, _ body: () throws -> Result) throws -> Result

  /// Whether the lock is not held inside `holdingLock`, because a save has ended it.
  var lacksLock: Bool { get }

  /// Lets other sessions write, until `renewLock`.
  func giveLockBack()

  /// Takes the lock again inside `holdingLock`. Nothing happens while it is held.
  func renewLock() throws

  /// Whether rows may have changed without a notice, since this was last asked about the same models. Asked with the lock
  /// held.
  func hasMissedChanges(of models: UntrackedRows) -> Bool
}

/// The models that come up to date with changes of which there was no notice.
enum UntrackedRows {
  case all
  /// Those that are about to be saved.
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
