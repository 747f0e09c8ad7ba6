import Support

/// Counts the calls of a watcher's body, for which tests wait.
final class CallRecord: Sendable {
  private let calls = Mutex(0)

  func add() { calls.withLock { $0 += 1 } }

  var count: Int { calls.withLock { $0 } }

  /// Waits for another call than the present ones.
  ///
  /// - Returns: Whether it came.
  func grows(beyond count: Int = 0) async -> Bool {
    await eventually { self.count > count }
  }
}

/// Waits for a condition that causes no event. No other test of watchers waits by time, except the one about a time in which
/// nothing happens.
///
/// - Returns: Whether the condition came about within half a minute, which is long enough for a busy machine.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(30)
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return true
}
