import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum NamedV1 {
  struct Edits: Codable, Hashable {
    var history: [String] = []
    var count = 0
  }

  @Model
  final class Paper {
    var title = ""
    var edits = Edits()
    var length: Int { title.count }

    init() {}
  }
}

enum NamedV2 {
  struct Edits: Codable, Hashable {
    var history = 0
    var count = 0
  }

  @Model
  final class Paper {
    var title = ""
    var edits = Edits()

    init() {}
  }
}

enum NamedWrongly {
  @Model
  final class Sheet {
    #Unique<Sheet>([\.length])
    #Index<Sheet>([\.folds.count])

    var folds: [Int] = []
    var title = ""
    var length: Int { folds.count }
    @Relationship(inverse: \Stack.name) var stack: Stack?

    init() {}
  }

  @Model
  final class Stack {
    var name = ""

    init() {}
  }
}

enum NamedPlan: SchemaMigrationPlan {
  enum Old: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [First.Item.self] }
  }

  enum New: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Grown.Item.self] }
  }

  static var schemas: [any VersionedSchema.Type] { [Old.self, New.self] }
  static var stages: [MigrationStage] {
    [.custom(fromVersion: Old.self, toVersion: New.self, willMigrate: nil, didMigrate: nil)]
  }
}

@Suite("Names of types and properties in errors")
struct SchemaNamesTests {
  private func container() throws -> ModelContainer {
    try ModelContainer(for: NamedV1.Paper.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test("The error for a type that is not in the schema names it with its enclosing types")
  func unknownTypes() throws {
    let container = try container()
    let context = ModelContext(container)
    let error = #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<NamedV2.Paper>()) }
    #expect(error?.details?.message?.contains("has NamedV1.Paper, and not NamedV2.Paper.") == true)
    #expect(error?.details?.hint?.contains("willMigrate has the classes of the older version") == true)
    context.insert(NamedV2.Paper())
    let other = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(other?.description.contains("has NamedV1.Paper, and not NamedV2.Paper.") == true)
  }

  @Test("Qualified names include enclosing types, without the module")
  func qualifiedNames() {
    struct Local {}
    #expect(Schema.qualifiedName(of: NamedV1.Paper.self) == "NamedV1.Paper")
    #expect(Schema.qualifiedName(of: Captain.self) == "Captain")
    #expect(Schema.qualifiedName(of: Local.self) == "Local")
    #expect(Schema.qualifiedName(of: [NamedV1.Paper].self) == "Array<Paper>")
  }

  @Test("A migration error names a property as in source, not by its column")
  func migrationIssues() throws {
    let store = try MigratingStore()
    do {
      let context = ModelContext(try store.open([NamedV1.Paper.self]))
      context.insert(NamedV1.Paper())
      try context.save()
    }
    let error = try expectRefusal(in: store.folder) { try store.open([NamedV2.Paper.self]) }
    #expect(error?.details?.issues.map(\.property) == ["edits.history"])
  }

  @Test("Schema errors name key paths as in source, without addresses")
  func schemaIssues() throws {
    let error = #expect(throws: SwiftDataError.self) { try Schema([NamedWrongly.Sheet.self]).validate() }
    let messages = try #require(error?.details?.issues).map(\.message)
    #expect(messages.contains { $0.contains("#Unique names <computed Int>,") })
    #expect(messages.contains { $0.contains("#Index names folds.<computed Int>,") })
    #expect(messages.contains { $0.contains("The inverse name is no relationship of Stack") })
    #expect(!messages.contains { $0.contains("0x") })
  }

  @Test("Fetch errors name key paths as in source, without addresses")
  func fetchIssues() throws {
    let context = ModelContext(try container())
    context.allowsInMemoryEvaluation = false
    var descriptors = [
      FetchDescriptor<NamedV1.Paper>(predicate: #Predicate { $0.length > 3 }),
      FetchDescriptor<NamedV1.Paper>(sortBy: [SortDescriptor(\.length)]),
    ]
    var selecting = FetchDescriptor<NamedV1.Paper>()
    selecting.propertiesToFetch = [\.length]
    descriptors.append(selecting)
    for descriptor in descriptors {
      let error = #expect(throws: SwiftDataError.self) { try context.fetch(descriptor) }
      #expect(error?.details?.property == "<computed Int>")
      #expect(error.map { !$0.description.contains("0x") } == true, "\(String(describing: error))")
      #expect(!"\(descriptor)".contains("0x"))
    }
  }

  @Test("A custom stage without closures works as a lightweight one")
  func stageWithoutCode() throws {
    let stage = NamedPlan.stages[0]
    #expect(stage.code == nil)
    #expect(MigrationStage.lightweight(fromVersion: NamedPlan.Old.self, toVersion: NamedPlan.New.self).code == nil)
    let coded = MigrationStage.custom(
      fromVersion: NamedPlan.Old.self, toVersion: NamedPlan.New.self, willMigrate: { _ in }, didMigrate: nil)
    #expect(coded.code != nil)
    let store = try MigratingStore()
    do {
      let context = ModelContext(try store.open([First.Item.self]))
      context.insert(First.Item(title: "t"))
      try context.save()
    }
    let container = try ModelContainer(
      for: Schema([Grown.Item.self]), migrationPlan: NamedPlan.self, configurations: ModelConfiguration(url: store.url))
    #expect(try container.freshContext().only(Grown.Item.self).title == "t")
  }
}
