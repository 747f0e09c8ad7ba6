import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Search indexes damaged by another program")
struct SearchDamageTests {
  typealias Note = SearchedVersions.Indexed.Note

  private let store: SearchStore
  private static let index = "swiftdata_search_Note_text"

  init() throws {
    store = try SearchStore()
    let context = try store.open(Note.self)
    for text in ["Straßenbahn", "strassenbahn", "Tram"] { context.insert(Note(text)) }
    try context.save()
  }

  private func found(_ context: ModelContext) throws -> Int {
    try context.fetchCount(FetchDescriptor<Note>(predicate: #Predicate { $0.text.localizedStandardContains("ENBA") }))
  }

  static let damages = [
    "DROP TABLE \(index)", "DROP TRIGGER \(index)_insert", "DROP TRIGGER \(index)_update",
    "DROP TRIGGER \(index)_delete", "DROP TABLE \(index)_data", "DROP TABLE \(index)_idx", "DROP TABLE \(index)_config",
    "DROP TABLE \(index)_data; DROP TABLE \(index)_idx; DROP TABLE \(index)_config",
    "DROP TABLE \(index); CREATE TABLE \(index) (text)",
    "DROP TABLE \(index); CREATE VIRTUAL TABLE \(index) USING fts5(text)",
    "DROP TABLE \(index); CREATE VIRTUAL TABLE \(index) USING fts5(\"text\", content = 'Note')",
    "DROP TRIGGER \(index)_insert; CREATE TRIGGER \(index)_insert AFTER INSERT ON Note BEGIN DELETE FROM Note; END",
    "UPDATE \(index)_data SET block = X'FFFFFFFFFF'", "DELETE FROM \(index)_data", "DELETE FROM \(index)_config",
    "UPDATE \(index)_config SET v = 99",
    "DROP TABLE \(index)_config; CREATE TABLE \(index)_config (x)",
  ]

  @Test(
    "A damaged index is rebuilt when the store is opened for writing, and not used when it is opened for reading",
    arguments: damages
  )
  func rebuilt(damage: String) throws {
    try store.execute(damage)
    let before = try StoreFiles.contents(of: store.folder.url)
    #expect(try found(store.open(Note.self, allowsSave: false)) == 2)
    #expect(try StoreFiles.contents(of: store.folder.url) == before)

    let context = try store.open(Note.self)
    #expect(try found(context) == 2)
    context.insert(Note("Hasenbau"))
    try context.save()
    #expect(try found(context) == 3)
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 4)
    try store.expectIndex(of: "text", in: "Note")
    #expect(try store.parts().count == 4)
  }

  static let deepDamages = [
    "DELETE FROM \(index)_data WHERE id > 10",
    "UPDATE \(index)_data SET block = substr(block, 1, 20) WHERE id > 10",
    // FTS5 accepts this as an index without texts, until it writes to it.
    "UPDATE \(index)_data SET block = zeroblob(1600) WHERE id = 10",
  ]

  @Test(
    "Index damage that only a search or a save detects is reported as such, and the index is rebuilt",
    arguments: deepDamages, [true, false])
  func deepDamage(damage: String, isSearched: Bool) throws {
    let context = try store.open(Note.self)
    for number in 0..<400 { context.insert(Note("some text, number \(number)")) }
    try context.save()
    try context.container.close()
    try store.execute(damage)

    func use(_ context: ModelContext) throws {
      if isSearched {
        let count = try context.fetchCount(
          FetchDescriptor<Note>(predicate: #Predicate { $0.text.contains("number 39") }))
        #expect(count == 11 || damage == Self.deepDamages[2])
      } else {
        for note in try context.fetch(FetchDescriptor<Note>()) { note.text += "!" }
        try context.save()
      }
    }
    let damaged = try store.open(Note.self)
    do {
      // FTS5 need not read the damaged part.
      try use(damaged)
    } catch let error as SwiftDataError {
      #expect(error == .loadIssueModelContainer)
      #expect(error.details?.message?.contains(Self.index) == true)
      try use(damaged)
      #expect(try found(damaged) == 2)
      try store.expectIndex(of: "text", in: "Note")
      damaged.insert(Note("Hasenbau"))
      try damaged.save()
      #expect(try found(damaged) == 3)
      #expect(try found(store.open(Note.self)) == 3)
      try store.expectIndex(of: "text", in: "Note")
      let burrow = FetchDescriptor<Note>(predicate: #Predicate { $0.text == "Hasenbau" })
      damaged.delete(try #require(damaged.fetch(burrow).first))
      try damaged.save()
    }
    #expect(try StoreFiles.texts("SELECT count(*) FROM Note", at: store.url) == ["403"])
  }

  @Test("Index damage detected inside a transaction is a store error, and the next use reports the index")
  func deepDamageInTransaction() throws {
    try store.execute("UPDATE \(Self.index)_data SET block = substr(block, 1, 8) WHERE id > 10")
    let context = try store.open(Note.self)
    let failure = #expect(throws: SwiftDataError.storeFailure) { try context.transaction { _ = try found(context) } }
    #expect(failure?.details?.storeFailureReason == .corrupt)
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try found(context) }
    var count = 0
    try context.transaction { count = try found(context) }
    #expect(count == 2)
    #expect(try found(context) == 2)
  }

  @Test("When two containers detect the same index damage, it is rebuilt once and both continue")
  func deepDamageForTwo() throws {
    try store.execute("UPDATE \(Self.index)_data SET block = substr(block, 1, 8) WHERE id > 10")
    let contexts = [try store.open(Note.self), try store.open(Note.self)]
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try found(contexts[0]) }
    let definitions = try store.parts()
    #expect(try found(contexts[1]) == 2)
    for context in contexts {
      context.insert(Note("Hasenbau"))
      try context.save()
    }
    #expect(try found(contexts[0]) == 4)
    #expect(try store.parts() == definitions)
    try store.expectIndex(of: "text", in: "Note")
  }

  @Test("Damage of a table is reported as damage of the store each time, not of its index")
  func damagedTable() throws {
    let context = try store.open(Note.self)
    for number in 0..<400 { context.insert(Note("some text, number \(number)")) }
    try context.save()
    try context.container.close()
    var bytes = try Data(contentsOf: store.url)
    let page = Int(try StoreFiles.texts("PRAGMA page_size", at: store.url)[0]) ?? 4096
    let query = "SELECT rootpage FROM sqlite_master WHERE name = 'Note'"
    let root = Int(try StoreFiles.texts(query, at: store.url)[0]) ?? 0
    let start = (root - 1) * page
    bytes.replaceSubrange(start..<start + 64, with: Data(repeating: 0xEE, count: 64))
    try bytes.write(to: store.url)
    let damaged = try store.open(Note.self)
    for _ in 0..<2 {
      let error = #expect(throws: SwiftDataError.storeFailure) { try damaged.fetch(FetchDescriptor<Note>()) }
      #expect(error?.details?.storeFailureReason == .corrupt)
    }
  }

  @Test("A read-only store with a damaged index throws the store's error, and is not changed")
  func deepDamageReadOnly() throws {
    try store.execute("UPDATE \(Self.index)_data SET block = substr(block, 1, 8) WHERE id > 10")
    let before = try StoreFiles.contents(of: store.folder.url)
    let error = #expect(throws: SwiftDataError.storeFailure) { try found(store.open(Note.self, allowsSave: false)) }
    #expect(error?.details?.storeFailureReason == .corrupt)
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
  }

  @Test("A row written without the index triggers is found once the store is opened again")
  func withoutTriggers() throws {
    for event in ["insert", "update", "delete"] { try store.execute("DROP TRIGGER \(Self.index)_\(event)") }
    try StoreFiles.execute("INSERT INTO Note (text, other) VALUES ('Hasenbau', '')", at: store.url)
    #expect(try found(store.open(Note.self, allowsSave: false)) == 3)
    #expect(try found(store.open(Note.self)) == 3)
  }

  @Test("A view in place of an index is refused")
  func view() throws {
    try store.execute("DROP TABLE \(Self.index); CREATE VIEW \(Self.index) AS SELECT 1 AS rowid")
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try store.open(Note.self) }
    #expect(try found(store.open(Note.self, allowsSave: false)) == 2)
  }

  @Test("A read-only context throws when the index is changed while the store is open", arguments: damages.prefix(8))
  func changedWhileRead(damage: String) throws {
    let context = try store.open(Note.self, allowsSave: false)
    #expect(try found(context) == 2)
    try store.execute(damage)
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try found(context) }
    #expect(try found(store.open(Note.self, allowsSave: false)) == 2)
  }

  @Test(
    "A context throws on reading and saving when the index is changed while the store is open",
    arguments: damages.prefix(12))
  func changedWhileOpen(damage: String) throws {
    let context = try store.open(Note.self)
    #expect(try found(context) == 2)
    try store.execute(damage)
    let other = ModelContext(context.container)
    other.autosaveEnabled = false
    for context in [context, other] {
      let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try found(context) }
      #expect(error?.details?.hint?.contains("ModelContainer") == true)
      context.insert(Note("Hasenbau"))
      #expect(throws: SwiftDataError.loadIssueModelContainer) { try context.save() }
    }
    let next = try store.open(Note.self)
    #expect(try found(next) == 2)
    // The index is as before, so the first container continues.
    try context.save()
    #expect(try found(next) == 3)
  }

  @Test("Foreign triggers on an indexed table are refused for writing, and ignored for reading")
  func foreignTriggers() throws {
    let context = try store.open(Note.self)
    try store.execute("CREATE TRIGGER mine AFTER INSERT ON Note BEGIN DELETE FROM Note; END")
    context.insert(Note("Hasenbau"))
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try context.save() }
    #expect(error?.details?.message?.contains("mine") == true)
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try store.open(Note.self) }
    #expect(try found(store.open(Note.self, allowsSave: false)) == 2)
    try store.execute("DROP TRIGGER mine")
    try context.save()
    #expect(try found(store.open(Note.self)) == 3)
  }

  @Test("Another program can read an indexed table, and can write to it once it has dropped the triggers")
  func tools() throws {
    #expect(try StoreFiles.texts("SELECT text FROM Note ORDER BY text LIMIT 1", at: store.url) == ["Straßenbahn"])
    let insertion = "INSERT INTO Note (text, other) VALUES ('Hasenbau', '')"
    let error = #expect(throws: DatabaseError.self) { try StoreFiles.execute(insertion, at: store.url) }
    #expect(error != nil)
    try StoreFiles.execute("UPDATE Note SET other = 'x'", at: store.url)
    try store.execute(insertion)
    #expect(try found(store.open(Note.self)) == 3)
  }

  @Test("Values that are not valid text are indexed as a search reads them")
  func brokenValues() throws {
    let values = [
      "X'FF'", "CAST(X'61FF626364' AS TEXT)", "CAST(X'EDA080616263' AS TEXT)", "CAST(X'610062006300' AS TEXT)", "12345",
      "X'616263'", "CAST(X'C3616263' AS TEXT)", "''",
    ]
    for value in values { try store.execute("INSERT INTO Note (text, other) VALUES (\(value), '')") }
    try store.expectIndex(of: "text", in: "Note")
    let context = try store.open(Note.self)
    func count(_ pattern: String) throws -> Int {
      try context.fetchCount(FetchDescriptor<Note>(predicate: #Predicate { $0.text.contains(pattern) }))
    }
    #expect(try count("bcd") == 1)
    #expect(try count("\u{fffd}bcd") == 1)
    #expect(try count("abc") == 2)
    #expect(try count("a\0b\0c") == 1)
    #expect(try count("234") == 1)
    try store.execute("UPDATE Note SET text = X'00FF' WHERE text LIKE '%bcd%'; UPDATE Note SET text = text || 'bcd'")
    try store.expectIndex(of: "text", in: "Note")
    try store.execute("UPDATE Note SET _id = _id + 100; DELETE FROM Note WHERE _id > 105")
    try store.expectIndex(of: "text", in: "Note")
  }

  @Test("A store whose metadata names a model's table as an index keeps the table")
  func falseRecord() throws {
    try store.execute(
      "UPDATE swiftdata_metadata SET value = replace(value, '\(Self.index)', 'Note') WHERE key = 'layout'")
    let context = try? store.open(Note.self)
    if let context { #expect(try context.fetchCount(FetchDescriptor<Note>()) == 3) }
    #expect(try StoreFiles.texts("SELECT count(*) FROM Note", at: store.url) == ["3"])
  }
}
