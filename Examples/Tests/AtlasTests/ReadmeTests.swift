import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
  private let readme: PrintedPage

  init() throws {
    readme = try PrintedPage("README.md")
  }

  @Test("The README has the code of the compiled example")
  func exampleIsCompiled() throws {
    let source = PrintedPage.repository.appending(path: "Examples/Sources/ReadmeExample/main.swift")
    let example = try #require(readme.blocks("swift").first)
    #expect(try example == String(contentsOf: source, encoding: .utf8))
  }

  @Test("The README has the output of the example")
  func exampleRuns() throws {
    let outcome = try Program.readmeExample.run()
    #expect(outcome.status == 0)
    let promised = try #require(readme.blocks("text").first)
    #expect(outcome.output == promised)
  }

  @Test("The commands of the tutorial print what the tutorial shows")
  func tutorialRuns() throws {
    let page = try PrintedPage("Sources/SwiftData/SwiftData.docc/GettingStarted.md")
    let home = try TemporaryFolder()
    let steps = zip(page.blocks("sh"), page.blocks("text"))
    #expect(page.blocks("sh").count == page.blocks("text").count)
    for (commands, printed) in steps {
      var output = ""
      for command in commands.split(separator: "\n") {
        let words = command.split(separator: " ").map(String.init)
        #expect(words.starts(with: ["swift", "run", "notes"]))
        let outcome = try Program.notes.run(Array(words.dropFirst(3)), environment: ["XDG_DATA_HOME": home.url.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        output += outcome.output
      }
      #expect(output == printed)
    }
    #expect(FileManager.default.fileExists(atPath: home.path("notes/default.store")))
  }

  @Test(
    "The package manager accepts the manifests in the documentation", arguments: ["GettingStarted", "MovingToLinux"])
  func packagesAreRead(page: String) throws {
    let manifests = try PrintedPage("Sources/SwiftData/SwiftData.docc/\(page).md").blocks("swift")
      .filter { $0.contains("import PackageDescription") }
    #expect(manifests.count == 1)
    for manifest in manifests {
      let folder = try TemporaryFolder()
      try folder.write(manifest, to: "Package.swift")
      let outcome = try Program(url: URL(filePath: "/usr/bin/env"))
        .run("swift", "package", "--package-path", folder.url.path, "dump-package")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("OpenSwiftData"))
    }
  }
}
