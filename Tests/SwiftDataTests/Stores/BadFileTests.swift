import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Files that are no valid store")
struct BadFileTests {
  private let folder: TemporaryFolder
  private var configuration: ModelConfiguration { ModelConfiguration(url: folder.file()) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(for: First.Item.self, configurations: configuration)
  }

  /// Writes a store with enough rows for many pages.
  private func writeStore(count: Int = 500) throws {
    let context = ModelContext(try open())
    for number in 0..<count {
      context.insert(First.Item(title: "\(number) \(String(repeating: "x", count: 200))"))
    }
    try context.save()
  }

  @Test("An empty file becomes a store")
  func emptyFile() throws {
    try Data().write(to: folder.file())
    let context = ModelContext(try open())
    context.insert(First.Item(title: "a"))
    try context.save()
    #expect(try ModelContext(try open()).fetchCount(FetchDescriptor<First.Item>()) == 1)
  }

  @Test("A truncated store is refused and not changed", arguments: [1, 15, 100, 4095, 4096, 20000])
  func truncatedStore(size: Int) throws {
    try writeStore()
    try Data(contentsOf: folder.file()).prefix(size).write(to: folder.file())
    try expectRefusal(in: folder, open)
  }

  @Test(
    "A file of another format is refused and not changed",
    arguments: ["x", "hello", String(repeating: "This is a letter.\n", count: 1000)])
  func otherFormat(text: String) throws {
    try Data(text.utf8).write(to: folder.file())
    let error = try expectRefusal(in: folder, open)
    #expect(error?.details?.hint?.contains("no database") == true)
  }

  @Test("A database of another application is refused and not changed", arguments: ["DELETE", "WAL"])
  func otherApplication(journal: String) throws {
    try makeForeignDatabase(journal)
    let error = try expectRefusal(in: folder, open)
    #expect(error?.details?.message?.contains("letters") == true)
  }

  private func makeForeignDatabase(_ journal: String) throws {
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tool.arguments = [
      "sqlite3", folder.file().path,
      "PRAGMA journal_mode = \(journal); CREATE TABLE letters (a); INSERT INTO letters VALUES (1);",
    ]
    tool.standardOutput = FileHandle.nullDevice
    try tool.run()
    tool.waitUntilExit()
    try #require(tool.terminationStatus == 0)
  }

  @Test("A store of a later format version is refused and not changed", arguments: [true, false])
  func laterFormat(allowsSave: Bool) throws {
    try writeStore(count: 1)
    try StoreFiles.execute(
      "UPDATE swiftdata_metadata SET value = '99' WHERE key = 'format_version'", at: folder.file())
    let error = try expectRefusal(in: folder) {
      try ModelContainer(
        for: First.Item.self, configurations: ModelConfiguration(url: folder.file(), allowsSave: allowsSave))
    }
    #expect(error?.details?.message?.contains("format 99") == true)
  }

  @Test(
    "A store with damaged metadata is refused and not changed",
    arguments: [
      "DELETE FROM swiftdata_metadata", "UPDATE swiftdata_metadata SET value = '{' WHERE key = 'layout'",
      "UPDATE swiftdata_metadata SET value = 'x' WHERE key = 'format_version'",
      "DROP TABLE swiftdata_metadata; CREATE TABLE swiftdata_metadata (other)",
      "DELETE FROM swiftdata_metadata WHERE key = 'store_identifier'",
    ])
  func damagedMetadata(damage: String) throws {
    try writeStore(count: 1)
    try StoreFiles.execute(damage, at: folder.file())
    try expectRefusal(in: folder, open)
  }

  @Test("Missing folders are created")
  func missingFoldersAreCreated() throws {
    let url = folder.url.appendingPathComponent("missing/too/test.store")
    _ = try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(url: url))
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test("A read-only store in a missing folder is refused, and the folder is not created")
  func readOnlyInMissingFolder() throws {
    let url = folder.url.appendingPathComponent("missing/test.store")
    let error = try expectRefusal(in: folder) {
      try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(url: url, allowsSave: false))
    }
    #expect(error?.details?.hint?.contains("folder") == true)
  }

  @Test("A folder at the store's path is refused")
  func folderAtStorePath() throws {
    try expectRefusal(in: folder) {
      try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(url: folder.url))
    }
  }

  @Test("A file at the path of the store's folder is refused")
  func fileAtFolderPath() throws {
    try Data("x".utf8).write(to: folder.file("plain"))
    try expectRefusal(in: folder) {
      try ModelContainer(
        for: First.Item.self, configurations: ModelConfiguration(url: folder.file("plain/test.store")))
    }
  }

  @Test("A damaged page is an error of the fetch that reads it, and nothing is written")
  func damagedPage() throws {
    try writeStore()
    var bytes = try Data(contentsOf: folder.file())
    try #require(bytes.count > 40960)
    bytes.replaceSubrange(24576..<40960, with: Data(repeating: 0xA5, count: 16384))
    try bytes.write(to: folder.file())
    let context = ModelContext(try open())
    context.autosaveEnabled = false
    let error = #expect(throws: SwiftDataError.storeFailure) { try context.fetch(FetchDescriptor<First.Item>()) }
    #expect(error?.details?.storeFailureReason == .corrupt)
    #expect(throws: (any Error).self) { try context.fetchCount(FetchDescriptor<First.Item>()) }
  }

  @Test("A missing table is an error")
  func missingTable() throws {
    try writeStore(count: 1)
    let context = ModelContext(try open())
    context.autosaveEnabled = false
    try StoreFiles.execute("DROP TABLE Item", at: folder.file())
    try expectRefusal(in: folder, open)
    #expect(throws: SwiftDataError.storeFailure) { try context.fetch(FetchDescriptor<First.Item>()) }
    context.insert(First.Item(title: "a"))
    #expect(throws: SwiftDataError.storeFailure) { try context.save() }
    #expect(context.insertedModelsArray.count == 1)
  }

  @Test("A store with an endless view under a table's name is refused")
  func endlessView() throws {
    try writeStore(count: 1)
    try StoreFiles.execute(
      """
      ALTER TABLE Item RENAME TO Other;
      CREATE VIEW Item(_id, title, count) AS
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'a', 1 FROM n
      """, at: folder.file())
    let error = try expectRefusal(in: folder, open)
    #expect(error?.details?.message?.contains("Item") == true)
  }

  @Test(
    "A named pipe at the path of the journal does not block opening, also through a symbolic link",
    arguments: ["-journal", "-wal"])
  func namedPipe(suffix: String) throws {
    try writeStore(count: 1)
    let elsewhere = try TemporaryFolder()
    let link = elsewhere.file("link.store")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file())
    #expect(mkfifo(folder.file().path + suffix, 0o600) == 0)
    for url in [link, folder.file()] {
      let error = #expect(throws: SwiftDataError.self) {
        try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(url: url))
      }
      #expect(error == .loadIssueModelContainer)
    }
  }
}
