import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
  private let readme: PrintedPage

  init() throws {
    readme = try PrintedPage("README.md")
  }

  @Test("The README prints the example that is compiled here")
  func exampleIsCompiled() throws {
    let source = PrintedPage.repository.appending(path: "Examples/Sources/ReadmeExample/main.swift")
    let example = try #require(readme.blocks("swift").first)
    #expect(try example == String(contentsOf: source, encoding: .utf8))
  }

  @Test("The README prints what the example prints")
  func exampleRuns() throws {
    let outcome = try Program.readmeExample.run()
    #expect(outcome.status == 0)
    let promised = try #require(readme.blocks("text").first)
    #expect(outcome.output == promised)
  }

  @Test("The program that the guide to getting started prints keeps what it is told")
  func programRuns() throws {
    let home = try TemporaryFolder()
    let environment = ["XDG_DATA_HOME": home.url.path]
    #expect(try Program.notes.run("Buy", "bread", environment: environment).output == "Buy bread\n")
    #expect(try Program.notes.run("Call Ada", environment: environment).output == "Buy bread\nCall Ada\n")
    #expect(FileManager.default.fileExists(atPath: home.path("notes/default.store")))
  }

  @Test(
    "The packages that the pages print are read by the package manager", arguments: ["GettingStarted", "MovingToLinux"])
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
