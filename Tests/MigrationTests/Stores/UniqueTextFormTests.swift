import FaultyDriver
import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Texts that become unique")
struct UniqueTextFormTests {
  private typealias Plain = Spelled.Sign
  private typealias Sign = UniqueSpelled.Sign
  private let store: MigratingStore
  private let composed = Spelled.composed
  private let decomposed = Spelled.decomposed

  init() throws {
    store = try MigratingStore()
  }

  private func save(_ models: [any PersistentModel], as types: [any PersistentModel.Type]) throws {
    let context = ModelContext(try store.open(types))
    context.autosaveEnabled = false
    func insert(_ model: some PersistentModel) { context.insert(model) }
    for model in models { insert(model) }
    try context.save()
  }

  /// Converts the store to format 2 of `UniqueSpelled`, in which texts are stored as they were given.
  private func makeFormat2(_ changes: String = "") throws {
    var tables = StoreLayout(schema: Schema([Sign.self]), entities: [0]).tables
    for column in tables[0].columns.indices { tables[0].columns[column].isNormalized = nil }
    let layout = SQLiteDialect().literal(try SchemaRecord.text(of: tables))
    try StoreFiles.execute(
      """
      UPDATE swiftdata_metadata SET value = '2' WHERE key = 'format_version';
      UPDATE swiftdata_metadata SET value = \(layout) WHERE key = 'layout';
      \(changes)
      """, at: store.url)
  }

  /// The bytes of a column, in the order of the counts.
  private func bytes(_ column: String) throws -> [String] {
    try store.texts("SELECT hex(\"\(column)\") FROM Sign ORDER BY count")
  }

  private func bytes(of texts: String...) -> [String] {
    texts.map { $0.utf8.map { String(format: "%02X", $0) }.joined() }
  }

  private func value(_ key: String) throws -> String? {
    try store.texts("SELECT value FROM swiftdata_metadata WHERE key = '\(key)'").first
  }

  /// Checks that an inserted model becomes the first row, and that a fetch finds it, by either form of its title.
  private func expectOneTitle(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let container = try store.open([Sign.self])
    for (count, title) in [decomposed, composed].enumerated() {
      let context = container.freshContext()
      context.insert(Sign(title, tag: "t\(count)", count: -count))
      try context.save()
      let found = try container.freshContext().fetch(FetchDescriptor<Sign>(predicate: #Predicate { $0.title == title }))
      #expect(found.map(\.count) == [-count], sourceLocation: sourceLocation)
      #expect(found.first?.persistentModelID.id.key == 1, sourceLocation: sourceLocation)
    }
  }

  @Test("A store of format 2 gets its unique texts normalized with their rows, and then has format 3")
  func format2() throws {
    try save(
      [Sign("a", tag: "x", street: "1", count: 1), Sign("b", count: 2), Sign("c\u{327}", count: 3)], as: [Sign.self])
    try makeFormat2(
      """
      UPDATE Sign SET title = '\(decomposed)', tag = '\u{1100}\u{1161}', spot_street = 'e\u{301}' WHERE count = 1;
      UPDATE Sign SET title = '\u{212a}' WHERE count = 2;
      """)
    let identifier = try value("layout_identifier")
    _ = try store.open([Sign.self])
    #expect(try bytes("title") == bytes(of: composed, "K", "\u{e7}"))
    #expect(try bytes("tag") == bytes(of: "\u{ac00}", "", ""))
    #expect(try bytes("spot_street") == bytes(of: "\u{e9}", "", ""))
    #expect(try value("format_version") == "3")
    #expect(try value("layout_identifier") != identifier, "who has it open notices")
    try expectOneTitle()
  }

  @Test("Texts of a property that becomes unique are normalized, and others stay")
  func laterVersion() throws {
    try save(
      [
        Plain(decomposed, tag: decomposed, street: decomposed, count: 1),
        Plain("\u{1f468}\u{200d}\u{1f469}", tag: nil, street: decomposed, count: 2),
      ], as: [Plain.self])
    #expect(try bytes("title").first == bytes(of: decomposed).first)
    _ = try store.open([Sign.self])
    #expect(try bytes("title") == bytes(of: composed, "\u{1f468}\u{200d}\u{1f469}"))
    #expect(try bytes("tag") == bytes(of: composed, ""))
    #expect(try bytes("spot_street") == bytes(of: composed, composed))
    try expectOneTitle()
  }

  @Test("A property that is unique again has its texts of meanwhile normalized")
  func uniqueAgain() throws {
    try save([Sign("a", count: 1)], as: [Sign.self])
    try save([Plain(decomposed, tag: "x", street: decomposed, count: 0)], as: [Plain.self])
    #expect(try bytes("title") == bytes(of: decomposed, "a"))
    _ = try store.open([Sign.self])
    #expect(try bytes("title") == bytes(of: composed, "a"))
    #expect(try bytes("spot_street") == bytes(of: composed, ""))
  }

  @Test("A removed property that is restored as unique has its texts normalized")
  func removedProperty() throws {
    try save([Plain(decomposed, tag: decomposed, street: "s", count: 1)], as: [Plain.self])
    _ = try store.open([Untitled.Sign.self])
    _ = try store.open([Sign.self])
    #expect(try bytes("title") == bytes(of: composed))
    #expect(try bytes("tag") == bytes(of: composed))
    try expectOneTitle()
  }

  @Test("Unique texts with one normalized form are reported, and nothing is changed", arguments: [true, false])
  func clash(isFormat2: Bool) throws {
    if isFormat2 {
      try save([Sign(composed, count: 1), Sign("b", count: 2)], as: [Sign.self])
      try makeFormat2("UPDATE Sign SET title = '\(decomposed)' WHERE count = 2")
    } else {
      try save([Plain(decomposed, count: 1), Plain(composed, count: 2)], as: [Plain.self])
    }
    let error = try expectRefusal(in: store.folder) { try store.open([Sign.self]) }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.property) == ["title"])
    #expect(issues.first?.entity == "Sign")
    guard isFormat2 else { return }
    let reader = try ModelContainer(
      for: Sign.self, configurations: ModelConfiguration(url: store.url, allowsSave: false))
    #expect(try reader.freshContext().fetchCount(FetchDescriptor<Sign>()) == 2)
    try StoreFiles.execute("DELETE FROM Sign WHERE count = 2", at: store.url)
    try expectOneTitle()
  }

  @Test("Texts with one normalized form in a compound constraint are reported", arguments: [true, false])
  func compoundClash(isFormat2: Bool) throws {
    if isFormat2 {
      try save(
        [Sign("a", tag: composed, street: "s", count: 1), Sign("b", tag: "b", street: "s", count: 2)], as: [Sign.self])
      try makeFormat2("UPDATE Sign SET tag = '\(decomposed)' WHERE count = 2")
    } else {
      try save(
        [Plain("a", tag: composed, street: "s", count: 1), Plain("b", tag: decomposed, street: "s", count: 2)],
        as: [Plain.self])
    }
    let error = try expectRefusal(in: store.folder) { try store.open([Sign.self]) }
    #expect(error?.details?.issues.map(\.message).joined().contains("tag and spot.street") == true)
  }

  @Test("A constraint that is removed does not prevent the opening")
  func formerConstraint() throws {
    try save([Sign(composed, tag: "x", count: 1), Sign("b", tag: "y", count: 2)], as: [Sign.self])
    try makeFormat2("UPDATE Sign SET title = '\(decomposed)' WHERE count = 2")
    _ = try store.open([LooselySpelled.Sign.self])
    #expect(try bytes("title") == bytes(of: composed, composed))
    #expect(try store.texts("SELECT name FROM sqlite_master WHERE name LIKE '%unique'") == ["Sign_title_tag_unique"])
  }

  @Test("Only rows whose texts change are written, however many there are")
  func manyRows() throws {
    let signs = (0..<2500).map { Plain($0 % 500 == 499 ? "\($0)e\u{301}" : "\($0)\u{e9}", count: $0) }
    try save(signs, as: [Plain.self])
    let log = StatementLog()
    _ = try log.observe { try store.open([Sign.self]) }
    #expect(log.statements(of: "UPDATE \"Sign\"").count == 5)
    #expect(try store.texts("SELECT count(*) FROM Sign WHERE hex(title) LIKE '%C3A9'") == ["2500"])
  }

  @Test("Extreme keys, values of other types and broken texts do not prevent the opening")
  func foreignRows() throws {
    try save((1...4).map { Plain("\($0)", count: $0) }, as: [Plain.self])
    try StoreFiles.execute(
      """
      UPDATE Sign SET _id = \(Int64.min), title = 'a\u{301}' WHERE count = 1;
      UPDATE Sign SET _id = \(Int64.max), title = 'e\u{301}' WHERE count = 2;
      UPDATE Sign SET title = X'65CC81' WHERE count = 3;
      UPDATE Sign SET title = CAST(X'65FF' AS TEXT) WHERE count = 4;
      """, at: store.url)
    _ = try store.open([Sign.self])
    #expect(try bytes("title") == ["C3A1", "C3A9", "65CC81", "65FF"])
  }

  @Test("An opening that fails at any call leaves the store unchanged")
  func failures() throws {
    try save([Plain(decomposed, tag: decomposed, count: 1), Plain("b", count: 2)], as: [Plain.self])
    let before = try StoreFiles.contents(of: store.folder.url)
    let faults = CallFailures()
    let wrap: @Sendable (any Database) -> any Database = { faults.wrap($0) }
    for call in 0..<500 {
      faults.fail(call...call)
      do {
        try DatabaseInterception.$wrap.withValue(wrap) { _ = try store.open([Sign.self]) }
        #expect(faults.stop() == 0, "a failure was passed over")
        #expect(call > 10)
        #expect(try bytes("title") == bytes(of: composed, "b"))
        return
      } catch {
        #expect(error as? SwiftDataError == .loadIssueModelContainer)
        faults.stop()
        try #require(try StoreFiles.contents(of: store.folder.url) == before, "call \(call)")
      }
    }
    #expect(Bool(false), "it never ends")
  }

  @Test("A read-only opening of a store of format 2 changes nothing, and finds texts in either form")
  func readOnly() throws {
    try save([Sign("a", count: 1)], as: [Sign.self])
    try makeFormat2("UPDATE Sign SET title = '\(decomposed)'")
    let before = try StoreFiles.contents(of: store.folder.url)
    let reader = try ModelContainer(
      for: Sign.self, configurations: ModelConfiguration(url: store.url, allowsSave: false))
    let title = composed
    let predicate = #Predicate<UniqueSpelled.Sign> { $0.title == title }
    #expect(try reader.freshContext().fetchCount(FetchDescriptor(predicate: predicate)) == 1)
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
  }

  @Test("A container whose schema has plain texts can still read, and its error says why it cannot write")
  func openMeanwhile() throws {
    try save([Plain("a", count: 1)], as: [Plain.self])
    let context = ModelContext(try store.open([Plain.self]))
    context.autosaveEnabled = false
    let sign = try context.only(Plain.self)
    let later = ModelContext(try store.open([Sign.self]))
    later.insert(Sign(composed, count: 2))
    try later.save()

    #expect(try context.all(Plain.self, by: \.count).map(\.title) == ["a", composed])
    sign.title = decomposed
    context.insert(Plain("n\u{303}", count: 3))
    for _ in 0..<2 {
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error == .loadIssueModelContainer)
      #expect(error?.details?.message?.contains("Sign.title") == true)
      #expect(error?.details?.hint?.contains("ModelContainer") == true)
    }
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try context.update(Plain.self) { $0.set(\.count, to: 5) }
    }
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try context.container.erase() }
    #expect(context.hasChanges && context.insertedModelsArray.count == 1)
    #expect(try bytes("title") == bytes(of: "a", composed))

    // The texts are plain ones again.
    _ = try store.open([Plain.self])
    try context.save()
    #expect(try bytes("title") == bytes(of: decomposed, composed, "n\u{303}"))
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try store.open([Sign.self]) }
  }

  @Test("The default value of a new unique property is normalized too")
  func newProperty() throws {
    var column = TableDefinition.Column(
      name: "title", type: .text, isNullable: false, defaultValue: .text(decomposed))
    column.meaning = "String"
    let columns = [column].normalizingTexts(in: ["title"])
    guard case .text(let text)? = columns[0].defaultValue else { return #expect(Bool(false), "the default is gone") }
    #expect(text.utf8.elementsEqual(composed.utf8))
    #expect([column].normalizingTexts(in: ["other"]) == [column])
  }

  @Test("A layout marks the texts to normalize, including inherited and nested properties")
  func layout() throws {
    func normalized(_ types: [any PersistentModel.Type]) -> [String] {
      let schema = Schema(types)
      return StoreLayout(schema: schema, entities: Array(schema.entities.indices)).tables
        .flatMap(\.columns).filter { $0.isNormalized == true }.map(\.name)
    }
    #expect(normalized([Sign.self]) == ["title", "tag", "spot_street"])
    #expect(normalized([Plain.self]) == [])
    #expect(normalized([Forms.Page.self, Forms.Chapter.self]) == ["title", "heading", "tag"])
    let tables = StoreLayout(schema: Schema([Sign.self]), entities: [0]).tables
    let plain = StoreLayout(schema: Schema([Plain.self]), entities: [0]).tables
    #expect(try JSONDecoder().decode([TableDefinition].self, from: JSONEncoder().encode(tables)) == tables)
    #expect(try SchemaRecord.text(of: plain).contains("isNormalized") == false)
    #expect(
      try LayoutChange.changes(from: plain, to: tables).get()
        == [.normalizeTexts(table: "Sign", columns: ["title", "tag", "spot_street"])]
        + tables[0].indexes.map { .createIndex(table: "Sign", $0) })
    #expect(
      try LayoutChange.changes(from: tables, to: plain).get()
        == tables[0].indexes.sorted { $0.name < $1.name }.map { .dropIndex($0) })
  }
}
