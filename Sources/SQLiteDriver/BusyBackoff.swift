import Dispatch
import Foundation

import struct Synchronization.Atomic

/// How long to wait for a lock that another connection or process holds, and how often to look.
///
/// SQLite's own waiting grows to a tenth of a second, and to whole seconds where it was built without `usleep`.
final class BusyBackoff: Sendable {
  /// Microseconds before the first attempts; later ones wait as long as the last.
  private static let delays: [UInt64] = [50, 100, 200, 500, 1000, 2000, 5000]
  /// In nanoseconds.
  private let timeout: UInt64
  private let observer: WaitObserver?

  // One thread at a time waits.

  /// When the first attempt was made.
  private let beginning = Atomic<UInt64>(0)
  private let isTold = Atomic<Bool>(false)

  /// - Parameters:
  ///   - timeout: the seconds after which to give up.
  ///   - observer: who is told of a wait that is long.
  init(timeout: Double, observer: WaitObserver? = nil) {
    self.timeout = UInt64(timeout.asWait * 1e9)
    self.observer = observer
  }

  /// Waits before another attempt.
  ///
  /// - Returns: whether there is to be one.
  func wait(attempt: Int) -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    if attempt == 0 {
      beginning.store(now, ordering: .relaxed)
      isTold.store(false, ordering: .relaxed)
    }
    let waited = now - beginning.load(ordering: .relaxed)
    guard waited < timeout else { return false }
    if let observer, waited >= observer.threshold, !isTold.exchange(true, ordering: .relaxed) {
      observer.notify(.otherConnection)
    }
    let delay = Self.delays[min(attempt, Self.delays.count - 1)]
    usleep(UInt32(min(delay, (timeout - waited) / 1000 + 1)))
    return true
  }
}

extension Double {
  /// As seconds to wait: none where it is negative or no number, and some days where it is more.
  var asWait: Double { self > 0 ? min(self, 1_000_000) : 0 }
}
