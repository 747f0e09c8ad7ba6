import Foundation

/// A clock that is never set, and is the same for all processes.
package enum MonotonicClock {
  /// The nanoseconds since some moment before the system started.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
