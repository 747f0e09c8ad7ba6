import Foundation

@testable import FileWatching

/// Information from `/proc` about this process.
enum ProcessInspection {
  /// The numbers of the open descriptors of inotify instances.
  static func inotifyInstances() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { descriptor in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
      return target == "anon_inode:inotify"
    }
  }

  /// The number of watches of a folder in all inotify instances.
  static func watchCount(ofFolder path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    let field = " ino:\(String(number, radix: 16)) "
    return try inotifyInstances().reduce(0) { sum, descriptor in
      // The instance may have been closed since.
      let information = (try? String(contentsOfFile: "/proc/self/fdinfo/" + descriptor, encoding: .utf8)) ?? ""
      return sum + information.split(separator: "\n").count { $0.hasPrefix("inotify wd:") && $0.contains(field) }
    }
  }

  /// The folders in `/proc` of the threads that read from inotify instances.
  static func watchingThreads() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
      .map { "/proc/self/task/" + $0 }
      .filter { (try? String(contentsOfFile: $0 + "/comm", encoding: .utf8)) == FileEvents.threadName + "\n" }
  }
}
