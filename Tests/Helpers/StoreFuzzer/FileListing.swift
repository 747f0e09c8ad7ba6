import Foundation

/// The regular files below a folder, with their contents.
enum FileListing {
  static func isRegular(_ url: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return false }
    return (attributes?[.size] as? NSNumber)?.intValue ?? .max < 1 << 26
  }

  /// The contents by path, without the files that SQLite leaves after only reading.
  static func contents(of folder: URL) -> [String: Data] {
    var contents: [String: Data] = [:]
    for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? [] {
      let url = folder.appendingPathComponent(path)
      guard !path.hasSuffix("-shm"), isRegular(url), let data = try? Data(contentsOf: url) else { continue }
      if !(data.isEmpty && path.hasSuffix("-wal")) { contents[path] = data }
    }
    return contents
  }
}
