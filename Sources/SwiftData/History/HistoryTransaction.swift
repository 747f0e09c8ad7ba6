public import Foundation

/// The changes of one save in one store.
///
/// The SQLite store has ``DefaultHistoryTransaction``. A custom store with a history has its own type of transactions: see
/// ``HistoryProviding``.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  /// The type of the tokens of the store.
  associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
  /// The type of the identifiers of transactions.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The time of the commit, by the clock of the machine that saved.
  var timestamp: Date { get }
  /// The changes, in the order of the transaction.
  var changes: [HistoryChange] { get }
  /// The position of the transaction in the history of its store.
  var token: TokenType { get }
  /// Identifies the transaction among all transactions of its store.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the store, which its rows carry as ``PersistentIdentifier/storeIdentifier``.
  var storeIdentifier: String { get }
  /// The ``ModelContext/author`` of the context that saved.
  var author: String? { get }
}

/// A position in the history of one store, or of several.
///
/// A program keeps the token of the last transaction that it has processed, and fetches the transactions after it.
public protocol HistoryToken: Comparable, Decodable, Encodable, Hashable, Identifiable, Sendable {
  /// The type of the value.
  associatedtype TokenType: Decodable, Encodable, Hashable, Sendable

  /// The value that orders tokens; nil for the position before all transactions.
  var tokenValue: TokenType? { get }
}

/// A store that keeps a history of its saves.
public protocol HistoryProviding {
  /// The type of the transactions of the store.
  associatedtype HistoryType: HistoryTransaction

  /// The type of the transactions of the store.
  static var historyType: HistoryType.Type { get }

  /// Returns the transactions that a descriptor selects.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired`` when transactions that the descriptor selects were deleted.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]

  /// Deletes the transactions that a descriptor selects.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature`` when the store does not support the descriptor, or an error of the
  ///   store.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}
