import Foundation
import SwiftData
import Testing

@Suite("Stores that are opened for reading only")
struct ReadOnlyTests {
  private let folder: TemporaryFolder
  private var readOnly: ModelConfiguration { ModelConfiguration(url: folder.file(), allowsSave: false) }

  init() throws {
    folder = try TemporaryFolder()
    let writable = ModelConfiguration(url: folder.file())
    let context = ModelContext(try ModelContainer(for: Grown.Item.self, configurations: writable))
    context.insert(Grown.Item(title: "a"))
    try context.save()
  }

  @Test func `They can be read`() throws {
    let container = try ModelContainer(for: Grown.Item.self, configurations: readOnly)
    #expect(try ModelContext(container).fetch(FetchDescriptor<Grown.Item>()).map(\.title) == ["a"])
  }

  @Test func `A save throws and keeps what is pending`() throws {
    let container = try ModelContainer(for: Grown.Item.self, configurations: readOnly)
    let context = ModelContext(container)
    context.autosaveEnabled = false
    context.insert(Grown.Item(title: "b"))
    let before = try Data(contentsOf: folder.file())
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details?.message?.contains("read-only") == true)
    #expect(context.insertedModelsArray.count == 1)
    #expect(throws: (any Error).self) { try container.erase() }
    #expect(try Data(contentsOf: folder.file()) == before)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Grown.Item>()) == 1)
  }

  @Test func `Another schema is refused, because nothing can be changed`() throws {
    try expectRefusal(in: folder) {
      try ModelContainer(for: First.Item.self, Gone.Other.self, configurations: readOnly)
    }
  }

  @Test func `A file that is not there is not made`() throws {
    let other = try TemporaryFolder()
    let configuration = ModelConfiguration(url: other.file(), allowsSave: false)
    try expectRefusal(in: other) { try ModelContainer(for: First.Item.self, configurations: configuration) }
    #expect(try StoreFiles.contents(of: other.url).isEmpty)
  }

  @Test func `An empty file is not filled`() throws {
    let other = try TemporaryFolder()
    try Data().write(to: other.file())
    let configuration = ModelConfiguration(url: other.file(), allowsSave: false)
    try expectRefusal(in: other) { try ModelContainer(for: First.Item.self, configurations: configuration) }
    #expect(try Data(contentsOf: other.file()).isEmpty)
  }

  @Test func `A store in memory that allows no saves is empty and refuses them`() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: false)
    let context = ModelContext(try ModelContainer(for: First.Item.self, configurations: configuration))
    context.autosaveEnabled = false
    #expect(try context.fetchCount(FetchDescriptor<First.Item>()) == 0)
    context.insert(First.Item(title: "a"))
    #expect(throws: SwiftDataError.self) { try context.save() }
  }

  /// Root may write everywhere, so the child gives that up first.
  @Test func `In a folder without permission to write a store is read, and not written`() async throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.file().path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path) }
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      let url = URL(fileURLWithPath: path).appendingPathComponent("test.store")
      let readOnly = try ModelContainer(
        for: Grown.Item.self, configurations: ModelConfiguration(url: url, allowsSave: false))
      #expect(try ModelContext(readOnly).fetch(FetchDescriptor<Grown.Item>()).map(\.title) == ["a"])

      for name in ["test.store", "new.store"] {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name)
        let error = #expect(throws: SwiftDataError.self) {
          try ModelContainer(for: Grown.Item.self, configurations: ModelConfiguration(url: url))
        }
        #expect(error == .loadIssueModelContainer)
        #expect(error?.details?.hint?.contains("writ") == true)
      }
    }
  }
}
