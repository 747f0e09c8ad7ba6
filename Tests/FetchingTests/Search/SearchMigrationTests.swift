import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Migrating search indexes")
struct SearchMigrationTests {
  typealias Plain = SearchedVersions.Plain.Note
  typealias Indexed = SearchedVersions.Indexed.Note
  typealias Renamed = SearchedVersions.Renamed.Note
  typealias Rebuilt = SearchedVersions.Rebuilt.Note
  typealias Changed = SearchedVersions.Changed.Note

  private let store: SearchStore
  private static let parts = ["", "_delete", "_insert", "_update"].map { "swiftdata_search_Note_text\($0)" }

  init() throws {
    store = try SearchStore()
  }

  private func writePlain() throws {
    let context = try store.open(Plain.self)
    for text in ["Straßenbahn", "strassenbahn", "Tram"] { context.insert(Plain(text)) }
    try context.save()
    #expect(try store.parts() == [])
  }

  private func found(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Indexed>(predicate: #Predicate { $0.text.localizedStandardContains("ENBA") }))
      .map(\.text).sorted()
  }

  /// Opens the store again, which must change nothing.
  private func expectDone(_ type: any PersistentModel.Type, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let version = try StoreFiles.texts("PRAGMA schema_version", at: store.url)
    _ = try store.open(type)
    #expect(try StoreFiles.texts("PRAGMA schema_version", at: store.url) == version, sourceLocation: sourceLocation)
  }

  @Test("A property that becomes searchable gets an index of its old values, which is dropped with the option")
  func addedAndRemoved() throws {
    try writePlain()
    let context = try store.open(Indexed.self)
    #expect(try store.parts() == Self.parts)
    try store.expectIndex(of: "text", in: "Note")
    #expect(try found(context) == ["Straßenbahn", "strassenbahn"])
    #expect(try !context.searchIndexes(#Predicate<Indexed> { $0.text.contains("abc") }).isEmpty)
    try expectDone(Indexed.self)

    let plain = try store.open(Plain.self)
    #expect(try store.parts() == [])
    #expect(
      try StoreFiles.texts("SELECT name FROM sqlite_master WHERE name LIKE 'swiftdata_search%'", at: store.url) == [])
    plain.insert(Plain("abc"))
    try plain.save()
    try expectDone(Plain.self)
  }

  @Test("An index follows a property to its new name")
  func renaming() throws {
    try writePlain()
    _ = try store.open(Indexed.self)
    let context = try store.open(Renamed.self)
    #expect(try store.parts().first == "swiftdata_search_Note_title")
    #expect(try store.parts().count == 4)
    context.insert(Renamed("Eisenbahn"))
    try context.save()
    try store.expectIndex(of: "title", in: "Note")
    let matches = FetchDescriptor<Renamed>(predicate: #Predicate { $0.title.localizedStandardContains("ENBA") })
    #expect(try context.fetchCount(matches) == 3)
    try expectDone(Renamed.self)
  }

  @Test("A rebuilt table keeps its search index and updates it as before")
  func rebuilding() throws {
    try writePlain()
    _ = try store.open(Indexed.self)
    let context = try store.open(Rebuilt.self)
    #expect(try store.parts() == Self.parts)
    try store.expectIndex(of: "text", in: "Note")
    for note in try context.fetch(FetchDescriptor<Rebuilt>()) where note.text == "Tram" { note.text = "Eisenbahn" }
    context.insert(Rebuilt("Rasenbank"))
    try context.save()
    try store.expectIndex(of: "text", in: "Note")
    let matches = FetchDescriptor<Rebuilt>(predicate: #Predicate { $0.text.localizedStandardContains("ENBA") })
    #expect(try context.fetchCount(matches) == 4)
    try expectDone(Rebuilt.self)
  }

  @Test("Other columns are added and removed without changing the index, and a new one's default is indexed")
  func otherColumns() throws {
    try writePlain()
    _ = try store.open(Indexed.self)
    let context = try store.open(Changed.self)
    try store.expectIndex(of: "text", in: "Note")
    try store.expectIndex(of: "added", in: "Note")
    let matches = FetchDescriptor<Changed>(predicate: #Predicate { $0.added.contains("thing add") })
    #expect(try context.fetchCount(matches) == 3)
    context.insert(Changed("Eisenbahn"))
    try context.save()
    try store.expectIndex(of: "text", in: "Note")
    try expectDone(Changed.self)
    _ = try store.open(Indexed.self)
    #expect(try store.parts() == Self.parts)
    try store.expectIndex(of: "text", in: "Note")
  }

  @Test("Migration steps drop indexes before other changes and create them after")
  func steps() throws {
    func table(_ name: String, _ column: String, original: String? = nil) -> TableDefinition {
      var text = TableDefinition.Column(name: column, type: .text, isNullable: false)
      text.originalName = original ?? ""
      var table = TableDefinition(
        name: name,
        columns: [.init(name: "_id", type: .integer, isNullable: false, isPrimaryKey: true), text])
      table.searches = [.init(name: "swiftdata_search_\(name)_\(column)", column: column, function: "f")]
      return table
    }
    let (old, new) = (table("Note", "text"), table("Note", "title", original: "text"))
    let search = try #require(old.searches?.first)
    let other = try #require(new.searches?.first)
    #expect(try LayoutChange.changes(from: [old], to: [old]).get() == [])
    #expect(
      try LayoutChange.changes(from: [old], to: [new]).get() == [
        .dropSearch(search), .dropSearch(other), .renameColumn(table: "Note", from: "text", to: "title"),
        .createSearch(other, on: new),
      ])
    var nullable = old
    nullable.columns[1].isNullable = true
    #expect(
      try LayoutChange.changes(from: [old], to: [nullable]).get() == [
        .rebuildTable(nullable), .keepSearch(search, of: nullable),
      ])
    var rules = old
    rules.searches?[0].function = "g"
    let steps = try LayoutChange.changes(from: [old], to: [rules]).get()
    #expect(steps.count == 2 && steps.allSatisfy(\.keepsModels))
    // A table may have the name of a new index, or of one in a damaged store's layout.
    var named = table(search.name, "x")
    named.searches = nil
    #expect(try LayoutChange.changes(from: [old, named], to: [rules, named]).get().filter(\.dropsSearch) == [])
  }

  @Test("An index that an earlier release did not record is recreated")
  func afterEarlierRelease() throws {
    try writePlain()
    _ = try store.open(Indexed.self, folding: FoldingFunction(name: "swiftdata_folded_other") { $1($0) })
    var tables = StoreLayout(schema: Schema([Indexed.self]), entities: [0]).tables
    tables[0].searches = nil
    let literal = SQLiteDialect().literal(try SchemaRecord.text(of: tables))
    try StoreFiles.execute("UPDATE swiftdata_metadata SET value = \(literal) WHERE key = 'layout'", at: store.url)
    #expect(try found(store.open(Indexed.self, allowsSave: false)) == ["Straßenbahn", "strassenbahn"])
    #expect(try found(store.open(Indexed.self)) == ["Straßenbahn", "strassenbahn"])
    try store.expectIndex(of: "text", in: "Note")
    try expectDone(Indexed.self)
  }

  // MARK: Other programs with the store open

  @Test("A program that opened the store before it had an index still writes to it")
  func openBefore() throws {
    try writePlain()
    let earlier = try store.open(Plain.self)
    earlier.insert(Plain("Seilbahn"))
    try earlier.save()
    let context = try store.open(Indexed.self)
    #expect(try found(context) == ["Straßenbahn", "strassenbahn"])
    for note in try earlier.fetch(FetchDescriptor<Plain>()) {
      switch note.text {
      case "Seilbahn": note.text = "Eisenbahn"
      case "Straßenbahn": earlier.delete(note)
      default: break
      }
    }
    earlier.insert(Plain("Hasenbank"))
    try earlier.save()
    #expect(try found(context) == ["Eisenbahn", "Hasenbank", "strassenbahn"])
    try store.expectIndex(of: "text", in: "Note")
  }

  @Test("A program that uses an index gets an error after another one dropped it")
  func droppedByOthers() throws {
    try writePlain()
    let context = try store.open(Indexed.self)
    #expect(try found(context).count == 2)
    _ = try store.open(Plain.self)
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try found(context) }
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try context.fetchCount(FetchDescriptor<Indexed>()) }
    context.insert(Indexed("Eisenbahn"))
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try context.save() }
  }

  @Test("An index with other rules is recreated, and programs that use it get an error")
  func otherRules() throws {
    let other = FoldingFunction(name: "swiftdata_folded_other") { text, body in
      let reversed = Array(text.reversed())
      reversed.withUnsafeBytes(body)
    }
    try writePlain()
    let context = try store.open(Indexed.self)
    #expect(try found(context).count == 2)
    let others = try store.open(Indexed.self, folding: other)
    #expect(
      try StoreFiles.texts("SELECT sql FROM sqlite_master WHERE type = 'trigger'", at: store.url)
        .allSatisfy { $0.contains("swiftdata_folded_other(") })
    #expect(try others.fetchCount(FetchDescriptor<Indexed>(predicate: #Predicate { $0.text.contains("Tram") })) == 1)
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try found(context) }
    #expect(try found(store.open(Indexed.self)).count == 2)
    try store.expectIndex(of: "text", in: "Note")
  }

  @Test("A program whose schema has no index gets an error when it cannot write by the index's rules")
  func unknownRules() throws {
    try writePlain()
    let plain = try store.open(Plain.self)
    _ = try store.open(
      Indexed.self, folding: FoldingFunction(name: "swiftdata_folded_other") { text, body in body(text) })
    #expect(try plain.fetchCount(FetchDescriptor<Plain>()) == 3)
    plain.insert(Plain("abc"))
    let error = #expect(throws: SwiftDataError.self) { try plain.save() }
    #expect(error?.details?.message?.contains("swiftdata_folded_other") == true)
  }

  @Test("A read-only store of an earlier schema or with other rules is searched without the index")
  func readOnly() throws {
    try writePlain()
    var before = try StoreFiles.contents(of: store.folder.url)
    let reader = try store.open(Indexed.self, allowsSave: false)
    #expect(try reader.searchIndexes(#Predicate<Indexed> { $0.text.contains("abc") }) == [])
    #expect(try found(reader) == ["Straßenbahn", "strassenbahn"])
    #expect(try StoreFiles.contents(of: store.folder.url) == before)

    _ = try store.open(Indexed.self, folding: FoldingFunction(name: "swiftdata_folded_other") { $1($0) })
    before = try StoreFiles.contents(of: store.folder.url)
    let other = try store.open(Indexed.self, allowsSave: false)
    #expect(try other.searchIndexes(#Predicate<Indexed> { $0.text.contains("abc") }) == [])
    #expect(try found(other) == ["Straßenbahn", "strassenbahn"])
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
  }

  @Test("Layouts of earlier releases can be decoded, and equal those without searchable texts")
  func earlierLayouts() throws {
    let schema = Schema([Plain.self])
    let tables = StoreLayout(schema: schema, entities: [0]).tables
    let text = try SchemaRecord.text(of: tables)
    #expect(!text.contains("searches"))
    #expect(try JSONDecoder().decode([TableDefinition].self, from: Data(text.utf8))[0].searches == nil)
    let indexed = StoreLayout(schema: Schema([Indexed.self]), entities: [0]).tables
    let record = try SchemaRecord.text(of: indexed)
    #expect(
      try JSONDecoder().decode([TableDefinition].self, from: Data(record.utf8))[0].searches == indexed[0].searches)
  }
}
