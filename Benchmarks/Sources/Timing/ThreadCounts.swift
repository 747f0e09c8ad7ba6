import Foundation

/// The number of context switches of this process's threads, as the kernel counts them, without the calling thread.
struct ThreadCounts {
  struct Switches {
    var voluntary = 0
    var involuntary = 0
  }

  /// By the number of the thread.
  private(set) var switches: [String: Switches] = [:]

  /// Reads the kernel's counts, which exist in this form only on Linux.
  init() throws {
    let manager = FileManager.default
    let asking = try manager.destinationOfSymbolicLink(atPath: "/proc/thread-self").split(separator: "/").last
    for thread in try manager.contentsOfDirectory(atPath: "/proc/self/task") where thread != asking ?? "" {
      // The file is missing for a thread that has ended meanwhile.
      let file = "/proc/self/task/\(thread)/status"
      guard let status = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
      switches[thread] = Switches(status: status)
    }
  }

  func voluntary(since before: ThreadCounts) -> Int {
    // A thread that has ended was awake to end.
    let ended = before.switches.keys.count { switches[$0] == nil }
    return ended + sum(\.voluntary, since: before)
  }

  func involuntary(since before: ThreadCounts) -> Int {
    sum(\.involuntary, since: before)
  }

  private func sum(_ count: KeyPath<Switches, Int>, since before: ThreadCounts) -> Int {
    switches.reduce(0) { $0 + $1.value[keyPath: count] - (before.switches[$1.key]?[keyPath: count] ?? 0) }
  }
}

extension ThreadCounts.Switches {
  fileprivate init(status: String) {
    for line in status.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      switch words.first {
      case "voluntary_ctxt_switches:": voluntary = words.last.flatMap { Int($0) } ?? 0
      case "nonvoluntary_ctxt_switches:": involuntary = words.last.flatMap { Int($0) } ?? 0
      default: continue
      }
    }
  }
}
