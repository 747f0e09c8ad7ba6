import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Model
final class Entry {
  @Attribute(.unique) var name: String
  var writer: Int
  var lines: [String] = []

  init(_ name: String, writer: Int) {
    self.name = name
    self.writer = writer
  }
}

@Suite("Containers that share a file")
struct SharedFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func open(_ url: URL) throws -> ModelContainer {
    try ModelContainer(for: Entry.self, configurations: ModelConfiguration(url: url))
  }

  private static func write(_ count: Int, by writer: Int, to url: URL) throws {
    let container = try open(url)
    for number in 0..<count {
      let context = ModelContext(container)
      context.autosaveEnabled = false
      context.insert(Entry("\(writer)-\(number)", writer: writer))
      context.insert(Entry("shared-\(number)", writer: writer))
      try context.save()
    }
  }

  @Test(
    "A save to a file that was moved, deleted or replaced is refused, and the changes stay pending",
    arguments: ["deleted", "renamed", "replaced"])
  func changedFile(fate: String) throws {
    let url = folder.file()
    let context = ModelContext(try Self.open(url))
    let entry = Entry("a", writer: 0)
    context.insert(entry)
    try context.save()
    let elsewhere = url.appendingPathExtension("old")
    if fate == "deleted" {
      try FileManager.default.removeItem(at: url)
    } else {
      try FileManager.default.moveItem(at: url, to: elsewhere)
    }
    if fate == "replaced" { try Data("another".utf8).write(to: url) }
    entry.writer = 1
    context.insert(Entry("b", writer: 1))
    let error = #expect(throws: SwiftDataError.storeFailure) { try context.save() }
    #expect(error?.details?.storeFailureReason == .moved)
    #expect(context.changedModelsArray.count == 1)
    #expect(context.insertedModelsArray.count == 1)
    guard fate != "deleted" else { return }
    if fate == "replaced" { try FileManager.default.removeItem(at: url) }
    try FileManager.default.moveItem(at: elsewhere, to: url)
    try context.save()
    #expect(try ModelContext(Self.open(url)).fetch(FetchDescriptor<Entry>()).map(\.writer) == [1, 1])
  }

  @Test("A save to a store whose symbolic link was changed is refused")
  func changedLink() throws {
    let link = folder.file("link.store")
    for name in ["a.store", "b.store"] { try Self.write(1, by: 0, to: folder.file(name)) }
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("a.store"))
    let context = ModelContext(try Self.open(link))
    context.autosaveEnabled = false
    context.insert(Entry("kept", writer: 1))
    try FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("b.store"))
    let error = #expect(throws: SwiftDataError.storeFailure) { try context.save() }
    #expect(error?.details?.storeFailureReason == .moved)
    #expect(context.insertedModelsArray.count == 1)
  }

  @Test("Each of two containers fetches what the other one saved")
  func twoContainers() throws {
    let contexts = try (0..<2).map { _ in ModelContext(try Self.open(folder.file())) }
    // The containers do not observe each other, so that only fetches find changes.
    for context in contexts { context.container.stores[0].stopFollowing() }
    let first = Entry("a", writer: 0)
    contexts[0].insert(first)
    try contexts[0].save()
    let seen = try #require(try contexts[1].fetch(FetchDescriptor<Entry>()).first)
    #expect(seen.persistentModelID == first.persistentModelID)
    seen.lines = ["x"]
    try contexts[1].save()
    #expect(try contexts[0].fetch(FetchDescriptor<Entry>()).first === first)
    #expect(first.lines == ["x"])
    contexts[1].delete(seen)
    try contexts[1].save()
    #expect(try contexts[0].fetch(FetchDescriptor<Entry>()).isEmpty)
    #expect(first.name == "a")
    first.lines = []
    let error = #expect(throws: SwiftDataError.self) { try contexts[0].save() }
    #expect(error == .modelValidationFailure)
    contexts[0].rollback()
  }

  @Test("Containers on several threads lose no write")
  func severalThreads() async throws {
    let url = folder.file()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 { group.addTask { try Self.write(25, by: writer, to: url) } }
      try await group.waitForAll()
    }
    try expectEverything(writers: 4, count: 25)
  }

  @Test("Containers that create one file concurrently share its schema and data")
  func concurrentCreation() async throws {
    for round in 0..<30 {
      let url = folder.file("\(round).store")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 { group.addTask { try Self.write(1, by: writer, to: url) } }
        try await group.waitForAll()
      }
      try expectEverything(writers: 4, count: 1, at: url)
    }
  }

  @Test("Containers in several processes lose no write")
  func severalProcesses() async throws {
    let path = folder.file().path
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [writer = writer as Int, path = path as String] in
            try SharedFileTests.write(25, by: writer, to: URL(fileURLWithPath: path))
          }
          // Shows what ended a writer.
          let said = String(decoding: result?.standardErrorContent.suffix(500) ?? [], as: UTF8.self)
          #expect(!said.contains("Fatal error"), "\(said)")
        }
      }
    }
    try expectEverything(writers: 3, count: 25)
  }

  private func expectEverything(writers: Int, count: Int, at url: URL? = nil) throws {
    let url = url ?? folder.file()
    let entries = try ModelContext(try Self.open(url)).fetch(FetchDescriptor<Entry>())
    let own = Set(entries.map(\.name).filter { !$0.hasPrefix("shared") })
    #expect(own == Set((0..<writers).flatMap { writer in (0..<count).map { "\(writer)-\($0)" } }))
    #expect(entries.count == writers * count + count)
    #expect(Set(entries.map(\.persistentModelID)).count == entries.count)
    #expect(try StoreFiles.texts("PRAGMA integrity_check", at: url) == ["ok"])
  }
}
