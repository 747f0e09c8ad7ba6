import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Files that are not what they say of themselves")
struct StoreDriftTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  /// What is found, and that looking for it changes nothing.
  private func findings(_ models: any PersistentModel.Type...) throws -> [String] {
    let before = try StoreFiles.contents(of: store.folder.url)
    let findings = try ModelContainer.storeDrift(
      for: Schema(models), configurations: ModelConfiguration(url: store.url))
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
    return findings.map(\.description)
  }

  @Test("Tables and indexes that are gone are told, and indexes that nobody has written down")
  func tables() throws {
    try store.open([Grown.Item.self]).close()
    #expect(try findings(Grown.Item.self) == [])
    try StoreFiles.execute(
      """
      DROP INDEX Item_title; CREATE INDEX Item_other ON Item (count); ALTER TABLE Owner RENAME TO Keeper
      """, at: store.url)
    #expect(
      try findings(Grown.Item.self).sorted() == [
        "Item: The file has an index Item_other that nobody has written down.",
        "Item: The file lacks the index Item_title.", "Owner: The file has no such table.",
      ])
  }

  @Test("Columns of another type are told, and those that may be null")
  func columns() throws {
    try store.open([First.Item.self]).close()
    try StoreFiles.execute(
      """
      DROP TABLE Item; CREATE TABLE Item (_id INTEGER PRIMARY KEY, title BLOB, count INTEGER NOT NULL)
      """, at: store.url)
    #expect(
      try findings(First.Item.self) == [
        "Item.title: The column is BLOB in the file, and TEXT is asked for.",
        "Item.title: The column may be null in the file.",
      ])
  }

  @Test("A hash that is not that of the schema beside it is told")
  func hash() throws {
    try store.open([First.Item.self]).close()
    try StoreFiles.execute("UPDATE swiftdata_metadata SET value = '?' WHERE key = 'schema_hash'", at: store.url)
    #expect(
      try findings(First.Item.self) == [
        "The schema that the store has written down is not the one of its hash.",
        "The store has another version of the schema.",
      ])
  }
}
