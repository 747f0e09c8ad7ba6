import Foundation

/// The memory in use by the process, for tests that run in a process of their own.
enum ResidentMemory {
  private static let file = URL(fileURLWithPath: "/proc/self/statm")

  static let isKnown = FileManager.default.fileExists(atPath: file.path)

  /// Runs rounds, of which the first warm up.
  ///
  /// - Returns: The bytes by which the other rounds made the process grow.
  static func growth(rounds: Int, warmUp: Int, _ round: (Int) throws -> Void) throws -> Int {
    for number in 0..<warmUp { try round(number) }
    let before = try size()
    for number in warmUp..<rounds { try round(number) }
    return try size() - before
  }

  private static func size() throws -> Int {
    let fields = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { throw CocoaError(.fileReadCorruptFile) }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
