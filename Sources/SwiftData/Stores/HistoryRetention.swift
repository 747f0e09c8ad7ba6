extension ModelConfiguration {
  /// Whether a store keeps a history, and which part of it.
  ///
  /// Old transactions are deleted by saves: each sixteenth one deletes up to 64, so that none takes noticeably longer. A
  /// store that is not saved to keeps what it has. Tokens from before a deleted transaction then have expired; see
  /// ``SwiftDataError/historyTokenExpired``. An addition of OpenSwiftData.
  public struct HistoryRetention: Hashable, Sendable {
    /// Whether saves are recorded.
    let isKept: Bool
    /// The maximum age of a transaction.
    let age: Duration?
    /// The maximum number of transactions.
    let count: Int?

    /// No save is recorded, and what was recorded before is deleted when the store is opened.
    public static let none = HistoryRetention(isKept: false, age: nil, count: nil)
    /// Every transaction is kept until ``ModelContext/deleteHistory(_:)`` deletes it.
    public static let unlimited = HistoryRetention(isKept: true, age: nil, count: nil)

    /// Transactions are kept until they are too old, or there are too many newer ones.
    ///
    /// - Parameters:
    ///   - age: How long a transaction is kept, by the clock of the machine; any time when nil.
    ///   - count: How many of the last transactions are kept; any number when nil. Less than one counts as one.
    public static func limited(age: Duration? = nil, count: Int? = nil) -> HistoryRetention {
      HistoryRetention(isKept: true, age: age, count: count.map { max(1, $0) })
    }
  }
}
