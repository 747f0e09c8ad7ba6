/// A save as the process sees it that made it. Times are those of `MonotonicClock`.
package struct Commit: Codable, Sendable {
  /// The number of its transaction.
  package let transaction: Int64
  /// When `save()` was called.
  package let start: Int64
  /// When it had returned.
  package let end: Int64
  /// Whether it is one of many without a pause.
  package let isInBurst: Bool
}
