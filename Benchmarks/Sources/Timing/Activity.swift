import Foundation

/// What the threads of a process did while one of them waited, without that one.
package struct Activity: Codable, Sendable {
  /// How many threads there were in the end.
  package let threads: Int
  /// How often one of them went to sleep, which is as often as something woke it.
  package let voluntarySwitches: Int
  /// How often one had to give way to another program while it was at work.
  package let involuntarySwitches: Int
  package let processorMicroseconds: Int

  /// Has this thread sleep for some time, and finds out what all others do meanwhile.
  package static func ofOtherThreads(for seconds: Double) throws -> Activity {
    let before = try ThreadCounts()
    let processorSeconds = CPUClock.ofOtherThreads
    Thread.sleep(forTimeInterval: seconds)
    let used = CPUClock.ofOtherThreads - processorSeconds
    let after = try ThreadCounts()
    return Activity(
      threads: after.switches.count, voluntarySwitches: after.voluntary(since: before),
      involuntarySwitches: after.involuntary(since: before),
      // Below zero when the two clocks, which are not read at once, were read a little apart.
      processorMicroseconds: max(0, Int((used * 1e6).rounded())))
  }
}
