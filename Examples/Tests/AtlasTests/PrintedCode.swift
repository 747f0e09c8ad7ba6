import Foundation

/// A page of documentation, and its code blocks.
struct PrintedPage {
  let text: String

  /// - Parameter path: From the repository's folder.
  init(_ path: String) throws {
    text = try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
  }

  /// The code blocks of a language, in order.
  func blocks(_ language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { rest in
      rest.range(of: "```").map { String(rest[..<$0.lowerBound]) }
    }
  }

  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
