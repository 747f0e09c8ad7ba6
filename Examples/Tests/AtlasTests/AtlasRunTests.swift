import Foundation
import Testing

@testable import Atlas

@Suite("The Atlas program")
struct AtlasRunTests {
  @Test("The program imports, then updates what it imported")
  func runningTwice() throws {
    let folder = try TemporaryFolder()
    let tables = try ZoneTables(folder: URL(filePath: "/usr/share/zoneinfo"))
    let counts = "\(tables.countries.count) countries and \(tables.zones.count) time zones"
    let store = folder.path("atlas.store")

    let first = try Program.atlas.run("--store", store)
    #expect(first.status == 0)
    #expect(first.errors.isEmpty)
    #expect(first.output.contains(store))
    #expect(first.output.contains("The store is new."))
    #expect(first.output.contains("Now it holds \(counts)"))

    let second = try Program.atlas.run("--store", store)
    #expect(second.status == 0)
    #expect(second.errors.isEmpty)
    #expect(second.output.contains("The store was here already, with \(counts)."))
    #expect(second.output.contains("Now it holds \(counts)"))
    #expect(second.output.contains("\(tables.rowCount) rows updated in place, 0 added: nothing is there twice."))

    // The output after the import must not depend on whether rows were inserted or updated.
    #expect(first.output.section(from: "Most time zones") == second.output.section(from: "Most time zones"))
  }

  @Test("The program shows the contents of the machine's tables")
  func results() throws {
    let outcome = try Program.atlas.run("--memory")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let output = outcome.output
    #expect(output.contains("United States"))
    #expect(output.contains("New Zealand, Åland Islands") || output.contains("Åland Islands, New Zealand"))
    #expect(output.contains("France, Japan, New Zealand"))
    #expect(output.contains("3 countries, 0 left"))
    #expect(output.contains("CH DE LI  →  CH LI"))
    #expect(output.contains("Rolled back: the links are as before."))
  }

  @Test("The program adds and updates rows when the tables change")
  func changedTables() throws {
    let folder = try TemporaryFolder()
    let arguments = ("--store", folder.path("atlas.store"), "--zoneinfo", folder.url.path)
    func run() throws -> Program.Outcome {
      try Program.atlas.run(arguments.0, arguments.1, arguments.2, arguments.3)
    }
    try folder.write("CH\tSwitzerland\n", to: "iso3166.tab")
    try folder.write("CH\t+4723+00832\tEurope/Zurich\n", to: "zone1970.tab")
    #expect(try run().output.contains("Now it holds 1 country and 1 time zone,"))

    try folder.write("CH\tSchweiz\nDE\tDeutschland\n", to: "iso3166.tab")
    try folder.write("CH,DE\t+4723+00832\tEurope/Zurich\n", to: "zone1970.tab")
    let output = try run().output
    #expect(output.contains("2 rows updated in place, 1 added"))
    #expect(output.contains("1  Deutschland"))
    #expect(output.contains("1  Schweiz"))
    #expect(!output.contains("Switzerland"))
  }

  @Test("With --history the program shows what its own run changed")
  func history() throws {
    let folder = try TemporaryFolder()
    try folder.write("CH\tSwitzerland\nDE\tGermany\n", to: "iso3166.tab")
    try folder.write("CH\t+4723+00832\tEurope/Zurich\n", to: "zone1970.tab")
    let arguments = ["--store", folder.path("atlas.store"), "--zoneinfo", folder.url.path, "--history"]
    let first = try #require(try Program.atlas.run(arguments).output.section(from: "History of this run"))
    #expect(first.contains("3 inserted"))
    #expect(first.contains("transaction 1 of atlas ("))
    let second = try #require(try Program.atlas.run(arguments).output.section(from: "History of this run"))
    #expect(!second.contains("inserted") && !second.contains("transaction 1 of"))
  }

  @Test("With --memory the program writes no store")
  func memory() throws {
    let home = try TemporaryFolder()
    let outcome = try Program.atlas.run(
      "--memory", environment: ["HOME": home.url.path, "XDG_DATA_HOME": home.path("data")])
    #expect(outcome.status == 0)
    #expect(try home.contents().isEmpty)
  }

  @Test("Without a path, the store is in the user's data folder")
  func defaultStore() throws {
    let home = try TemporaryFolder()
    let environment = ["HOME": home.url.path, "XDG_DATA_HOME": home.path("data")]
    let outcome = try Program.atlas.run(environment: environment)
    #expect(outcome.status == 0)
    #expect(try Program.atlas.run(environment: environment).output.contains("The store was here already"))
    let store = try #require(try home.contents().keys.first { $0.hasSuffix("/Atlas.store") })
    #expect(outcome.output.contains(home.path(store)))
  }

  @Test("The program explains its options")
  func help() throws {
    let outcome = try Program.atlas.run("--help")
    #expect(outcome.status == 0)
    for option in ["--store", "--memory", "--postgres", "--zoneinfo", "--search"] {
      #expect(outcome.output.contains(option))
    }
  }
}

@Suite("Errors print one message, exit with code 1 and leave the store unchanged")
struct AtlasFailureTests {
  private func expectFailure(
    _ outcome: Program.Outcome, mentioning parts: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == 1, sourceLocation: sourceLocation)
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(outcome.errors.contains(part), "\(outcome.errors)", sourceLocation: sourceLocation)
    }
  }

  @Test("The folder of a store is created")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("nowhere/atlas.store")
    #expect(try Program.atlas.run("--store", store, "--search", "Berlin").status == 0)
    #expect(FileManager.default.fileExists(atPath: store))
  }

  @Test("A store in a folder that cannot be created is refused")
  func fileInsteadOfFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("A note.\n", to: "nowhere")
    let before = try folder.contents()
    let store = folder.path("nowhere/atlas.store")
    expectFailure(try Program.atlas.run("--store", store), mentioning: store)
    #expect(try folder.contents() == before)
  }

  @Test("A store that is a folder is refused")
  func folderAsStore() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.atlas.run("--store", folder.url.path)
    expectFailure(outcome, mentioning: folder.url.path + " is a folder")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test("A file that is not a store is refused")
  func foreignFile() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "Dear diary, today I met a database.\n", count: 200), to: "diary.txt")
    let before = try folder.contents()
    expectFailure(try Program.atlas.run("--store", folder.path("diary.txt")), mentioning: folder.path("diary.txt"))
    #expect(try folder.contents() == before)
  }

  @Test("A store whose pages are damaged is refused")
  func damagedStore() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("atlas.store")
    #expect(try Program.atlas.run("--store", store).status == 0)
    for file in try folder.contents().keys where file != "atlas.store" {
      try FileManager.default.removeItem(at: folder.url.appending(path: file))
    }
    var bytes = try Data(contentsOf: URL(filePath: store))
    // The header is intact: the file still identifies itself as a database.
    bytes.replaceSubrange(100..<bytes.count, with: repeatElement(0xA5, count: bytes.count - 100))
    try bytes.write(to: URL(filePath: store))
    expectFailure(try Program.atlas.run("--store", store), mentioning: store)
    #expect(try Data(contentsOf: URL(filePath: store)) == bytes)
  }

  @Test("A table with a malformed line is refused")
  func malformedTable() throws {
    let folder = try TemporaryFolder()
    let store = try TemporaryFolder()
    try folder.write("CH\tSwitzerland\n", to: "iso3166.tab")
    try folder.write("CH\t+4723+00832\tEurope/Zurich\n", to: "zone1970.tab")
    let path = store.path("atlas.store")
    #expect(try Program.atlas.run("--store", path, "--zoneinfo", folder.url.path).status == 0)
    let before = try store.contents()

    try folder.write("# codes\nCH\t+4723+00832\tEurope/Zurich\nCH\t+47231\tEurope/Busingen\n", to: "zone1970.tab")
    let outcome = try Program.atlas.run("--store", path, "--zoneinfo", folder.url.path)
    expectFailure(outcome, mentioning: folder.path("zone1970.tab") + ":3:", "+47231")
    #expect(try store.contents() == before)
  }

  @Test("A database that cannot be reached is reported without its password")
  func unreachableServer() throws {
    let folder = try TemporaryFolder()
    let url = "postgresql:///atlas?host=\(folder.url.path)&password=secret"
    let outcome = try Program.atlas.run("--postgres", url)
    expectFailure(outcome, mentioning: "PostgreSQL")
    #expect(!outcome.errors.contains("secret"))
  }

  @Test("A folder without the tables is refused")
  func missingTables() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.atlas.run("--store", folder.path("atlas.store"), "--zoneinfo", folder.path("tz"))
    expectFailure(outcome, mentioning: folder.path("tz/iso3166.tab"), "no such file")
    #expect(try folder.contents().isEmpty)
  }
}

@Suite("Atlas without a terminal")
struct AtlasOutputTests {
  @Test("Output to a file has no control characters")
  func controlCharacters() throws {
    let outcome = try Program.atlas.run("--memory", environment: ["TERM": "xterm-256color"])
    #expect(!outcome.output.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
  }

  @Test("Output that cannot be written ends the program with an error")
  func fullOutput() throws {
    let shell = Program(url: URL(filePath: "/bin/sh"))
    let outcome = try shell.run("-c", "exec \"$0\" --memory >/dev/full", Program.atlas.url.path)
    #expect(outcome.status == EX_IOERR)
    #expect(outcome.errors.hasPrefix("Error: the output cannot be written"))
  }
}

extension String {
  /// The text from a heading on.
  fileprivate func section(from heading: String) -> Substring? {
    range(of: heading).map { self[$0.lowerBound...] }
  }
}
