public import Foundation

/// The changes of one save in an SQLite store.
///
/// The changes are in the order insertions, updates, deletions. Changes of models whose type the container does not know
/// are left out.
public struct DefaultHistoryTransaction: HistoryTransaction {
  public typealias TransactionIdentifier = Int64
  public typealias TokenType = DefaultHistoryToken

  /// The time just before the commit, by the clock of the machine that saved.
  public let timestamp: Date
  public let changes: [HistoryChange]
  public let token: TokenType
  /// The number of the transaction in its store: greater than that of each earlier transaction.
  public let transactionIdentifier: TransactionIdentifier
  public let storeIdentifier: String
  /// The name of the program that saved.
  ///
  /// If the program has a bundle identifier, as on Apple's platforms, this is the bundle identifier.
  public let bundleIdentifier: String
  /// The name of the program that saved and the number of its process, as in `worker (4711)`.
  public let processIdentifier: String
  public let author: String?

  public var id: Int64 {
    transactionIdentifier
  }

  /// The identifier of a change, from its position in its transaction. Identifiers are in the order of all changes of a
  /// store, unless a transaction has more than 16 million.
  static func changeIdentifier(_ transaction: Int64, _ position: Int64) -> Int64 {
    transaction &<< 24 &+ position
  }

  /// Transactions are equal when they have the same store and number.
  public static func == (lhs: DefaultHistoryTransaction, rhs: DefaultHistoryTransaction) -> Bool {
    lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.storeIdentifier == rhs.storeIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(transactionIdentifier)
    hasher.combine(storeIdentifier)
  }
}

/// A model that a save added to an SQLite store.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
  public typealias TransactionIdentifier = Int64
  public typealias ChangeIdentifier = Int64

  /// The number of the change: greater than that of each change which was committed to the store before.
  public let changeIdentifier: ChangeIdentifier
  /// The number of the transaction that has the change.
  public let transactionIdentifier: TransactionIdentifier
  /// The identifier of the model.
  public let changedPersistentIdentifier: PersistentIdentifier
}

/// A model that a save changed in an SQLite store.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
  public typealias TransactionIdentifier = Int64
  public typealias ChangeIdentifier = Int64
  public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// The number of the change: greater than that of each change which was committed to the store before.
  public let changeIdentifier: ChangeIdentifier
  /// The number of the transaction that has the change.
  public let transactionIdentifier: TransactionIdentifier
  /// The identifier of the model.
  public let changedPersistentIdentifier: PersistentIdentifier
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]

  public static func == (lhs: DefaultHistoryUpdate<Model>, rhs: DefaultHistoryUpdate<Model>) -> Bool {
    lhs.changeIdentifier == rhs.changeIdentifier && lhs.transactionIdentifier == rhs.transactionIdentifier
      && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(changedPersistentIdentifier)
  }
}

/// A model that a save deleted from an SQLite store.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
  public typealias TransactionIdentifier = Int64
  public typealias ChangeIdentifier = Int64

  /// The number of the change: greater than that of each change which was committed to the store before.
  public let changeIdentifier: ChangeIdentifier
  /// The number of the transaction that has the change.
  public let transactionIdentifier: TransactionIdentifier
  /// The identifier of the model.
  public let changedPersistentIdentifier: PersistentIdentifier
  public let tombstone: HistoryTombstone<Model>

  public static func == (lhs: DefaultHistoryDelete<Model>, rhs: DefaultHistoryDelete<Model>) -> Bool {
    lhs.changeIdentifier == rhs.changeIdentifier && lhs.transactionIdentifier == rhs.transactionIdentifier
      && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(changedPersistentIdentifier)
  }
}
