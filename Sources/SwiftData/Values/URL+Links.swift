import Foundation

extension URL {
  /// The URL of the file behind symbolic links, as SQLite resolves it, whether or not the file exists.
  var withoutLinks: URL {
    var path = self.path
    // The limit of Linux. A link to a file that does not exist is resolved here.
    for _ in 0..<40 {
      if let real = Self.realPath(path) { return URL(fileURLWithPath: real, isDirectory: false) }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      path = target.hasPrefix("/") ? target : (path as NSString).deletingLastPathComponent + "/" + target
    }
    let url = URL(fileURLWithPath: path, isDirectory: false)
    // The first candidate may contain `..` behind a folder that does not exist.
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
