import FaultyDriver
import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// The store that the first release with a format wrote for `First.Item`.
private enum FirstFormat {
  static func write(to url: URL) throws {
    func column(_ name: String, _ type: String, _ meaning: String, isKey: Bool = false, default value: String? = nil)
      -> String
    {
      let value = value.map { "\"defaultValue\":{\"integer\":{\"_0\":\($0)}}," } ?? ""
      return """
        {\(value)"isNullable":false,"isPrimaryKey":\(isKey),"meaning":"\(meaning)","name":"\(name)",\
        "originalName":"\(isKey ? "" : name)","type":"\(type)"}
        """
    }
    let columns = [
      column("_id", "integer", "", isKey: true), column("title", "text", "String"),
      column("count", "integer", "Int", default: "0"),
    ]
    let layout = """
      [{"columns":[\(columns.joined(separator: ","))],"compositePrimaryKey":[],"indexes":[],"kinds":["Item"],\
      "name":"Item","relationships":{}}]
      """
    try StoreFiles.execute(
      """
      CREATE TABLE "swiftdata_metadata" ("key" TEXT NOT NULL, "value" TEXT NOT NULL, PRIMARY KEY ("key")) WITHOUT ROWID;
      CREATE TABLE "swiftdata_sequences" ("name" TEXT NOT NULL, "last" INTEGER NOT NULL, PRIMARY KEY ("name")) WITHOUT ROWID;
      CREATE TABLE "Item" ("_id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "count" INTEGER NOT NULL DEFAULT 0);
      INSERT INTO swiftdata_metadata VALUES
        ('format_version', '1'), ('store_identifier', '6E3B8F6A-4C1B-4B0E-9E1E-0123456789AB'),
        ('schema_version', '1.0.0'), ('schema_hash', '\(Schema([First.Item.self]).versionHash)'),
        ('layout', '\(layout)'), ('layout_identifier', 'first');
      INSERT INTO swiftdata_sequences VALUES ('Item', 7);
      INSERT INTO Item VALUES (1, 'a', 10), (2, 'b', 20);
      """, at: url)
  }
}

@Suite("Stores of an earlier format")
struct FormatUpgradeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FirstFormat.write(to: folder.file())
  }

  private func open<Model: PersistentModel>(_ type: Model.Type, allowsSave: Bool = true) throws -> ModelContainer {
    try ModelContainer(
      for: type, configurations: ModelConfiguration(url: folder.file(), allowsSave: allowsSave))
  }

  private func value(_ key: String) throws -> String? {
    try StoreFiles.texts("SELECT value FROM swiftdata_metadata WHERE key = '\(key)'", at: folder.file()).first
  }

  private func items(_ container: ModelContainer) throws -> [String] {
    try container.freshContext().all(First.Item.self, by: \.title).map { "\($0.title) \($0.count)" }
  }

  @Test("A store of format 1 keeps its models, identifier and keys, and is upgraded to the current format")
  func storeFormat1() throws {
    let container = try open(First.Item.self)
    #expect(try items(container) == ["a 10", "b 20"])
    #expect(try value("format_version") == "3")
    #expect(try value("kept_values") == "[]")
    #expect(try value("schema")?.contains("\"title\"") == true)
    #expect(try value("store_identifier") == "6E3B8F6A-4C1B-4B0E-9E1E-0123456789AB")
    #expect(try value("layout_identifier") == "first", "containers that have it open keep working")
    let context = container.freshContext()
    context.insert(First.Item(title: "c"))
    try context.save()
    #expect(try StoreFiles.texts("SELECT _id FROM Item WHERE title = 'c'", at: folder.file()) == ["8"])
  }

  @Test("A store of format 1 is migrated to another schema in the same opening")
  func migrationInSameOpening() throws {
    let container = try open(Grown.Item.self)
    let items = try container.freshContext().all(Grown.Item.self, by: \.title)
    #expect(items.map(\.count) == [10, 20])
    #expect(items.map(\.rating) == [3, 3])
    #expect(try value("format_version") == "3")
  }

  @Test("A read-only store of format 1 is read and not changed")
  func readOnlyStore() throws {
    let before = try StoreFiles.contents(of: folder.url)
    do {
      let container = try open(First.Item.self, allowsSave: false)
      #expect(try items(container) == ["a 10", "b 20"])
    }
    #expect(try StoreFiles.contents(of: folder.url) == before)
    try expectRefusal(in: folder) { try open(Grown.Item.self, allowsSave: false) }
  }

  @Test("There is an upgrade from each earlier format")
  func upgradeFromEachFormat() {
    #expect(FormatUpgrade.all.map(\.version) == Array(1..<StoreMetadata.currentFormat))
  }

  @Test("An upgrade that fails at any statement leaves the store unchanged", arguments: [true, false])
  func failedUpgrade(isGrown: Bool) throws {
    let before = try StoreFiles.contents(of: folder.url)
    let faults = CallFailures()
    let wrap: @Sendable (any Database) -> any Database = { faults.wrap($0) }
    for call in 0..<500 {
      faults.fail(call...call)
      do {
        try DatabaseInterception.$wrap.withValue(wrap) {
          if isGrown { _ = try open(Grown.Item.self) } else { _ = try open(First.Item.self) }
        }
        #expect(faults.stop() == 0, "a failure was ignored")
        #expect(call > 10)
        #expect(try value("format_version") == "3")
        return
      } catch {
        #expect(error as? SwiftDataError == .loadIssueModelContainer)
        faults.stop()
        try #require(try StoreFiles.contents(of: folder.url) == before, "call \(call)")
      }
    }
    #expect(Bool(false), "it never ends")
  }

  @Test("A format version that never existed is refused", arguments: ["0", "-1"])
  func unknownFormat(format: String) throws {
    try StoreFiles.execute(
      "UPDATE swiftdata_metadata SET value = '\(format)' WHERE key = 'format_version'", at: folder.file())
    try expectRefusal(in: folder) { try open(First.Item.self) }
  }

  @Test("Two containers that open a store of format 1 upgrade it once")
  func twoContainers() throws {
    let url = folder.file()
    let other: @Sendable () throws -> Void = {
      try DatabaseInterception.$wrap.withValue(nil) {
        _ = try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(url: url))
      }
    }
    let wrap: @Sendable (any Database) -> any Database = { PrecededDatabase($0, event: other) }
    let container = try DatabaseInterception.$wrap.withValue(wrap) { try open(First.Item.self) }
    #expect(try items(container) == ["a 10", "b 20"])
    #expect(try value("format_version") == "3")
  }
}
