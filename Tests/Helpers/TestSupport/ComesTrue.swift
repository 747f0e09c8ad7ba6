import Foundation

// Tests wait for events. These functions are for conditions without one: another process's action, or the last release of an
// object on another thread, for example. No other test of the library waits by time, unless time is its subject.

/// Whether a condition becomes true, at once or soon.
func comesTrue(
  within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
  _ condition: () throws -> Bool
) async rethrows -> Bool {
  var pauses = Pauses(within: limit)
  while try !condition() {
    guard let microseconds = pauses.next() else { return false }
    try? await Task.sleep(for: .microseconds(microseconds))
  }
  return true
}

/// The same without suspending: no other task gets the thread meanwhile.
func comesTrueHere(within limit: Duration = .seconds(60), _ condition: () throws -> Bool) rethrows -> Bool {
  var pauses = Pauses(within: limit)
  while try !condition() {
    guard let microseconds = pauses.next() else { return false }
    usleep(microseconds)
  }
  return true
}

/// The pauses between two checks of a condition: short at first, as most become true soon.
///
/// The pauses count, not the clock: where many tests wait for their turn, so does the code that makes the condition true.
private struct Pauses {
  private static let longest: UInt32 = 5000

  private var left: Duration
  private var microseconds: UInt32 = 100

  init(within limit: Duration) {
    left = limit
  }

  /// Nil when the time is over.
  mutating func next() -> UInt32? {
    guard left > .zero else { return nil }
    defer {
      left -= .microseconds(microseconds)
      microseconds = min(2 * microseconds, Self.longest)
    }
    return microseconds
  }
}
