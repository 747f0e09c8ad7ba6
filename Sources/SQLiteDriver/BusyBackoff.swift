import Dispatch
import Foundation

import struct Synchronization.Atomic

/// The intervals at which SQLite tries again to take a lock that another connection or process holds.
///
/// SQLite's own intervals grow to a tenth of a second, and to whole seconds where it was built without `usleep`.
final class BusyBackoff: Sendable {
  /// The pauses before the first attempts, in microseconds; later attempts use the last value.
  private static let delays: [UInt64] = [50, 100, 200, 500, 1000, 2000, 5000]
  /// In nanoseconds.
  private let timeout: UInt64
  private let observer: WaitObserver?

  // Only one thread waits at a time.

  /// The time of the first attempt.
  private let beginning = Atomic<UInt64>(0)
  private let isReported = Atomic<Bool>(false)

  /// - Parameters:
  ///   - timeout: the seconds after which to give up.
  ///   - observer: is notified of a long wait.
  init(timeout: Double, observer: WaitObserver? = nil) {
    self.timeout = UInt64(timeout.asWait * 1e9)
    self.observer = observer
  }

  /// Waits before another attempt.
  ///
  /// - Returns: whether to try again.
  func wait(attempt: Int) -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    if attempt == 0 {
      beginning.store(now, ordering: .relaxed)
      isReported.store(false, ordering: .relaxed)
    }
    let waited = now - beginning.load(ordering: .relaxed)
    guard waited < timeout else { return false }
    if let observer, waited >= observer.threshold, !isReported.exchange(true, ordering: .relaxed) {
      observer.notify(.otherConnection)
    }
    let delay = Self.delays[min(attempt, Self.delays.count - 1)]
    usleep(UInt32(min(delay, (timeout - waited) / 1000 + 1)))
    return true
  }
}

extension Double {
  /// As seconds to wait: zero for a negative number and for NaN, and at most some days.
  var asWait: Double { self > 0 ? min(self, 1_000_000) : 0 }
}
