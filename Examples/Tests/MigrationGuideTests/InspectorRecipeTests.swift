import Foundation
import SwiftData
import SwiftDataTesting
import Testing

/// The guide's functions that inspect a store of people before it is opened.
private enum Inspection {
  static func choose() -> MigrationInspector {
    let inspector = MigrationInspector(
      for: Schema(versionedSchema: SchemaV2.self), migrationPlan: PeoplePlan.self,
      configurations: ModelConfiguration(url: URL(fileURLWithPath: "/var/lib/people/people.store")))
    return inspector
  }

  static func preview(_ inspector: MigrationInspector) throws -> MigrationPreview {
    let preview = try inspector.preview()
    print(preview)
    for step in preview.steps {
      for issue in step.issues { print(step.followsCode ? "for code to fix:" : "in the way:", issue) }
    }
    print(preview.copiedByteCount, "bytes would be copied")
    return preview
  }

  static func rehearse(_ inspector: MigrationInspector) throws {
    for step in try inspector.rehearse() {
      print(step.kind, step.fromVersion, "→", step.toVersion, step.duration ?? .zero)
    }
  }

  static func drift(_ inspector: MigrationInspector) throws {
    for difference in try inspector.drift() { print(difference) }
  }

  static func open(_ store: URL, backups: URL) throws -> ModelContainer {
    var configuration = ModelConfiguration(url: store)
    configuration.options.migrationBackupFolder = backups
    let container = try ModelContainer(for: Person.self, migrationPlan: PeoplePlan.self, configurations: configuration)
    return container
  }

  /// Writes to the folder that the program runs in, which no test does.
  static func freeze() throws {
    try SchemaV1.freeze(to: URL(fileURLWithPath: "Tests/PeopleTests/Schemas/V1.json"))
  }
}

@Suite("Recipes for inspecting a store before it is opened, as the guide prints them")
struct InspectorRecipeTests {
  private let store: GuideStore

  init() throws {
    store = try GuideStore()
    try store.write(SchemaV1.Person.self) { context in context.insert(SchemaV1.Person(name: "Ada")) }
  }

  @Test("A store that is previewed, rehearsed and inspected still has the first version")
  func looking() throws {
    _ = Inspection.choose()
    let configuration = ModelConfiguration(url: store.url, allowsSave: false)
    let inspector = MigrationInspector(
      for: Schema(versionedSchema: SchemaV2.self), migrationPlan: PeoplePlan.self, configurations: configuration)
    let preview = try Inspection.preview(inspector)
    #expect(preview.steps.map(\.kind) == [.lightweight])
    #expect(preview.steps.first?.changes["people"]?.map(\.summary) == ["adds Person.note"])
    try Inspection.rehearse(inspector)
    try Inspection.drift(inspector)
    #expect(
      try MigrationInspector(for: Schema(versionedSchema: SchemaV1.self), configurations: configuration).drift()
        .isEmpty)
  }

  @Test("Opening a store of an earlier version copies it to the folder for backups")
  func backup() throws {
    let folder = store.file("backups")
    let container = try Inspection.open(store.url, backups: folder)
    #expect(try ModelContext(container).fetch(FetchDescriptor<Person>()).map(\.name) == ["Ada"])
    let copies = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "store" }
    #expect(copies.count == 1)
    let copy = try #require(copies.first)
    #expect(copy.lastPathComponent.hasPrefix("people 1.0.0 "))
    let old = try ModelContainer(for: SchemaV1.Person.self, configurations: ModelConfiguration(url: copy))
    #expect(try ModelContext(old).fetch(FetchDescriptor<SchemaV1.Person>()).map(\.name) == ["Ada"])
  }

  @Test("A frozen version differs from the next one, and creates a store that the plan migrates")
  func frozen() throws {
    let file = store.file("V1.json")
    try SchemaV1.freeze(to: file)
    try SchemaV1.checkFrozen(at: file)
    #expect(throws: SwiftDataError.unknownSchema) { try SchemaV2.checkFrozen(at: file) }
    let url = store.file("frozen.store")
    try ModelContainer.makeStore(ofFrozenSchema: file, at: url)
    let container = try ModelContainer(
      for: Person.self, migrationPlan: PeoplePlan.self, configurations: ModelConfiguration(url: url))
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Person>()) == 0)
  }
}

/// The tests that the guide prints, with the file of a release beside them.
@Suite("Tests of frozen versions, as the guide prints them")
struct FrozenRecipeTests {
  private let schemas = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Schemas")

  @Test("Released versions are unchanged")
  func releasedVersions() throws {
    try SchemaV1.checkFrozen(at: schemas.appendingPathComponent("V1.json"))
  }

  @Test("A store of the first version migrates to the current one")
  func firstVersion() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("people.store")

    try ModelContainer.makeStore(ofFrozenSchema: schemas.appendingPathComponent("V1.json"), at: store)
    let container = try ModelContainer(
      for: Person.self, migrationPlan: PeoplePlan.self, configurations: ModelConfiguration(url: store))
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Person>()) == 0)
  }
}
