import Foundation
import Testing

@Suite("Compiler errors for predicates that capture models")
struct CompilerMessageTests {
  private static let models = """
    import SwiftData
    @Model final class Trip {
      var name: String
      @Relationship(inverse: \\Stay.trip) var stays: [Stay] = []
      init(_ name: String) { self.name = name }
    }
    @Model final class Stay {
      var city: String
      var trip: Trip?
      init(_ city: String) { self.city = city }
    }

    """

  /// The compiler's output for code that uses the library as it was built for these tests.
  private func compile(_ code: String) throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    try folder.write(Self.models + code, to: "Code.swift")
    let build = Program.atlas.url.deletingLastPathComponent()
    let sources = PrintedPage.repository.appending(path: "Sources")
    var arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", build.appending(path: "Modules").path,
      "-load-plugin-executable", build.appending(path: "SwiftDataMacros-tool").path + "#SwiftDataMacros",
      "-Xcc", "-fmodule-map-file=\(sources.path)/SystemSQLite/module.modulemap",
    ]
    for name in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      let map = build.appending(path: "\(name).build/module.modulemap").path
      if FileManager.default.fileExists(atPath: map) { arguments += ["-Xcc", "-fmodule-map-file=\(map)"] }
    }
    return try Program(url: URL(filePath: "/usr/bin/env")).run(arguments + [folder.path("Code.swift")])
  }

  @Test(
    "The error says what to capture instead",
    arguments: ["{ $0.trip == trip }", "{ $0.trip == optional }", "{ $0.city == trip.name }"])
  func captured(predicate: String) throws {
    let outcome = try compile(
      "func find(_ trip: Trip, _ optional: Trip?) -> Predicate<Stay> { #Predicate<Stay> \(predicate) }")
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("a predicate cannot capture a model; capture its persistentModelID"))
  }

  @Test("Predicates that capture identifiers and values compile")
  func valid() throws {
    let outcome = try compile(
      """
      func find(_ id: PersistentIdentifier, _ ids: [PersistentIdentifier], _ text: String?) -> [Predicate<Stay>] {
        [
          #Predicate { $0.trip == nil }, #Predicate { $0.trip?.persistentModelID == id },
          #Predicate { $0.trip?.name == text && $0.city == "a" }, #Predicate { ids.contains($0.persistentModelID) },
        ]
      }
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
