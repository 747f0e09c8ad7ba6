import Foundation
import Testing

@Suite("Pages whose code is that of the examples")
struct GuideTests {
  /// The Swift files of the examples and of their tests, without indentation and empty lines.
  private static let sources: [String] = {
    let folder = PrintedPage.repository.appending(path: "Examples")
    let paths = FileManager.default.subpaths(atPath: folder.path) ?? []
    return paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
      .compactMap { try? String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .map(lines)
  }()

  private static func lines(of code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .map { $0 + "\n" }.joined()
  }

  @Test(
    "A page prints code that is compiled and tested",
    arguments: [
      "README.md", "Sources/SwiftData/SwiftData.docc/OnAServer.md", "Sources/SwiftData/SwiftData.docc/Testing.md",
      "Sources/SwiftData/SwiftData.docc/History.md", "Sources/SwiftData/SwiftData.docc/ChangingModels.md",
      "Sources/SwiftData/SwiftData.docc/MigrationRecipes.md", "Sources/SwiftData/SwiftData.docc/Queries.md",
    ])
  func printedCode(path: String) throws {
    let blocks = try PrintedPage(path).blocks("swift")
    #expect(!blocks.isEmpty)
    // Only the package manager reads manifests: another test sees to those.
    for block in blocks where !block.contains("import PackageDescription") {
      let code = Self.lines(of: block)
      #expect(Self.sources.contains { $0.contains(code) }, "\(block)")
    }
  }
}
