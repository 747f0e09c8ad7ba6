import Foundation
import Relational
import SQLiteDriver
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Read-only stores")
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

  @Test("A read-only store can be read")
  func canBeRead() throws {
    let container = try ModelContainer(for: Grown.Item.self, configurations: readOnly)
    #expect(try ModelContext(container).fetch(FetchDescriptor<Grown.Item>()).map(\.title) == ["a"])
  }

  @Test("A save to a read-only store throws and leaves the changes pending")
  func saveThrows() throws {
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

  @Test("A read-only store with another schema is refused")
  func otherSchema() throws {
    try expectRefusal(in: folder) {
      try ModelContainer(for: First.Item.self, Gone.Other.self, configurations: readOnly)
    }
  }

  @Test("A missing read-only store is not created")
  func missingFile() throws {
    let other = try TemporaryFolder()
    let configuration = ModelConfiguration(url: other.file(), allowsSave: false)
    try expectRefusal(in: other) { try ModelContainer(for: First.Item.self, configurations: configuration) }
    #expect(try StoreFiles.contents(of: other.url).isEmpty)
  }

  @Test("An empty file is no read-only store and is not filled")
  func emptyFile() throws {
    let other = try TemporaryFolder()
    try Data().write(to: other.file())
    let configuration = ModelConfiguration(url: other.file(), allowsSave: false)
    try expectRefusal(in: other) { try ModelContainer(for: First.Item.self, configurations: configuration) }
    #expect(try Data(contentsOf: other.file()).isEmpty)
  }

  @Test("A read-only in-memory store is empty and refuses saves")
  func inMemoryStore() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: false)
    let context = ModelContext(try ModelContainer(for: First.Item.self, configurations: configuration))
    context.autosaveEnabled = false
    #expect(try context.fetchCount(FetchDescriptor<First.Item>()) == 0)
    context.insert(First.Item(title: "a"))
    #expect(throws: SwiftDataError.self) { try context.save() }
  }

  /// Root may write everywhere, so the child process gives up its permissions first.
  @Test("A store in a folder without write permission can be read, and not written")
  func folderWithoutPermission() async throws {
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

  @Test("Changes that another process saves in a folder without write permission are visible")
  func otherProcessSaves() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let url = URL(fileURLWithPath: path).appendingPathComponent("test.store")
      try ReadOnlyTests.becomeReader(of: url)
      let container = try ModelContainer(
        for: Grown.Item.self, configurations: ModelConfiguration(url: url, allowsSave: false))
      #expect(try ReadOnlyTests.titles(container) == ["a"])

      try ReadOnlyTests.becomeWriter(of: url)
      try ReadOnlyTests.insert(
        "b", ModelContainer(for: Grown.Item.self, configurations: ModelConfiguration(url: url)))
      try ReadOnlyTests.becomeReader(of: url)
      #expect(try ReadOnlyTests.titles(container) == ["a", "b"])

      // With a write-ahead log that exists during the read.
      try ReadOnlyTests.becomeWriter(of: url)
      let writable = try ModelContainer(for: Grown.Item.self, configurations: ModelConfiguration(url: url))
      try ReadOnlyTests.insert("c", writable)
      try ReadOnlyTests.becomeReader(of: url)
      #expect(try ReadOnlyTests.titles(container) == ["a", "b", "c"])
      try ReadOnlyTests.becomeWriter(of: url)
      withExtendedLifetime(writable) {}
    }
  }

  @Test("A read without locks fails when another process writes to the file during the read")
  func readWithoutLocks() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let url = URL(fileURLWithPath: path).appendingPathComponent("test.store")
      try ReadOnlyTests.becomeReader(of: url)
      let database = try SQLiteDatabase(
        configuration: SQLiteConfiguration(location: .file(url.path), isReadOnly: true))
      let error = #expect(throws: DatabaseError.self) {
        try database.read { connection in
          _ = try connection.tables()
          try ReadOnlyTests.becomeWriter(of: url)
          try StoreFiles.execute("CREATE TABLE later (a)", at: url)
          try ReadOnlyTests.becomeReader(of: url)
        }
      }
      #expect(error?.reason == .busy)
      // No further row is read, because it could be of another state.
      var rowCount = 0
      #expect(throws: DatabaseError.self) {
        try database.read { connection in
          try connection.forEachRow("SELECT value FROM json_each('[1, 2, 3]'), Item") { _ in
            rowCount += 1
            try ReadOnlyTests.becomeWriter(of: url)
            try StoreFiles.execute("CREATE TABLE later\(rowCount) (a)", at: url)
            try ReadOnlyTests.becomeReader(of: url)
          }
        }
      }
      #expect(rowCount == 1)
      #expect(try database.read { try $0.tables() }["later"] != nil)
      try ReadOnlyTests.becomeWriter(of: url)
    }
  }

  /// Takes the write permission from this process; root has to become another user for it.
  private static func becomeReader(of store: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: store.deletingLastPathComponent().path)
    if getuid() == 0 { #expect(seteuid(65534) == 0) }
  }

  private static func becomeWriter(of store: URL) throws {
    if getuid() == 0 { #expect(seteuid(0) == 0) }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: store.deletingLastPathComponent().path)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.path)
  }

  private static func insert(_ title: String, _ container: ModelContainer) throws {
    let context = ModelContext(container)
    context.autosaveEnabled = false
    context.insert(Grown.Item(title: title))
    try context.save()
  }

  private static func titles(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Grown.Item>()).map(\.title).sorted()
  }
}
