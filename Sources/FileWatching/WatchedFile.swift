#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A path in a folder at which there is or may be a file.
struct WatchedFile: Hashable, Sendable {
  let path: String
  let folder: String
  /// The bytes of the last component of the path. Not a `String`, because strings are equal when they are canonically
  /// equivalent, and such names are those of different files.
  let name: [UInt8]

  init(path: String) {
    self.path = path
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      folder = "."
      name = Array(path.utf8)
      return
    }
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    name = Array(path.utf8[path.utf8.index(after: slash)...])
  }

  /// The files at these paths and, for each symbolic link, its target.
  static func all(at paths: [String]) -> [WatchedFile] {
    paths.flatMap { path in
      var places = [WatchedFile(path: path)]
      while places.count <= mostLinks, let target = places.last?.linkTarget {
        places.append(WatchedFile(path: target))
      }
      return places
    }
  }

  /// The number of links in a row that Linux follows. A cycle of links ends here too.
  private static let mostLinks = 40

  /// The target of the symbolic link at this path, or nil when there is none.
  private var linkTarget: String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(path, &bytes, bytes.count)
    guard length > 0, let target = String(validating: bytes.prefix(length), as: UTF8.self) else { return nil }
    return target.hasPrefix("/") ? target : folder + "/" + target
  }
}
