import Foundation

package enum CPUClock {
  /// The seconds of processor time that all threads of this process have used so far.
  package static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The seconds of processor time that `body` uses.
  package static func seconds(of body: () throws -> Void) rethrows -> Double {
    let start = now
    try body()
    return now - start
  }
}
