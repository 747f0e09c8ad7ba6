import Foundation

/// A new folder that is removed with the object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "FileWatching-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func path(_ name: String) -> String { path + "/" + name }

  /// Makes a file that was last written long ago.
  func makeOldFile(_ name: String, content: String = "old") throws -> String {
    let path = path(name)
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path)
    return path
  }
}

/// Overwrites the beginning of a file, or appends to it, without replacing the file.
func write(_ text: String, to path: String, atEnd: Bool = false) throws {
  let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
  defer { try? file.close() }
  if atEnd { try file.seekToEnd() }
  try file.write(contentsOf: Data(text.utf8))
}
