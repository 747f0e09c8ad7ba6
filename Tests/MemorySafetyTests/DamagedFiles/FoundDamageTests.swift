import Foundation
import StoreFuzzer
import SwiftData
import Testing

@testable import TestSupport

/// Damage found by review or by the fuzzer, which had crashed the process, hung it or lost data.
@Suite("Known kinds of harmful damage", .serialized)
struct FoundDamageTests {
  private let folder: TemporaryFolder
  private let store: URL

  init() throws {
    folder = try TemporaryFolder()
    store = try StoreTemplate(in: folder.file("template")).copy(to: folder.file("store"), withLog: false)
  }

  private var external: URL { StoreTemplate.externalFolder(of: store) }

  private func open() throws -> ModelContext {
    let context = ModelContext(try ModelContainer(for: Museum.schema, configurations: ModelConfiguration(url: store)))
    context.autosaveEnabled = false
    return context
  }

  private func damage(_ sql: String) throws {
    try RawStore(store).execute(sql)
  }

  @Test(
    "Known damage causes errors, and leaves unaffected rows as they are",
    arguments: [
      "UPDATE Visit SET _id = 9223372036854775807 WHERE _id = 7",
      "UPDATE Exhibit SET _id = 9223372036854775807 WHERE _id = 7",
      "UPDATE Room SET _id = 4611686018427387903 WHERE _id = 2",
      "INSERT OR REPLACE INTO swiftdata_sequences (name, last) VALUES ('Visit', 9223372036854775807)",
      "INSERT OR REPLACE INTO swiftdata_sequences (name, last) VALUES ('Exhibit_tags', 9223372036854775807)",
      "UPDATE Exhibit_tags SET tags_position = 9223372036854775807",
    ])
  func everything(sql: String) throws {
    try damage(sql)
    let exercise = StoreExercise(store)
    exercise.run()
    #expect(exercise.complaints.isEmpty)
  }

  @Test("An impossible foreign key does not prevent other saves, and goes when the store is erased")
  func foreignKey() throws {
    try damage("UPDATE Visit SET _id = 9223372036854775807 WHERE _id = 7")
    let context = try open()
    context.insert(Museum.Visit(day: .distantPast, guests: 9999))
    try context.save()
    #expect(try RawStore(store).texts("SELECT _id FROM Visit WHERE guests = 9999") == ["301"])
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.fetch(FetchDescriptor<Museum.Visit>()) }
    try context.container.erase()
    let later = try open()
    later.insert(Museum.Visit(day: .distantPast, guests: 1))
    try later.save()
    #expect(try later.fetchCount(FetchDescriptor<Museum.Visit>()) == 1)
  }

  @Test("An exhausted identifier sequence is reported as such")
  func exhaustedSequence() throws {
    try damage("INSERT OR REPLACE INTO swiftdata_sequences (name, last) VALUES ('Visit', 9223372036854775807)")
    let context = try open()
    context.insert(Museum.Visit(day: .distantPast, guests: 1))
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(error?.details?.message?.contains("Visit") == true)
    #expect(error?.details?.hint?.contains("swiftdata_sequences") == true)
    #expect(context.insertedModelsArray.count == 1)
    #expect(try context.fetch(FetchDescriptor<Museum.Visit>()).count == 301)
  }

  @Test(
    "A pipe, link, huge file or folder in place of an external file is not read as a value",
    arguments: ["pipe", "endless", "huge", "folder"])
  func externalFile(kind: String) throws {
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: external.path).sorted().first)
    let file = "\(external.lastPathComponent)/\(name)"
    let path = ".\(store.lastPathComponent)_SUPPORT/\(file)"
    let damage: StoreDamage =
      switch kind {
      case "pipe": .makePipe(file: path)
      case "endless": .link(file: path, to: "/dev/zero")
      case "huge": .stretch(file: path, to: 1 << 43)
      default: .makeFolder(file: path)
      }
    damage.apply(to: store)
    let error = #expect(throws: SwiftDataError.modelValidationFailure) {
      try open().fetch(FetchDescriptor<Museum.Exhibit>())
    }
    #expect(error?.details?.property == "picture")
    #expect(error?.details?.underlyingError != nil)
  }

  @Test(
    "A pipe in place of the database, its journal or its write-ahead log is refused",
    arguments: ["", "-journal", "-wal"])
  func pipe(suffix: String) throws {
    StoreDamage.makePipe(file: store.lastPathComponent + suffix).apply(to: store)
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try open() }
    #expect(error?.details?.hint?.isEmpty == false)
  }

  @Test(
    "A text that only begins like a decimal is not a decimal",
    arguments: ["12abc", "1.2.3", ".", "-", "e5", "0x10", "P502125 12.5x", "P502125 ", "1e", "1e99999999999999999999"])
  func decimal(text: String) throws {
    try damage("UPDATE Exhibit SET price = '\(text)' WHERE _id = 3")
    let error = #expect(throws: SwiftDataError.modelValidationFailure) {
      try open().fetch(FetchDescriptor<Museum.Exhibit>())
    }
    #expect(error?.details?.property == "price")
  }

  @Test("Opening a store keeps an external file whose name in the row is damaged")
  func damagedName() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: external.path).sorted()
    try damage("UPDATE Exhibit SET picture = upper(picture) || 'x' WHERE typeof(picture) = 'text' AND _id < 20")
    _ = try open()
    #expect(try FileManager.default.contentsOfDirectory(atPath: external.path).sorted() == before)
  }
}
