/// Who is told that somebody has to wait for a lock.
package struct WaitObserver: Sendable {
  package enum Holder: Sendable {
    /// Another thread writes by way of the same object.
    case otherThread
    /// Another process does, or another object that has the same file open.
    case otherConnection
  }

  /// The nanoseconds after which to tell.
  let threshold: UInt64
  /// Called on the thread that waits, at most once a wait.
  let notify: @Sendable (Holder) -> Void

  /// - Parameter threshold: The seconds after which to tell.
  package init(after threshold: Double, notify: @escaping @Sendable (Holder) -> Void) {
    self.threshold = UInt64(threshold.asWait * 1e9)
    self.notify = notify
  }
}
