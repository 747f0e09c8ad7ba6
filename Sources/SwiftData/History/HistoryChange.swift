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
  case insert(any HistoryInsert)
  case update(any HistoryUpdate)
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

/// A model that was added.
public protocol HistoryInsert<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  var changeIdentifier: ChangeIdentifier { get }
  var transactionIdentifier: TransactionIdentifier { get }
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// A model of which properties were changed.
public protocol HistoryUpdate<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  typealias PropertyUpdate = PartialKeyPath<Self.Model> & Sendable

  var changeIdentifier: ChangeIdentifier { get }
  var transactionIdentifier: TransactionIdentifier { get }
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The properties that were changed, relationships among them; not what they had before or afterwards.
  var updatedAttributes: [any PartialKeyPath<Self.Model> & Sendable] { get }
}

/// A model that was deleted.
public protocol HistoryDelete<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  var changeIdentifier: ChangeIdentifier { get }
  var transactionIdentifier: TransactionIdentifier { get }
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The last values of the attributes with ``Schema/Attribute/Option/preserveValueOnDeletion``.
  var tombstone: HistoryTombstone<Self.Model> { get }
}
