/// A save in the process that made it. Times are those of `MonotonicClock`.
package struct Commit: Codable, Sendable {
  /// The number of its transaction.
  package let transaction: Int64
  /// When `save()` was called.
  package let start: Int64
  /// When it returned.
  package let end: Int64
  /// Whether it belongs to a burst of saves without pauses.
  package let isInBurst: Bool
}
