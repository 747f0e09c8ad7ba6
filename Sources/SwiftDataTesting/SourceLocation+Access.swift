import Runtime
import Testing

extension SourceLocation {
  /// The line of the innermost caller that is neither of this package nor of the accessors that `@Model` generates; nil
  /// where there is no debug information.
  static var ofModelAccess: SourceLocation? {
    guard let frames = try? Backtrace.capture(limit: 200).symbolicated()?.frames else { return nil }
    let locations = frames.compactMap { $0.symbol?.sourceLocation }
    for (index, location) in locations.enumerated() where location.line > 0 && !location.path.hasPrefix(sourcesFolder) {
      if location.path.contains("@__swiftmacro_") {
        let callers = locations[index...].map(\.path)
        if let location = SourceLocation(expansion: location.path, callers: callers) { return location }
      } else if location.path.hasSuffix(".swift") {
        return SourceLocation(path: location.path, line: location.line, column: location.column)
      }
    }
    return nil
  }

  /// The line of a macro such as `#expect`. The name of the file of its expansion ends with the name of the source file
  /// without punctuation, the line and the column.
  ///
  /// - Parameter callers: The files of the calling functions. One of them may be the source file.
  /// - Returns: Nil for the expansion of an attached macro such as `@Model`.
  private init?(expansion: String, callers: [String]) {
    guard let match = expansion.firstMatch(of: /00\d+([A-Za-z_]\w*?)swift_\w*?MX(\d+)_(\d+)_/),
      let line = Int(match.2), let column = Int(match.3)
    else { return nil }
    let name = String(match.1)
    let path = callers.first { caller in
      caller.split(separator: "/").last.map { $0.filter { $0.isLetter || $0.isNumber || $0 == "_" } } == name + "swift"
    }
    self.init(path: path ?? "\(name).swift", line: line + 1, column: column + 1)
  }

  private init(path: String, line: Int, column: Int) {
    let names = path.split(separator: "/").suffix(2)
    let fileID = names.count == 2 ? names.joined(separator: "/") : "Sources/\(path)"
    self.init(fileID: fileID, filePath: path, line: line, column: max(1, column))
  }

  /// The folder with the sources of the library.
  private static let sourcesFolder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/"
}
