import Foundation
import Testing

@Suite("Code in the documentation")
struct GuideTests {
  /// The Swift files of the examples and of the tests, without indentation and empty lines.
  private static let sources: [String] = ["Examples", "Tests"].flatMap { name in
    let folder = PrintedPage.repository.appending(path: name)
    let paths = FileManager.default.subpaths(atPath: folder.path) ?? []
    return paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
      .compactMap { try? String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .map(lines)
  }

  private static func lines(of code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .map { $0 + "\n" }.joined()
  }

  /// Whether a block is a manifest, which another test checks, or needs Combine.
  private static func isForOthers(_ block: String) -> Bool {
    ["import PackageDescription", ".package(", ".testTarget(", "import Combine", ".publisher("].contains {
      block.contains($0)
    }
  }

  @Test(
    "A page prints code that is compiled and tested",
    arguments: [
      "README", "Aggregates", "ChangingModels", "CodingAgents", "CompilingYourModels", "Concurrency", "CustomStores",
      "DifferencesFromApple", "GettingStarted", "History", "LiveResults", "LookingAtSQL", "MigrationRecipes",
      "ModelsAndContexts", "MovingToLinux", "Notifications", "OnAServer", "Performance", "Predicates", "Queries",
      "Relationships", "SavingAndAutosave", "StoreSettings", "SwiftData", "Testing", "Undo",
      "WorkingWithSeveralContexts",
    ])
  func printedCode(page: String) throws {
    let folder = page == "README" ? "" : "Sources/SwiftData/SwiftData.docc/"
    let blocks = try PrintedPage("\(folder)\(page).md").blocks("swift")
    #expect(!blocks.isEmpty)
    for block in blocks where !Self.isForOthers(block) {
      let code = Self.lines(of: block)
      #expect(Self.sources.contains { $0.contains(code) }, "\(block)")
    }
  }
}
