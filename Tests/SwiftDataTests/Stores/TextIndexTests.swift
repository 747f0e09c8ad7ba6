import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Indexes of texts by sort keys")
struct TextIndexTests {
  private let folder: TemporaryFolder
  private var configuration: ModelConfiguration { ModelConfiguration(url: folder.file()) }
  private static let swedish = TextSorting(Locale(identifier: "sv_SE"))
  private static let key = TextSorting.current.localizedStandard.name

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Opens the store as a program with another locale's rules.
  private func open(_ sorting: TextSorting? = nil, allowsSave: Bool = true) throws -> ModelContext {
    let context = try TextSortingInterception.$sorting.withValue(sorting) {
      let configuration = ModelConfiguration(url: folder.file(), allowsSave: allowsSave)
      return ModelContext(try ModelContainer(for: Labels.Label.self, configurations: configuration))
    }
    context.autosaveEnabled = false
    return context
  }

  private func write(_ texts: [String] = ["z", "å", "a", "ö", "10", "9"]) throws {
    let context = try open()
    for (number, text) in texts.enumerated() { context.insert(Labels.Label(text, number: number, note: text)) }
    try context.save()
  }

  private func texts(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Labels.Label>(sortBy: [SortDescriptor(\.text)])).map(\.text)
  }

  /// The statements that created the indexes of sort keys.
  private func indexes() throws -> [String] {
    try StoreFiles.texts(
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND name LIKE '%sorted%' ORDER BY name", at: folder.file())
  }

  private func expectIndexes(_ function: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(
      try indexes() == [
        #"CREATE INDEX "Label_kind_size_text_sorted" ON "Label" ("\#(function)"("kind"), "size", "\#(function)"("text"))"#,
        #"CREATE INDEX "Label_kind_size_text_sorted_2" ON "Label" ("kind", "size", "\#(function)"("text"))"#,
        #"CREATE INDEX "Label_note_sorted" ON "Label" ("\#(function)"("note"))"#,
        #"CREATE INDEX "Label_shelf_text_sorted" ON "Label" ("shelf", "\#(function)"("text"))"#,
        #"CREATE INDEX "Label_text_sorted" ON "Label" ("\#(function)"("text"))"#,
      ], sourceLocation: sourceLocation)
  }

  @Test("An index with texts has a second one with the sort keys of each text")
  func layout() throws {
    try write()
    try expectIndexes(Self.key)
    let plain = try StoreFiles.texts(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT LIKE '%swiftdata%' ORDER BY name",
      at: folder.file())
    #expect(plain == ["Label_kind_size_text", "Label_note", "Label_number_unique", "Label_shelf_text", "Label_text"])
  }

  @Test("Inherited, unique and nested texts have indexes of sort keys")
  func otherProperties() throws {
    _ = try ModelContainer(for: Publication.self, Magazine.self, configurations: configuration)
    #expect(
      try indexes() == [
        #"CREATE INDEX "Publication_editor_sorted" ON "Publication" ("\#(Self.key)"("editor"))"#,
        #"CREATE INDEX "Publication_imprint_city_sorted" ON "Publication" ("\#(Self.key)"("imprint_city"))"#,
        #"CREATE INDEX "Publication_title_sorted" ON "Publication" ("\#(Self.key)"("title"))"#,
      ])
    let unique = try StoreFiles.texts(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE%'", at: folder.file())
    #expect(unique == ["Publication_title_unique"])
  }

  // MARK: Plans

  struct Example: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let index: String
    let sorts: [SortDescriptor<Labels.Label>]
    let predicate: Predicate<Labels.Label>?
    let offset: Int?

    init(
      _ description: String, _ index: String, _ sorts: SortDescriptor<Labels.Label>..., offset: Int? = nil,
      where predicate: Predicate<Labels.Label>? = nil
    ) {
      testDescription = description
      self.index = index
      self.sorts = sorts
      self.predicate = predicate
      self.offset = offset
    }

    var descriptor: FetchDescriptor<Labels.Label> {
      var descriptor = FetchDescriptor(predicate: predicate, sortBy: sorts)
      (descriptor.fetchLimit, descriptor.fetchOffset) = (50, offset)
      return descriptor
    }
  }

  static let examples: [Example] = [
    .init("a page", "Label_text_sorted", .init(\.text)),
    .init("a later page", "Label_text_sorted", .init(\.text), offset: 1000),
    .init("backwards", "Label_text_sorted", .init(\.text, order: .reverse), offset: 1000),
    .init("an optional", "Label_note_sorted", .init(\.note)),
    .init("an optional, backwards", "Label_note_sorted", .init(\.note, order: .reverse)),
    .init("with a second descriptor", "Label_text_sorted", .init(\.text), .init(\.number)),
    .init("with a predicate", "Label_shelf_text_sorted (shelf=?)", .init(\.text), where: #Predicate { $0.shelf == 3 }),
    .init(
      "with a predicate of a text", "Label_kind_size_text_sorted_2 (kind=? AND size=?)", .init(\.text),
      where: #Predicate { $0.kind == "a" && $0.size == 3 }),
    .init("three descriptors", "Label_kind_size_text_sorted", .init(\.kind), .init(\.size), .init(\.text)),
  ]

  @Test("A sorted fetch uses the index and needs no sorting step", arguments: examples)
  func plan(example: Example) throws {
    let plan = try open().queryPlan(example.descriptor)
    #expect(plan.first?.contains("USING INDEX \(example.index)") == true, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("USE TEMP B-TREE FOR ORDER BY") }, "\(plan)")
    if example.sorts.count == 1, example.sorts[0].order == .forward {
      #expect(plan.count == 1, "\(plan)")
    }
  }

  @Test("Inherited texts are sorted by their index")
  func inheritedPlan() throws {
    let context = ModelContext(try ModelContainer(for: Publication.self, Magazine.self, configurations: configuration))
    var magazines = FetchDescriptor<Magazine>(sortBy: [SortDescriptor(\.title)])
    magazines.fetchLimit = 50
    #expect(try context.queryPlan(magazines) == ["SCAN t0 USING INDEX Publication_title_sorted"])
  }

  // MARK: Other rules

  @Test("Opening a store for writing recreates indexes that have another locale's rules")
  func otherRules() throws {
    try write()
    #expect(try texts(open()) == ["9", "10", "a", "å", "ö", "z"])
    #expect(try texts(open(Self.swedish)) == ["9", "10", "a", "z", "å", "ö"])
    try expectIndexes(Self.swedish.localizedStandard.name)
    let swedish = try open(Self.swedish)
    swedish.insert(Labels.Label("ä", number: 100))
    try swedish.save()
    #expect(try texts(swedish) == ["9", "10", "a", "z", "å", "ä", "ö"])
    #expect(try texts(open()) == ["9", "10", "a", "å", "ä", "ö", "z"])
    try expectIndexes(Self.key)
    let functions = TextSorting.current.functions
    #expect(try StoreFiles.texts("PRAGMA integrity_check(1)", at: folder.file(), sortKeys: functions) == ["ok"])
  }

  @Test("An open store whose indexes another program recreated can be read, and saves fail with a reason")
  func openMeanwhile() throws {
    try write()
    let context = try open()
    #expect(try texts(context).count == 6)
    let item = try #require(try context.fetch(FetchDescriptor<Labels.Label>()).first)
    _ = try open(Self.swedish)
    #expect(try texts(context) == ["9", "10", "a", "å", "ö", "z"])
    #expect(try texts(ModelContext(context.container)) == ["9", "10", "a", "å", "ö", "z"])

    let label = Labels.Label("b", number: 7)
    context.insert(label)
    item.shelf = 3
    for _ in 0..<2 {
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error?.details?.message?.contains(Self.swedish.localizedStandard.name) == true)
      #expect(error?.details?.hint?.contains("ModelContainer") == true)
    }
    #expect(context.hasChanges && context.insertedModelsArray.count == 1)
    #expect(throws: SwiftDataError.self) { try context.container.erase() }

    let next = try open()
    next.insert(Labels.Label("b", number: 8))
    try next.save()
    // The indexes have this program's rules again.
    try context.save()
    #expect(try texts(open()) == ["9", "10", "a", "å", "b", "b", "ö", "z"])
  }

  @Test("A read-only store does not use indexes with other rules, and changes nothing")
  func readOnly() throws {
    try write()
    let before = try StoreFiles.contents(of: folder.url)
    let reader = try open(Self.swedish, allowsSave: false)
    #expect(try texts(reader) == ["9", "10", "a", "z", "å", "ö"])
    let descriptor = FetchDescriptor<Labels.Label>(sortBy: [SortDescriptor(\.text)])
    #expect(try reader.queryPlan(descriptor).contains("USE TEMP B-TREE FOR ORDER BY"))
    #expect(try StoreFiles.contents(of: folder.url) == before)
    try expectIndexes(Self.key)
  }

  @Test("Recreating indexes is no model change that a migration plan's stage has to handle")
  func migrationPlan() throws {
    try write()
    _ = try open(Self.swedish)
    let schema = Schema(versionedSchema: Labels.Second.self)
    let container = try ModelContainer(for: schema, migrationPlan: Labels.Plan.self, configurations: configuration)
    #expect(try texts(ModelContext(container)) == ["9", "10", "a", "å", "ö", "z"])
    try expectIndexes(Self.key)
  }

  // MARK: Other releases and tools

  /// Makes the store one of an earlier release without sort keys.
  private func makeEarlier() throws {
    let schema = Schema([Labels.Label.self])
    var tables = StoreLayout(schema: schema, entities: [0]).tables
    for table in tables.indices { tables[table].indexes.removeAll { $0.functions != nil } }
    let layout = try SchemaRecord.text(of: tables)
    let names = try StoreFiles.texts("SELECT name FROM sqlite_master WHERE name LIKE '%sorted%'", at: folder.file())
    for name in names { try StoreFiles.execute("DROP INDEX \"\(name)\"", at: folder.file()) }
    let literal = SQLiteDialect().literal(layout)
    try StoreFiles.execute(
      "UPDATE swiftdata_metadata SET value = \(literal) WHERE key = 'layout'", at: folder.file())
  }

  @Test("A store of an earlier release gets the indexes, and a read-only one is read without them")
  func earlierRelease() throws {
    try write()
    try makeEarlier()
    #expect(try texts(open(allowsSave: false)) == ["9", "10", "a", "å", "ö", "z"])
    #expect(try indexes().isEmpty)
    #expect(try texts(open()) == ["9", "10", "a", "å", "ö", "z"])
    try expectIndexes(Self.key)
  }

  @Test("An earlier release drops the indexes, which it would not update")
  func nextRelease() throws {
    try write()
    let schema = Schema([Labels.Label.self])
    let now = StoreLayout(schema: schema, entities: [0]).tables
    var earlier = now
    for table in earlier.indices { earlier[table].indexes.removeAll { $0.functions != nil } }
    let steps = try LayoutChange.changes(from: now, to: earlier).get()
    let keys = now[0].indexes.filter { $0.functions != nil }.sorted { $0.name < $1.name }
    #expect(keys.count == 5)
    #expect(steps == keys.map { LayoutChange.dropIndex($0) })
    #expect(try SchemaRecord.text(of: earlier).contains("functions") == false)
  }

  @Test("Another program can read the tables, can write after dropping the indexes, and opening recreates them")
  func tools() throws {
    try write()
    #expect(try StoreFiles.texts("SELECT text FROM Label ORDER BY text LIMIT 2", at: folder.file()) == ["10", "9"])
    let insertion = "INSERT INTO Label (text, number) VALUES ('b', 100)"
    let error = #expect(throws: DatabaseError.self) { try StoreFiles.execute(insertion, at: folder.file()) }
    #expect(error?.message.contains("unknown function: \(Self.key)") == true)
    try StoreFiles.execute("UPDATE Label SET number = 50 WHERE number = 0", at: folder.file())

    for name in try StoreFiles.texts("SELECT name FROM sqlite_master WHERE name LIKE '%sorted%'", at: folder.file()) {
      try StoreFiles.execute("DROP INDEX \"\(name)\"", at: folder.file())
    }
    try StoreFiles.execute(
      "INSERT INTO Label (text, shelf, kind, size, number) VALUES ('b', 0, '', 0, 100)", at: folder.file())
    #expect(try texts(open(allowsSave: false)) == ["9", "10", "a", "å", "b", "ö", "z"])
    #expect(try texts(open()) == ["9", "10", "a", "å", "b", "ö", "z"])
    try expectIndexes(Self.key)
    for name in ["Label_text_sorted", "Label_note_sorted"] {
      try StoreFiles.execute("DROP INDEX \"\(name)\"", at: folder.file())
    }
    // Dropping a missing index is no error either.
    #expect(try texts(open(Self.swedish)) == ["9", "10", "a", "b", "z", "å", "ö"])
    try expectIndexes(Self.swedish.localizedStandard.name)
  }

  @Test("Indexes that another program created are kept")
  func foreignIndexes() throws {
    try write()
    try StoreFiles.execute("CREATE INDEX mine ON Label (text, number)", at: folder.file())
    _ = try open(Self.swedish)
    #expect(
      try StoreFiles.texts("SELECT name FROM sqlite_master WHERE name = 'mine'", at: folder.file()) == ["mine"])
  }

  @Test("A renamed property keeps an index of its sort keys, also when the rules change")
  func renaming() throws {
    try write()
    _ = try open(Self.swedish)
    let context = ModelContext(try ModelContainer(for: Labels.Renamed.Label.self, configurations: configuration))
    let sorted = try context.fetch(FetchDescriptor<Labels.Renamed.Label>(sortBy: [SortDescriptor(\.title)]))
    #expect(sorted.map(\.title) == ["9", "10", "a", "å", "ö", "z"])
    #expect(
      try indexes() == [
        #"CREATE INDEX "Label_note_sorted" ON "Label" ("\#(Self.key)"("note"))"#,
        #"CREATE INDEX "Label_shelf_title_sorted" ON "Label" ("shelf", "\#(Self.key)"("title"))"#,
        #"CREATE INDEX "Label_title_sorted" ON "Label" ("\#(Self.key)"("title"))"#,
      ])
  }

  @Test("Values that are no valid text can be sorted")
  func brokenValues() throws {
    try write()
    let values = ["X'FF'", "CAST(X'61FF62' AS TEXT)", "CAST(X'EDA080' AS TEXT)", "CAST(X'6100' AS TEXT)", "5"]
    try StoreFiles.execute(
      values.enumerated().map {
        "UPDATE Label SET note = \($0.element) WHERE number = \($0.offset)"
      }.joined(separator: ";"), at: folder.file(), sortKeys: TextSorting.current.functions)
    let notes = try StoreFiles.texts(
      "SELECT number FROM Label ORDER BY \(Self.key)(note)", at: folder.file(), sortKeys: TextSorting.current.functions)
    #expect(notes.count == 6)
    var descriptor = FetchDescriptor<Labels.Label>(
      predicate: #Predicate { $0.number > 0 }, sortBy: [SortDescriptor(\.note)])
    #expect(
      try open().fetch(descriptor).compactMap(\.note) == ["5", "9", "a\0", "a\u{fffd}b", "\u{fffd}\u{fffd}\u{fffd}"])
    descriptor.predicate = nil
    #expect(try open().fetchCount(descriptor) == 6)
  }

  @Test("Texts that are expensive to collate are indexed and sorted like others", .timeLimit(.minutes(5)))
  func hostileTexts() throws {
    try write(["b", "a", "c"])
    // Quadratic time would be minutes for each.
    for (number, mark) in ["cc81cc96", "e0bdb1", "e0bdb3"].enumerated() {
      let text = "CAST('b' || replace(hex(zeroblob(100000)), '00', CAST(X'\(mark)' AS TEXT)) AS TEXT)"
      try StoreFiles.execute(
        "UPDATE Label SET note = \(text) WHERE number = \(number)", at: folder.file(),
        sortKeys: TextSorting.current.functions)
    }
    let sql = "SELECT number FROM Label ORDER BY \(Self.key)(note), number"
    let numbers = try StoreFiles.texts(sql, at: folder.file(), sortKeys: TextSorting.current.functions)
    #expect(numbers.sorted() == ["0", "1", "2"])
    var descriptor = FetchDescriptor<Labels.Label>(sortBy: [SortDescriptor(\.note)])
    descriptor.propertiesToFetch = [\.number]
    #expect(try open().fetch(descriptor).map { "\($0.number)" } == numbers)
  }
}
