/// A notification of an observer after a commit.
package struct CommitNotice: Sendable {
  /// By `MonotonicClock`.
  package let time: Int64
  /// The number of the last transaction in the store at that time.
  package let transaction: Int64
}
