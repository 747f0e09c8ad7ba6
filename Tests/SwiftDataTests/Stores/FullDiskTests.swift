import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("A full disk")
struct FullDiskTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func fill(_ context: ModelContext, count: Int = 2000) {
    for number in 0..<count {
      context.insert(First.Item(title: "\(number) \(String(repeating: "x", count: 500))"))
    }
  }

  @Test("A save on a full disk throws, and the context keeps its pending changes")
  func save() throws {
    let container = try ModelContainer(
      for: First.Item.self, configurations: ModelConfiguration(url: folder.file()))
    let context = ModelContext(container)
    context.autosaveEnabled = false
    let first = First.Item(title: "first")
    context.insert(first)
    try context.save()

    let store = try #require(container.core.stores[0] as? RelationalStore)
    try store.database.withoutTransaction { try $0.execute("PRAGMA max_page_count = 20") }
    first.title = "changed"
    Self.fill(context)
    let error = #expect(throws: SwiftDataError.storeFailure) { try context.save() }
    #expect(error?.details?.storeFailureReason == .diskFull)
    #expect(context.insertedModelsArray.count == 2000)
    #expect(context.changedModelsArray.count == 1)
    #expect(try ModelContext(container).fetch(FetchDescriptor<First.Item>()).map(\.title) == ["first"])

    try store.database.withoutTransaction { try $0.execute("PRAGMA max_page_count = 100000") }
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<First.Item>()) == 2001)
    #expect(!context.hasChanges)
  }

  /// Runs in a file system and namespace of its own, if the system permits it to unprivileged processes.
  @Test(
    "Opening or saving on a disk of a few kilobytes throws, and saved data is kept",
    .enabled(if: SmallDisk.isAvailable), arguments: [64, 700])
  func smallDisk(kilobytes: Int) async throws {
    let disk = try SmallDisk(at: folder.url, kilobytes: kilobytes)
    defer { disk.remove() }
    let url = folder.file()
    do {
      let container = try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(url: url))
      let context = ModelContext(container)
      context.autosaveEnabled = false
      context.insert(First.Item(title: "first"))
      try context.save()
      Self.fill(context)
      let error = #expect(throws: SwiftDataError.storeFailure) { try context.save() }
      #expect([.diskFull, .other].contains(error?.details?.storeFailureReason), "\(String(describing: error))")
      #expect(context.insertedModelsArray.count == 2000)
      context.rollback()
      #expect(try ModelContext(container).fetch(FetchDescriptor<First.Item>()).map(\.title) == ["first"])
    } catch {
      #expect(kilobytes < 700, "\(error)")
      #expect(
        (error as? SwiftDataError)?.details?.storeFailureReason == .diskFull
          || error as? SwiftDataError == .loadIssueModelContainer)
    }
    if kilobytes >= 700 {
      let container = try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(url: url))
      #expect(try ModelContext(container).fetch(FetchDescriptor<First.Item>()).map(\.title) == ["first"])
    }
  }

  @Test("A large value that exceeds the disk leaves no file", .enabled(if: SmallDisk.isAvailable))
  func largeValue() throws {
    let disk = try SmallDisk(at: folder.url, kilobytes: 1024)
    defer { disk.remove() }
    let container = try ModelContainer(for: Photo.self, configurations: ModelConfiguration(url: folder.file()))
    let context = ModelContext(container)
    context.autosaveEnabled = false
    context.insert(Photo("small", Data([1])))
    try context.save()
    context.insert(Photo("large", Data(count: 3_000_000), code: 1))
    let error = #expect(throws: SwiftDataError.storeFailure) { try context.save() }
    #expect(error?.details?.storeFailureReason == .diskFull)
    let files = ExternalFiles(store: folder.file()).folder
    let left = (try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? []
    #expect(left == [])
    #expect(try ModelContext(container).fetch(FetchDescriptor<Photo>()).map(\.name) == ["small"])
  }
}
