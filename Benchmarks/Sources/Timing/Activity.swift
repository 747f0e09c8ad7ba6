import Foundation

/// The activity of a process's threads while one thread waited, without that thread.
package struct Activity: Codable, Sendable {
  /// The number of threads at the end.
  package let threads: Int
  /// How often a thread went to sleep, which is how often a thread was woken.
  package let voluntarySwitches: Int
  /// How often a running thread was preempted by another program.
  package let involuntarySwitches: Int
  package let processorMicroseconds: Int

  /// Lets this thread sleep for some time, and measures all other threads meanwhile.
  package static func ofOtherThreads(for seconds: Double) throws -> Activity {
    let before = try ThreadCounts()
    let processorSeconds = CPUClock.ofOtherThreads
    Thread.sleep(forTimeInterval: seconds)
    let used = CPUClock.ofOtherThreads - processorSeconds
    let after = try ThreadCounts()
    return Activity(
      threads: after.switches.count, voluntarySwitches: after.voluntary(since: before),
      involuntarySwitches: after.involuntary(since: before),
      // The difference may be negative, because the two clocks are not read at the same moment.
      processorMicroseconds: max(0, Int((used * 1e6).rounded())))
  }
}
