import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Drift between a file and its metadata")
struct StoreDriftTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  /// The findings; checks that the search changes nothing.
  private func findings(_ models: any PersistentModel.Type...) throws -> [String] {
    let before = try StoreFiles.contents(of: store.folder.url)
    let findings = try MigrationInspector(
      for: Schema(models), configurations: ModelConfiguration(url: store.url)
    ).drift()
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
    return findings.map(\.description)
  }

  @Test("Missing tables and indexes are reported, and unknown indexes")
  func tables() throws {
    try store.open([Grown.Item.self]).close()
    #expect(try findings(Grown.Item.self) == [])
    try StoreFiles.execute(
      """
      DROP INDEX Item_title; CREATE INDEX Item_other ON Item (count); ALTER TABLE Owner RENAME TO Keeper
      """, at: store.url)
    #expect(
      try findings(Grown.Item.self).sorted() == [
        "Item: The store has an index Item_other that is not recorded.",
        "Item: The store lacks the index Item_title.", "Owner: The store has no such table.",
      ])
  }

  @Test("Columns with another type are reported, and ones that may be null")
  func columns() throws {
    try store.open([First.Item.self]).close()
    try StoreFiles.execute(
      """
      DROP TABLE Item; CREATE TABLE Item (_id INTEGER PRIMARY KEY, title BLOB, count INTEGER NOT NULL)
      """, at: store.url)
    #expect(
      try findings(First.Item.self) == [
        "Item.title: The column is BLOB in the store instead of TEXT.",
        "Item.title: The column may be null in the store.",
      ])
  }

  @Test("A hash that does not match the stored schema is reported")
  func hash() throws {
    try store.open([First.Item.self]).close()
    try StoreFiles.execute("UPDATE swiftdata_metadata SET value = '?' WHERE key = 'schema_hash'", at: store.url)
    #expect(
      try findings(First.Item.self) == [
        "The recorded schema of the store does not match its hash.",
        "The store has another version of the schema.",
      ])
  }
}
