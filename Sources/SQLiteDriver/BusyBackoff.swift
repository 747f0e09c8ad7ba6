import Foundation

/// How long to wait for a lock that another connection or process holds, and how often to look.
///
/// SQLite's own waiting grows to a tenth of a second, and to whole seconds where it was built without `usleep`.
final class BusyBackoff: Sendable {
  /// Microseconds before the first attempts; later ones wait as long as the last.
  private static let delays: [UInt32] = [50, 100, 200, 500, 1000, 2000, 5000]
  private let maximumAttempts: Int

  /// - Parameter timeout: the seconds after which to give up.
  init(timeout: Double) {
    let microseconds = min(max(timeout, 0), 1_000_000) * 1_000_000
    var attempts = 0
    var waited = 0.0
    for delay in Self.delays where waited < microseconds {
      attempts += 1
      waited += Double(delay)
    }
    if let last = Self.delays.last, waited < microseconds {
      attempts += Int((microseconds - waited) / Double(last))
    }
    maximumAttempts = attempts
  }

  /// Waits before another attempt.
  ///
  /// - Returns: whether there is to be one.
  func wait(attempt: Int) -> Bool {
    guard attempt < maximumAttempts else { return false }
    usleep(Self.delays[min(attempt, Self.delays.count - 1)])
    return true
  }
}
