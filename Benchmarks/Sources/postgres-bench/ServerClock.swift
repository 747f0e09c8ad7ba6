import Foundation
import LibpqPeer

/// The processor time of a server on this machine.
struct ServerClock {
  private let children: String

  /// - Returns: Nil when the server's processes are not visible here.
  init?(_ url: String) throws {
    let process = try Inspection(url, namespace: "public").serverProcess()
    // The name of the program is in parentheses, and the number of the parent is the second word after it.
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      status.contains("(postgres)"),
      let parent = status.split(separator: ")").last?.split(separator: " ").dropFirst().first
    else { return nil }
    children = "/proc/\(parent)/task/\(parent)/children"
    if !FileManager.default.isReadableFile(atPath: children) { return nil }
  }

  /// The seconds that the present processes have used so far.
  var now: Double {
    let list = (try? String(contentsOfFile: children, encoding: .utf8)) ?? ""
    return list.split(separator: " ").reduce(0) { sum, process in
      let counts = try? String(contentsOfFile: "/proc/\(process)/schedstat", encoding: .utf8)
      return sum + (counts?.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }
  }
}
