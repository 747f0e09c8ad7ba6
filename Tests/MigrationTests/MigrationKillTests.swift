import Foundation
import HelperPrograms
import MigrationTestModels
import SwiftData
import Testing

@testable import TestSupport

/// Kills programs that migrate a store, and runs them beside programs that have the store open or migrate it too.
///
/// `OSD_KILL_ROUNDS` is the number of kills, half of them by each test, `OSD_MIGRATION_ROWS` the number of rows, and `OSD_SEED`
/// the random seed.
@Suite("Migrations in other processes", .serialized)
struct MigrationKillTests {
  private static let seed = TestOptions.seed
  private static let rounds = TestOptions.killRounds / 2
  private static let rows = TestOptions.migrationRows

  // MARK: Kills

  @Test("A store whose migration was killed is completely old or new, and can be migrated to the last version")
  func killsAtRandomMoments() async throws {
    var random = SeededGenerator(seed: Self.seed)
    let template = try writtenStore(guests: Self.rows)
    let first = Hotel.expectedFirstLines(guests: Self.rows)
    let last = Hotel.expectedLastLines(guests: Self.rows)
    let duration = try undisturbedDuration(template)
    var (old, new) = (0, 0)
    for round in 0..<Self.rounds {
      let delay = Double.random(in: 0...1.3, using: &random) * duration
      let isFirst = round == 0
      let isLast = !isFirst && round == Self.rounds - 1
      let folder = try copy(of: template)
      let program = try start("migrate", folder, guests: Self.rows)
      // Kills the first program before it starts, the others at any moment, and the last one not at all.
      if !isFirst, !isLast { try await Task.sleep(for: .seconds(delay)) }
      if !isLast { program.send(SIGKILL) }
      let ending = try program.end()
      var findings = Findings()
      let isNew = await examine(folder, after: ending, first, last, &findings)
      if isNew { new += 1 } else { old += 1 }
      guard findings.all.isEmpty else {
        let text = findings.all.joined(separator: "; ")
        Issue.record("OSD_SEED=\(Self.seed), round \(round), after \(delay) of \(duration) seconds: \(text)")
        return
      }
    }
    #expect(Self.rounds < 2 || (old > 0 && new > 0))
  }

  /// The seconds that a program takes without being killed.
  private func undisturbedDuration(_ template: TemporaryFolder, _ mode: String = "migrate") throws -> Double {
    let folder = try copy(of: template)
    let beginning = Date.now
    let ending = try start(mode, folder, guests: Self.rows).end()
    #expect(ending.isOrderly, "\(ending.complaint)")
    return Date.now.timeIntervalSince(beginning)
  }

  /// The errors found in a store.
  private struct Findings {
    private(set) var all: [String] = []

    mutating func add(_ finding: String) {
      all.append(finding)
    }

    mutating func compare(_ lines: [String], with expected: [String], _ moment: String) {
      if lines == expected { return }
      let place = zip(lines, expected).first { $0.0 != $0.1 }
      let difference = place.map { "\"\($0.0)\" instead of \"\($0.1)\"" } ?? "the others are equal"
      add("\(moment): \(lines.count) lines instead of \(expected.count), \(difference)")
    }
  }

  /// Checks a store whose migration has ended or was killed.
  ///
  /// - Returns: Whether the store has the last version.
  private func examine(
    _ folder: TemporaryFolder, after ending: HelperProcess.Ending, _ first: [String], _ last: [String],
    _ findings: inout Findings
  ) async -> Bool {
    let isKilled = ending.reason == .uncaughtSignal && ending.status == SIGKILL
    if !ending.isOrderly, !isKilled { findings.add("it ended with \(ending.status): \(ending.complaint)") }
    var isNew = false
    do {
      // Reads the number of the version before anything can change it.
      let version = try StoreFiles.texts(
        "SELECT value FROM swiftdata_metadata WHERE key = 'schema_version'", at: folder.file())
      isNew = version == ["4.0.0"]
      if isNew {
        try findings.compare(lastLines(folder), with: last, "new")
      } else if version == ["1.0.0"] {
        if !ending.output.isEmpty { findings.add("it is old, and the program was done") }
        try findings.compare(firstLines(folder), with: first, "old")
      } else {
        findings.add("it has the version \(version)")
      }
      for flaw in try flaws(of: folder) { findings.add("before the next migration: \(flaw)") }
      try findings.compare(lastLines(folder, by: HotelPlan.self), with: last, "at last")
      for flaw in try flaws(of: folder) { findings.add("at last: \(flaw)") }
      // A file stays while a reader may use a snapshot that names it.
      if try await !comesTrue({ try externalFiles(folder).count == Hotel.lastFileCount }) {
        let files = try externalFiles(folder)
        findings.add("it has the files \(files)")
      }
    } catch {
      findings.add("\(error)")
    }
    return isNew
  }

  @Test("A killed rehearsal leaves its copy in the temporary folder, and nothing beside the store")
  func killedRehearsals() async throws {
    let guests = 40
    let folder = try writtenStore(guests: guests)
    let before = try StoreFiles.contents(of: folder.url)
    for _ in 0..<3 {
      let temporary = try TemporaryFolder()
      let program = try start("rehearse", folder, guests: guests, environment: ["TMPDIR": temporary.url.path])
      // The last stage has written some by then.
      let hasFiles = await comesTrue { (try? externalFiles(temporary))?.isEmpty == false }
      program.send(SIGKILL)
      let ending = try program.end()
      #expect(hasFiles, "\(ending.complaint)")
      #expect(ending.reason == .uncaughtSignal && ending.status == SIGKILL, "\(ending.complaint)")
      #expect(try StoreFiles.contents(of: folder.url) == before)
    }
    #expect(try firstLines(folder) == Hotel.expectedFirstLines(guests: guests))
    #expect(try flaws(of: folder) == [])
  }

  @Test("After a killed migration of two stores both are old, or both become new when opened")
  func killsOfTwoStores() async throws {
    var random = SeededGenerator(seed: Self.seed)
    let template = try writtenStore(guests: Self.rows, "fillApart")
    let first = Hotel.expectedFirstLines(guests: Self.rows)
    let last = Hotel.expectedLastLines(guests: Self.rows)
    let duration = try undisturbedDuration(template, "migrateApart")
    for round in 0..<Self.rounds {
      // The stores are replaced at the end.
      let delay = Double.random(in: (round % 2 == 0 ? 0 : 0.7)...1.1, using: &random) * duration
      let folder = try copy(of: template)
      let program = try start("migrateApart", folder, guests: Self.rows)
      // Not at an event, because the program may be killed at any moment.
      try await Task.sleep(for: .seconds(delay))
      program.send(SIGKILL)
      let ending = try program.end()
      var findings = Findings()
      let isKilled = ending.reason == .uncaughtSignal && ending.status == SIGKILL
      if !ending.isOrderly, !isKilled { findings.add("it ended with \(ending.status): \(ending.complaint)") }
      do {
        try await examinePair(folder, first, last, &findings)
      } catch {
        findings.add("\(error)")
      }
      guard findings.all.isEmpty else {
        let text = findings.all.joined(separator: "; ")
        Issue.record("OSD_SEED=\(Self.seed), round \(round), after \(delay) of \(duration) seconds: \(text)")
        return
      }
    }
  }

  /// Checks two stores whose migration has ended or was killed.
  private func examinePair(
    _ folder: TemporaryFolder, _ first: [String], _ last: [String], _ findings: inout Findings
  ) async throws {
    let store = folder.file()
    let (old, new) = (["1.0.0", "1"], ["4.0.0", "4"])
    // The version of one store, and the remarks in the other, whose shape is the same in all versions.
    func state() throws -> [String] {
      try StoreFiles.texts("SELECT value FROM swiftdata_metadata WHERE key = 'schema_version'", at: store)
        + StoreFiles.texts("SELECT CAST(COUNT(*) AS TEXT) FROM HotelRemark", at: Hotel.remarks(besides: store))
    }
    let found = try state()
    let isDecided = try paths(folder).contains { $0.hasSuffix("/commit.json") }
    if found == old {
      // A read-only opening changes nothing.
      let container = try Hotel.open(HotelV1.self, at: store, isApart: true, allowsSave: false)
      try findings.compare(Hotel.firstLines(in: ModelContext(container)), with: first, "old")
      try container.close()
    } else {
      if found != new, !isDecided { findings.add("the stores are \(found)") }
      let container = try Hotel.open(HotelV4.self, at: store, isApart: true)
      try findings.compare(Hotel.lastLines(in: ModelContext(container)), with: last, "new")
      try container.close()
    }
    let container = try Hotel.open(HotelV4.self, at: store, isApart: true, by: HotelPlan.self)
    try findings.compare(Hotel.lastLines(in: ModelContext(container)), with: last, "at last")
    let ended = try state()
    if ended != new { findings.add("at last the stores are \(ended)") }
    for flaw in try flaws(of: folder) { findings.add("at last: \(flaw)") }
    // A file stays while a reader may use a snapshot that names it.
    if try await !comesTrue({ try externalFiles(folder).count == Hotel.lastFileCount }) {
      let files = try externalFiles(folder)
      findings.add("it has the files \(files)")
    }
  }

  // MARK: Several programs

  @Test("A program with the store open gets typed errors after a migration, and can reopen the store")
  func holdingProgram() throws {
    let guests = 40
    let folder = try writtenStore(guests: guests)
    let last = Hotel.expectedLastLines(guests: guests)
    let program = try start("hold", folder, guests: guests)
    let greeting = String(decoding: program.nextOutput(), as: UTF8.self)
    #expect(greeting == "ready\n")
    #expect(try lastLines(folder, by: HotelPlan.self) == last)
    try program.writeLine("migrated")
    let ending = try program.end()
    #expect(ending.isOrderly, "\(ending.status) \(ending.complaint)")
    let said = String(decoding: ending.output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(said == ["fetch: loadIssueModelContainer", "save: loadIssueModelContainer"] + last)
    #expect(try lastLines(folder) == last)
    #expect(try flaws(of: folder) == [])
  }

  @Test("Two programs that migrate a store concurrently both succeed, and the stages run once")
  func twoPrograms() throws {
    let guests = 500
    let template = try writtenStore(guests: guests)
    let last = Hotel.expectedLastLines(guests: guests)
    for round in 0..<5 {
      let folder = try copy(of: template)
      let programs = try (0..<2).map { _ in try start("migrateOnRequest", folder, guests: guests) }
      for program in programs {
        let greeting = String(decoding: program.nextOutput(), as: UTF8.self)
        #expect(greeting == "ready\n")
      }
      for program in programs { try program.writeLine("begin") }
      for program in programs {
        let ending = try program.end()
        #expect(ending.isOrderly, "round \(round): \(ending.status) \(ending.complaint)")
        #expect(String(decoding: ending.output, as: UTF8.self) == "done\n")
      }
      #expect(try lastLines(folder) == last)
      #expect(try flaws(of: folder) == [])
    }
  }

  // MARK: Stores

  private func start(
    _ mode: String, _ folder: TemporaryFolder, guests: Int, environment: [String: String] = [:]
  ) throws -> HelperProcess {
    try HelperProcess("MigrationTestProgram", [folder.file().path, mode, "\(guests)"], environment: environment)
  }

  /// A store of the first version, written by a program that has ended.
  private func writtenStore(guests: Int, _ mode: String = "fill") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let ending = try start(mode, folder, guests: guests).end()
    try #require(ending.isOrderly, "\(ending.status) \(ending.complaint)")
    return folder
  }

  private func copy(of template: TemporaryFolder) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.removeItem(at: folder.url)
    try FileManager.default.copyItem(at: template.url, to: folder.url)
    return folder
  }

  private func firstLines(_ folder: TemporaryFolder) throws -> [String] {
    try Hotel.firstLines(in: ModelContext(Hotel.open(HotelV1.self, at: folder.file())))
  }

  private func lastLines(
    _ folder: TemporaryFolder, by plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> [String] {
    try Hotel.lastLines(in: ModelContext(Hotel.open(HotelV4.self, at: folder.file(), by: plan)))
  }

  /// Errors that SQLite finds, and working copies that are left.
  private func flaws(of folder: TemporaryFolder) throws -> [String] {
    let damages = try StoreFiles.texts("PRAGMA integrity_check", at: folder.file()).filter { $0 != "ok" }
    let references = try StoreFiles.texts("PRAGMA foreign_key_check", at: folder.file())
    let leftovers = try paths(folder).filter { $0.contains(".migration") }
    return damages + references.map { "a row of \($0) refers to none" } + leftovers.map { "\($0) is left" }
  }

  /// The files of external values.
  private func externalFiles(_ folder: TemporaryFolder) throws -> [String] {
    try paths(folder).filter { $0.contains("_EXTERNAL_DATA/") }
  }

  private func paths(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
  }
}
