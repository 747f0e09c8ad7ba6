import Foundation

/// The number of threads of the process, for tests that run in a process of their own.
enum ThreadCount {
  private static let folder = "/proc/self/task"

  static let isKnown = FileManager.default.fileExists(atPath: folder)

  static func current() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }
}
