import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
  private static let examples = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The code blocks of a language, in order.
  private func blocks(_ language: String) throws -> [String] {
    let readme = Self.examples.deletingLastPathComponent().appending(path: "README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { rest in
      rest.range(of: "```").map { String(rest[..<$0.lowerBound]) }
    }
  }

  @Test("The README prints the example that is compiled here")
  func exampleIsCompiled() throws {
    let source = Self.examples.appending(path: "Sources/ReadmeExample/main.swift")
    let example = try #require(try blocks("swift").first)
    #expect(try example == String(contentsOf: source, encoding: .utf8))
  }

  @Test("The README prints what the example prints")
  func exampleRuns() throws {
    let outcome = try Program.readmeExample.run()
    #expect(outcome.status == 0)
    let promised = try #require(try blocks("text").first)
    #expect(outcome.output == promised)
  }
}
