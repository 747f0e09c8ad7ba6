import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum PlainRecord {
  @Model final class Sheet {
    #Index<Sheet>([\.number])
    var number = 0
    @Attribute(.externalStorage) var scan: Data?
    @Attribute(originalName: "label") var name = ""
    @Relationship(deleteRule: .nullify, inverse: \Line.sheet) var lines: [Line] = []
    var ratio = Double.infinity
    var price = Decimal.nan
    var made = Date.now
    init() {}
  }
  @Model final class Line {
    var sheet: Sheet?
    init() {}
  }
}

enum ModifiedRecord {
  @Model final class Sheet {
    #Index<Sheet>([\.number])
    @Attribute(hashModifier: "2") var number = 0
    @Attribute(.externalStorage) var scan: Data?
    @Attribute(originalName: "label") var name = ""
    @Relationship(deleteRule: .nullify, inverse: \Line.sheet) var lines: [Line] = []
    var ratio = Double.infinity
    var price = Decimal.nan
    var made = Date.now
    init() {}
  }
  @Model final class Line {
    var sheet: Sheet?
    init() {}
  }
}

enum ModifiedRecordPlan: SchemaMigrationPlan {
  enum Old: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [PlainRecord.Sheet.self] }
  }
  enum New: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [ModifiedRecord.Sheet.self] }
  }
  static var schemas: [any VersionedSchema.Type] { [Old.self, New.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: Old.self, toVersion: New.self, willMigrate: nil,
        didMigrate: { context in
          context.insert(ModifiedRecord.Sheet())
          try context.save()
        })
    ]
  }
}

@Suite("The schema record of a store")
struct SchemaRecordTests {
  private let folder: TemporaryFolder
  private var configuration: ModelConfiguration { ModelConfiguration(url: folder.file()) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func value(_ key: String) throws -> String {
    try #require(
      try StoreFiles.texts("SELECT value FROM swiftdata_metadata WHERE key = '\(key)'", at: folder.file()).first)
  }

  private func set(_ key: String, _ value: String) throws {
    try StoreFiles.execute(
      "UPDATE swiftdata_metadata SET value = '\(value)' WHERE key = '\(key)'", at: folder.file())
  }

  private func statements(_ open: () throws -> ModelContainer) throws -> [String] {
    let statements = Statements()
    let observer: @Sendable (String) -> Void = { statements.add($0) }
    _ = try StatementObservation.$observer.withValue(observer) { try open() }
    return statements.all
  }

  private func writes(_ open: () throws -> ModelContainer) throws -> [String] {
    try statements(open).filter { sql in
      ["INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP"].contains { sql.hasPrefix($0) }
    }
  }

  @Test("A store contains its whole schema, which can be decoded")
  func wholeSchema() throws {
    _ = try ModelContainer(for: PlainRecord.Sheet.self, configurations: configuration)
    let schema = Schema([PlainRecord.Sheet.self])
    let read = try JSONDecoder().decode(Schema.self, from: Data(value("schema").utf8))
    #expect(read == schema)
    #expect(read.versionHash == schema.versionHash)
    #expect(read.entitiesByName["Sheet"]?.relationshipsByName["lines"]?.deleteRule == .nullify)
    #expect(read.entitiesByName["Sheet"]?.attributesByName["name"]?.originalName == "label")
    #expect(read.entitiesByName["Sheet"]?.indices == [["number"]])
    #expect(try value("schema_hash") == schema.versionHash)
  }

  @Test("A migration replaces the recorded schema")
  func migrationReplacesRecord() throws {
    _ = try ModelContainer(for: First.Item.self, configurations: configuration)
    _ = try ModelContainer(for: Grown.Item.self, configurations: configuration)
    let read = try JSONDecoder().decode(Schema.self, from: Data(value("schema").utf8))
    #expect(read == Schema([Grown.Item.self]))
  }

  @Test("The record of a schema is always the same text")
  func schemaText() throws {
    _ = try ModelContainer(for: Linked.Song.self, configurations: configuration)
    let layouts = StoreLayout(schema: Schema([Linked.Song.self]), entities: [0, 1])
    #expect(try value("layout") == SchemaRecord.text(of: layouts.tables))
    #expect(try value("schema") == SchemaRecord.json(Schema([Linked.Song.self])))
  }

  @Test("With several stores each one has the schema of its own models")
  func severalStores() throws {
    let (items, others) = (Schema([First.Item.self]), Schema([Gone.Other.self]))
    let second = ModelConfiguration("second", schema: others, url: folder.file("second.store"))
    for _ in 0..<2 {
      _ = try ModelContainer(
        for: Schema([First.Item.self, Gone.Other.self]),
        configurations: ModelConfiguration("first", schema: items, url: folder.file()), second)
    }
    #expect(try value("schema_hash") == items.versionHash)
    #expect(try JSONDecoder().decode(Schema.self, from: Data(value("schema").utf8)).entities.map(\.name) == ["Item"])
    #expect(try writes { try ModelContainer(for: First.Item.self, configurations: configuration) } == [])
  }

  @Test("Opening a store whose schema hash matches takes few statements and writes nothing")
  func matchingHash() throws {
    _ = try ModelContainer(for: Grown.Item.self, configurations: configuration)
    let found = try statements { try ModelContainer(for: Grown.Item.self, configurations: configuration) }
    #expect(found.filter { $0.contains("swiftdata_metadata") }.count <= 2, "\(found)")
    #expect(found.allSatisfy { $0.hasPrefix("SELECT") || $0.hasPrefix("PRAGMA") }, "\(found)")
  }

  @Test("An index that the schema hash does not cover is created")
  func indexWithoutHash() throws {
    _ = try ModelContainer(for: Before.Item.self, configurations: configuration)
    let hash = try value("schema_hash")
    _ = try ModelContainer(for: SameShape.Item.self, configurations: configuration)
    #expect(try value("schema_hash") == hash)
    #expect(
      try StoreFiles.texts("SELECT name FROM sqlite_schema WHERE name = 'Item_name'", at: folder.file()).count == 1)
  }

  @Test(
    "Damage in a record that is not needed does not prevent opening the store",
    arguments: ["schema", "schema_hash", "schema_version", "kept_values"])
  func unneededDamage(key: String) throws {
    do {
      let context = ModelContext(try ModelContainer(for: First.Item.self, configurations: configuration))
      context.insert(First.Item(title: "a"))
      try context.save()
    }
    for damage in ["", "{", "[1]", "null"] {
      try set(key, damage)
      do {
        let readOnly = ModelConfiguration(url: folder.file(), allowsSave: false)
        let reader = try ModelContainer(for: First.Item.self, configurations: readOnly)
        #expect(try reader.freshContext().only(First.Item.self).title == "a")
      }
      let container = try ModelContainer(for: First.Item.self, configurations: configuration)
      #expect(try container.freshContext().only(First.Item.self).title == "a")
      try container.erase()
      let context = container.freshContext()
      context.insert(First.Item(title: "a"))
      try context.save()
    }
  }

  @Test("A damaged record of archived values refuses another schema, and changes nothing")
  func damagedArchiveRecord() throws {
    _ = try ModelContainer(for: First.Item.self, configurations: configuration)
    try set("kept_values", "{")
    try expectRefusal(in: folder) { try ModelContainer(for: Grown.Item.self, configurations: configuration) }
    try set("kept_values", "[]")
    _ = try ModelContainer(for: Grown.Item.self, configurations: configuration)
  }

  @Test("A lost hash is written again")
  func lostHash() throws {
    _ = try ModelContainer(for: First.Item.self, configurations: configuration)
    let hash = try value("schema_hash")
    try set("schema_hash", "?")
    _ = try ModelContainer(for: First.Item.self, configurations: configuration)
    #expect(try value("schema_hash") == hash)
  }

  @Test("A version that only differs in a hash modifier is reached by its stage, whose code runs once")
  func hashModifier() throws {
    do {
      let context = try ModelContainer(for: PlainRecord.Sheet.self, configurations: configuration).freshContext()
      context.insert(PlainRecord.Sheet())
      try context.save()
    }
    let hash = try value("schema_hash")
    let schema = Schema(versionedSchema: ModifiedRecordPlan.New.self)
    #expect(schema.versionHash != hash)
    for _ in 0..<2 {
      let container = try ModelContainer(
        for: schema, migrationPlan: ModifiedRecordPlan.self, configurations: configuration)
      #expect(try container.freshContext().fetchCount(FetchDescriptor<ModifiedRecord.Sheet>()) == 2)
      #expect(try value("schema_hash") == schema.versionHash)
    }
  }
}
