public import Foundation

/// Describes the transactions of a history to fetch or to delete.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
///   predicate: #Predicate { $0.token > token && $0.author == "worker" })
/// descriptor.fetchLimit = 100
/// ```
public struct HistoryDescriptor<TransactionType: HistoryTransaction> {
  /// The condition that selects the transactions; all when nil.
  ///
  /// The SQLite store evaluates conditions on everything but ``HistoryTransaction/changes`` in SQL.
  public var predicate: Predicate<TransactionType>?
  /// The largest number of transactions; no limit when zero, the default.
  public var fetchLimit: UInt64 = 0
  /// The order. Transactions that the descriptors do not order are in the order of their commits.
  public var sortBy: [SortDescriptor<TransactionType>]

  /// Describes the transactions that meet a condition, in the order of their commits.
  public init(predicate: Predicate<TransactionType>? = nil) {
    self.init(predicate: predicate, sortBy: [])
  }

  /// Describes the transactions that meet a condition.
  ///
  /// - Parameters:
  ///   - predicate: The condition on the transactions; all of them when nil.
  ///   - sortBy: The order; that of the commits when empty.
  public init(predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
