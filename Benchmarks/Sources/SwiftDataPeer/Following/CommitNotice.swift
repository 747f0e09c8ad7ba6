/// The moment in which an observer was told that something was committed.
package struct CommitNotice: Sendable {
  /// By `MonotonicClock`.
  package let time: Int64
  /// The number of the last transaction that was there then.
  package let transaction: Int64
}
