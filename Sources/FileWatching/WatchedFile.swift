#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A place in a folder that has or may get a file.
struct WatchedFile: Hashable, Sendable {
  let path: String
  let folder: String
  /// The bytes of the last component of the path. A `String` would not do, because it is equal to another one that Unicode
  /// holds for equivalent, which is the name of another file.
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

  /// The places at these paths and, where there is a symbolic link at one, the places it leads to.
  static func all(at paths: [String]) -> [WatchedFile] {
    paths.flatMap { path in
      var places = [WatchedFile(path: path)]
      while places.count <= mostLinks, let target = places.last?.linkTarget {
        places.append(WatchedFile(path: target))
      }
      return places
    }
  }

  /// The number of links in a row that Linux follows. Links that form a circle end here too.
  private static let mostLinks = 40

  /// The path that the symbolic link at this place holds, or nil when there is none.
  private var linkTarget: String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(path, &bytes, bytes.count)
    guard length > 0, let target = String(validating: bytes.prefix(length), as: UTF8.self) else { return nil }
    return target.hasPrefix("/") ? target : folder + "/" + target
  }
}
