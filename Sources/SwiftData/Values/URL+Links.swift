import Foundation

extension URL {
  /// The file's own URL where symbolic links lead to it, as SQLite finds it, whether there is one yet or not.
  var withoutLinks: URL {
    var path = self.path
    // As many as Linux follows. One that leads to no file yet is followed here.
    for _ in 0..<40 {
      if let real = Self.realPath(path) { return URL(fileURLWithPath: real, isDirectory: false) }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      path = target.hasPrefix("/") ? target : (path as NSString).deletingLastPathComponent + "/" + target
    }
    let url = URL(fileURLWithPath: path, isDirectory: false)
    // The first may lead by a folder that does not exist to its parent.
    for candidate in [url, url.standardizedFileURL] {
      guard let folder = Self.realPath(candidate.deletingLastPathComponent().path) else { continue }
      return URL(fileURLWithPath: folder, isDirectory: true)
        .appendingPathComponent(candidate.lastPathComponent, isDirectory: false)
    }
    return url.standardizedFileURL
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
