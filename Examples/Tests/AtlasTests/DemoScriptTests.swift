import Foundation
import Testing

@Suite("The script that runs the demo")
struct DemoScriptTests {
  /// A copy of the script in a folder where nothing can be built.
  private let folder: TemporaryFolder
  private let script: Program

  init() throws {
    folder = try TemporaryFolder()
    let original = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "scripts/demo")
    try FileManager.default.copyItem(at: original, to: folder.url.appending(path: "demo"))
    script = Program(url: folder.url.appending(path: "demo"))
  }

  @Test("The script explains the program's options without building it", arguments: ["--help", "-h"])
  func help(option: String) throws {
    let outcome = try script.run("--memory", option)
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let explained = try Program.atlas.run("--help").output
    let options = explained.matches(of: /--[a-z]+( <[a-z]+>)?/).map(\.output.0)
    #expect(options.contains("--store <path>"))
    for option in options {
      #expect(outcome.output.contains(option))
    }
  }

  @Test(
    "The script refuses invalid options before it builds the program",
    arguments: [
      ["--stroe", "a"], ["--store"], ["--memory", "--search"], ["a.store"], ["postgresql:///atlas"],
      ["--postgres=postgresql:///atlas", "postgresql:///atlas"],
    ])
  func mistakes(arguments: [String]) throws {
    let outcome = try script.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.split(separator: "\n").count == 2)
    #expect(try Program.atlas.run(arguments).status == 64)
  }
}
