/// Notifies the processes that use a database of commits of others.
package protocol DatabaseSignal: Sendable {
  /// Wakes the observers, at once or after a short interval in which calls are merged.
  func ring()

  /// Calls `body` after each signal, and whenever signals may have been missed, on any thread, until the observation is
  /// cancelled.
  func observe(_ body: @escaping @Sendable () -> Void) throws -> any DatabaseObservation
}

package protocol DatabaseObservation: AnyObject, Sendable {
  /// Ends the observation. A call that has begun may still run.
  func cancel()
}
