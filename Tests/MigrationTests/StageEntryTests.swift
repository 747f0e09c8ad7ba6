import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// Needs a length that code of a stage may have made impossible.
enum LengthTrail: VersionedSchema {
  static let versionIdentifier = Schema.Version(8, 0, 0)
  static var models: [any PersistentModel.Type] { [Hike.self, Walker.self] }

  @Model
  final class Hike {
    var title: String
    @Attribute(.unique) var length: Int
    var isLong = false
    @Attribute(.externalStorage) var track: Data?
    @Relationship(inverse: \Walker.hikes) var walkers: [Walker] = []

    init(title: String, length: Int) {
      self.title = title
      self.length = length
    }
  }

  @Model
  final class Walker {
    var name: String
    var hikes: [Hike] = []

    init(name: String) {
      self.name = name
    }
  }
}

@Suite("Where a store enters a plan, and how stages follow each other")
struct StageEntryTests {
  private let store: TrailStore

  init() throws {
    store = try TrailStore()
  }

  private func open(_ stages: [MigrationStage], _ version: any VersionedSchema.Type) throws -> ModelContainer {
    try TrailPlan.$chosenStages.withValue(stages) { try store.open(version) }
  }

  private func version() throws -> [String] {
    try StoreFiles.texts("SELECT value FROM swiftdata_metadata WHERE key = 'schema_version'", at: store.url)
  }

  // MARK: Shapes

  @Test(
    "A store's version is found by its shape, whatever its version number says",
    arguments: [nil, Schema.Version(3, 0, 0), Schema.Version(77, 0, 0)])
  func numbers(number: Schema.Version?) throws {
    do {
      let schema = number.map { Schema(TrailV1.models, version: $0) } ?? Schema(TrailV1.models)
      let container = try ModelContainer(for: schema, configurations: store.configuration)
      let context = container.freshContext()
      let hike = TrailV1.Hike(title: "Ben", length: 17)
      context.insert(hike)
      hike.walkers = [TrailV1.Walker(name: "Ada Lovelace")]
      try context.save()
      try container.close()
    }
    #expect(try version() == [(number ?? Schema.Version(1, 0, 0)).description])
    _ = try store.open(TrailV4.self)
    #expect(try store.lastHikes() == ["Ben 17 true false Ada/Lovelace"])
    #expect(try version() == ["4.0.0"])
  }

  @Test("Each closure can use the types of its version only, even if the other version has equal names")
  func typesOfVersions() throws {
    try store.writeFirst()
    let stage = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      willMigrate: { context in
        #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<TrailV2.Hike>()) }
        let count = try context.fetchCount(FetchDescriptor<TrailV1.Hike>())
        #expect(count == 2)
      },
      didMigrate: { context in
        #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<TrailV1.Hike>()) }
        let count = try context.fetchCount(FetchDescriptor<TrailV2.Hike>())
        #expect(count == 2)
      })
    _ = try open([stage], TrailV2.self)
    #expect(try version() == ["2.0.0"])
  }

  // MARK: Failures after code

  @Test("When tables cannot change after a stage's code, the code is undone, and the error names the stage")
  func laterTables() throws {
    try store.writeFirst()
    let last = MigrationStage.lightweight(fromVersion: TrailV2.self, toVersion: RequiredTrail.self)
    let error = try expectRefusal(in: store.folder) { try open([TrailPlan.toSecond, last], RequiredTrail.self) }
    #expect(error?.details?.issues.map(\.property) == ["grade"])
    #expect(
      error?.details?.message?.hasSuffix("The migration step from TrailV2 (2.0.0) to RequiredTrail (9.0.0) failed.")
        == true)
    #expect(try store.leftovers() == [])
    try store.expectFirst()
  }

  @Test("Values that code has made equal are reported when they must be unique, and the store is unchanged")
  func laterUniqueness() throws {
    try store.writeFirst()
    let first = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, willMigrate: nil,
      didMigrate: { context in
        for hike in try context.fetch(FetchDescriptor<TrailV2.Hike>()) { hike.length = 5 }
        try context.save()
      })
    let last = MigrationStage.lightweight(fromVersion: TrailV2.self, toVersion: LengthTrail.self)
    let error = try expectRefusal(in: store.folder) { try open([first, last], LengthTrail.self) }
    #expect(error?.details?.issues.map(\.property) == ["length"])
    #expect(error?.details?.issues.first?.message.contains("has to be unique now: 5 (2 models).") == true)
    try store.expectFirst()
    // Without the code they are unique.
    let context = try open([TrailPlan.toSecond, last], LengthTrail.self).freshContext()
    #expect(try context.all(LengthTrail.Hike.self, by: \.length).map(\.isLong) == [false, true])
  }

  @Test("The result of the last stage is opened like a container's store before it replaces the store")
  func lastResult() throws {
    try store.writeFirst()
    let stage = MigrationStage.executeSQL(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, statements: [#"ALTER TABLE "Walker" RENAME TO "Rambler""#])
    let error = try expectRefusal(in: store.folder) { try open([stage], TrailV2.self) }
    #expect(error?.details?.message?.contains("lacks tables that it says it has: Walker") == true)
    #expect(try store.leftovers() == [])
    try store.expectFirst()
  }

  @Test("A stage of SQL that drops a column of the models is refused")
  func lackingColumn() throws {
    try store.writeFirst()
    let stage = MigrationStage.executeSQL(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      statements: [#"ALTER TABLE "Walker" ADD COLUMN own TEXT"#, #"ALTER TABLE "Hike" DROP COLUMN track"#])
    let error = try expectRefusal(in: store.folder) { try open([stage], TrailV2.self) }
    #expect(error?.details?.issues.map(\.description) == ["Hike.track: The store has no such column."])
    #expect(try store.leftovers() == [])
    try store.expectFirst()
  }

  // MARK: History

  @Test("The earlier history still names the present models, and stages add to it")
  func history() throws {
    try store.writeFirst()
    func transactions(_ version: any VersionedSchema.Type, plan: Bool) throws -> [DefaultHistoryTransaction] {
      try store.open(version, plan: plan).freshContext().fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
    let before = try transactions(TrailV1.self, plan: false)
    let after = try transactions(TrailV4.self, plan: true)
    #expect(after.prefix(before.count).map(\.token) == before.map(\.token))
    let context = try store.open(TrailV4.self).freshContext()
    var inserted: [String] = []
    for case .insert(let insert) in after.prefix(before.count).flatMap(\.changes) {
      switch context.model(for: insert.changedPersistentIdentifier) {
      case let hike as TrailV4.Hike: inserted.append(hike.name)
      case let walker as TrailV4.Walker: inserted.append("\(walker.firstName) \(walker.lastName)")
      default: Issue.record("\(insert) finds no model.")
      }
    }
    #expect(inserted.sorted() == ["? Grace", "Ada Lovelace", "Ben", "Loch"])
    var updated: Set<PersistentIdentifier> = []
    for case .update(let update) in after.dropFirst(before.count).flatMap(\.changes) {
      updated.insert(update.changedPersistentIdentifier)
    }
    let changed = try context.fetch(FetchDescriptor<TrailV4.Hike>(predicate: #Predicate { $0.isLong }))
    #expect(changed.map(\.name) == ["Ben"])
    #expect(updated.isSuperset(of: changed.map(\.persistentModelID)))
  }
}
