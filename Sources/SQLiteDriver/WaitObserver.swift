/// Is notified when a thread waits long for a lock.
package struct WaitObserver: Sendable {
  package enum Holder: Sendable {
    /// Another thread writes through the same object.
    case otherThread
    /// Another process, or another object that has the same file open.
    case otherConnection
  }

  /// The nanoseconds of waiting after which to notify.
  let threshold: UInt64
  /// Called on the waiting thread, at most once for each wait.
  let notify: @Sendable (Holder) -> Void

  /// - Parameter threshold: The seconds of waiting after which to notify.
  package init(after threshold: Double, notify: @escaping @Sendable (Holder) -> Void) {
    self.threshold = UInt64(threshold.asWait * 1e9)
    self.notify = notify
  }
}
