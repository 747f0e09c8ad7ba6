/// One change of one model in a ``HistoryTransaction``.
///
/// ```swift
/// switch change {
/// case .insert(let insert as any HistoryInsert<Trip>): …
/// case .update(let update as any HistoryUpdate<Trip>): …
/// case .delete(let deletion as any HistoryDelete<Trip>): …
/// default: break
/// }
/// ```
public enum HistoryChange: Sendable {
  /// A model was inserted.
  case insert(any HistoryInsert)
  /// Properties of a model were changed.
  case update(any HistoryUpdate)
  /// A model was deleted.
  case delete(any HistoryDelete)

  /// The identifier of the model that was changed.
  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let insert): insert.changedPersistentIdentifier
    case .update(let update): update.changedPersistentIdentifier
    case .delete(let deletion): deletion.changedPersistentIdentifier
    }
  }
}

/// The insertion of a model.
public protocol HistoryInsert<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The type of the identifiers of transactions.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The type of the identifiers of changes.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  /// Identifies the change among all changes of its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// Identifies the transaction that has the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// A change of properties of a model.
public protocol HistoryUpdate<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The type of the identifiers of transactions.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The type of the identifiers of changes.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The key path of a changed property.
  typealias PropertyUpdate = PartialKeyPath<Self.Model> & Sendable

  /// Identifies the change among all changes of its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// Identifies the transaction that has the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The key paths of the changed attributes and relationships. Their values are not recorded.
  var updatedAttributes: [any PartialKeyPath<Self.Model> & Sendable] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The type of the identifiers of transactions.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The type of the identifiers of changes.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  /// Identifies the change among all changes of its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// Identifies the transaction that has the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The last values of the attributes with ``Schema/Attribute/Option/preserveValueOnDeletion``.
  var tombstone: HistoryTombstone<Self.Model> { get }
}
