extension ModelConfiguration {
  /// The part of the history that a store keeps.
  ///
  /// Saves delete old transactions: each sixteenth save deletes up to 64, so that no save takes noticeably longer. Without
  /// saves, no transaction is deleted. Tokens from before a deleted transaction expire: see
  /// ``SwiftDataError/historyTokenExpired``. An addition of OpenSwiftData.
  public struct HistoryRetention: Hashable, Sendable {
    /// Whether saves are recorded.
    let isKept: Bool
    /// The maximum age of a transaction.
    let age: Duration?
    /// The maximum number of transactions.
    let count: Int?

    /// No save is recorded, and an existing history is deleted when the store is opened.
    public static let none = HistoryRetention(isKept: false, age: nil, count: nil)
    /// Every transaction is kept until ``ModelContext/deleteHistory(_:)`` deletes it.
    public static let unlimited = HistoryRetention(isKept: true, age: nil, count: nil)

    /// Transactions are kept until they are too old, or there are too many newer ones.
    ///
    /// - Parameters:
    ///   - age: The maximum age of a transaction, by the clock of the machine; no limit when nil.
    ///   - count: The maximum number of transactions; no limit when nil. Less than one counts as one.
    public static func limited(age: Duration? = nil, count: Int? = nil) -> HistoryRetention {
      HistoryRetention(isKept: true, age: age, count: count.map { max(1, $0) })
    }
  }
}
