import Foundation

// Where tests wait for something, they wait for an event. These are for what gives none: what another process does, or
// the last release of an object on another thread, say. Nothing else in the tests of the library waits by time, unless
// time is what the test is about.

/// Whether a condition comes true, at once or in a moment.
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

/// The same for what awaits nothing: no other task gets the thread meanwhile.
func comesTrueHere(within limit: Duration = .seconds(60), _ condition: () throws -> Bool) rethrows -> Bool {
  var pauses = Pauses(within: limit)
  while try !condition() {
    guard let microseconds = pauses.next() else { return false }
    usleep(microseconds)
  }
  return true
}

/// How long to wait between two looks at a condition: not long at first, as most come true soon.
///
/// The pauses count, not the clock: where many tests wait for their turn, what makes the condition true does as well.
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
