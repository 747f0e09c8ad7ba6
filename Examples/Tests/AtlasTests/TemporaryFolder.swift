import Foundation

/// A test's own folder, deleted when it is released.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "atlas-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String {
    url.appending(path: name).path
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  /// Every file below the folder with its bytes.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: url.path)
    var contents: [String: Data] = [:]
    for name in names {
      let file = url.appending(path: name)
      if try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
        contents[name] = try Data(contentsOf: file)
      }
    }
    return contents
  }
}
