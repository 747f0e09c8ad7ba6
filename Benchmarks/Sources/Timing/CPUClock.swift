import Foundation

package enum CPUClock {
  /// The seconds of processor time that all threads of this process have used so far.
  package static var now: Double {
    seconds(by: CLOCK_PROCESS_CPUTIME_ID)
  }

  /// The seconds of processor time that this thread has used so far.
  package static var ofThisThread: Double {
    seconds(by: CLOCK_THREAD_CPUTIME_ID)
  }

  /// The seconds of processor time of all other threads.
  package static var ofOtherThreads: Double {
    now - ofThisThread
  }

  /// The seconds of processor time that `body` uses.
  package static func seconds(of body: () throws -> Void) rethrows -> Double {
    let start = now
    try body()
    return now - start
  }

  private static func seconds(by clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
