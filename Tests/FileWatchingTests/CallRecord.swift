import Support

/// Counts the calls of a watcher's body, which tests wait for.
final class CallRecord: Sendable {
  private let calls = Mutex(0)

  func add() { calls.withLock { $0 += 1 } }

  var count: Int { calls.withLock { $0 } }

  /// Waits for another call than the ones there were.
  ///
  /// - Returns: Whether it came.
  func grows(beyond count: Int = 0) async -> Bool {
    await eventually { self.count > count }
  }
}

/// Waits until something is so, which gives no event that could be waited for. No other test of watchers waits by time,
/// but for the one that is about a time in which nothing happens.
///
/// - Returns: Whether that came about within half a minute, which is long enough for a machine that is busy otherwise.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(30)
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return true
}
