import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Migration of several stores")
struct SeveralStoresMigrationTests {
  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Depot.self, Parcel.self] }

    @Model
    final class Depot {
      var name: String

      init(name: String) {
        self.name = name
      }
    }

    @Model
    final class Parcel {
      var weight: Int

      init(weight: Int) {
        self.weight = weight
      }
    }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Depot.self, Parcel.self, Label.self] }

    @Model
    final class Depot {
      var name: String
      var parcels = 0

      init(name: String) {
        self.name = name
      }
    }

    @Model
    final class Parcel {
      var weight: Int
      var isHeavy = false

      init(weight: Int) {
        self.weight = weight
      }
    }

    @Model
    final class Label {
      var text: String

      init(text: String) {
        self.text = text
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    @TaskLocal static var failure: (any Error & Sendable)?

    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      let failure = failure
      return [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            context.insert(V1.Parcel(weight: 100))
            try context.save()
          },
          didMigrate: { context in
            let parcels = try context.fetch(FetchDescriptor<V2.Parcel>())
            for parcel in parcels { parcel.isHeavy = parcel.weight > 50 }
            for depot in try context.fetch(FetchDescriptor<V2.Depot>()) { depot.parcels = parcels.count }
            context.insert(V2.Label(text: "new"))
            try context.save()
            if let failure { throw failure }
          })
      ]
    }
  }

  private struct Failure: Error {}

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func configurations(_ version: any VersionedSchema.Type) -> [ModelConfiguration] {
    let parcels = version.models.filter { "\($0)" != "Depot" }
    let depots = version.models.filter { "\($0)" == "Depot" }
    return [
      ModelConfiguration("parcels", schema: Schema(parcels), url: folder.file("parcels.store")),
      ModelConfiguration("depots", schema: Schema(depots), url: folder.file("depots.store")),
    ]
  }

  private func open(_ version: any VersionedSchema.Type, plan: Bool = true) throws -> ModelContext {
    try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan ? Plan.self : nil,
      configurations: configurations(version)
    ).freshContext()
  }

  private func write() throws {
    let context = try open(V1.self, plan: false)
    context.insert(V1.Depot(name: "north"))
    for weight in [10, 60] { context.insert(V1.Parcel(weight: weight)) }
    try context.save()
    try context.container.close()
  }

  private func expectNew(_ context: ModelContext) throws {
    let parcels = try context.fetch(FetchDescriptor<V2.Parcel>(sortBy: [SortDescriptor(\.weight)]))
    #expect(parcels.map(\.weight) == [10, 60, 100])
    #expect(parcels.map(\.isHeavy) == [false, true, true])
    #expect(try context.fetch(FetchDescriptor<V2.Depot>()).map(\.parcels) == [3])
    #expect(try context.fetch(FetchDescriptor<V2.Label>()).map(\.text) == ["new"])
  }

  @Test("Stages see the models of all stores, and each model stays in its store")
  func allStores() throws {
    try write()
    try expectNew(open(V2.self))
    try expectNew(open(V2.self))
    #expect(try StoreFiles.texts("SELECT name FROM Depot", at: folder.file("depots.store")) == ["north"])
    #expect(try StoreFiles.texts("SELECT text FROM Label", at: folder.file("parcels.store")) == ["new"])
  }

  @Test("A failed stage leaves all stores unchanged")
  func failure() throws {
    try write()
    let error = try expectRefusal(in: folder) {
      try Plan.$failure.withValue(Failure()) { try open(V2.self).container }
    }
    #expect(error?.details?.underlyingError is Failure)
    try expectNew(open(V2.self))
  }

  @Test("A missing store is created with the last version")
  func missingStore() throws {
    try write()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where name.hasPrefix("depots") {
      try FileManager.default.removeItem(at: folder.file(name))
    }
    let context = try open(V2.self)
    #expect(try context.fetchCount(FetchDescriptor<V2.Parcel>()) == 3)
    #expect(try context.fetchCount(FetchDescriptor<V2.Depot>()) == 0)
    context.insert(V2.Depot(name: "south"))
    try context.save()
  }

  @Test("A plan does not remove models that now belong to another configuration")
  func movedModels() throws {
    let all = ModelConfiguration("all", url: folder.file("all.store"))
    do {
      let container = try ModelContainer(for: Schema(versionedSchema: V1.self), configurations: all)
      let context = container.freshContext()
      context.insert(V1.Parcel(weight: 1))
      try context.save()
      try container.close()
    }
    let parcels = ModelConfiguration("parcels", schema: Schema([V2.Parcel.self]), url: folder.file("parcels.store"))
    let error = try expectRefusal(in: folder) {
      try ModelContainer(
        for: Schema(versionedSchema: V2.self), migrationPlan: Plan.self, configurations: all, parcels)
    }
    #expect(error?.details?.issues.map(\.entity) == ["Parcel"])
  }

  @Test("A read-only store takes part unchanged, or prevents the stages")
  func readOnlyStore() throws {
    try write()
    func open(_ version: any VersionedSchema.Type, reading name: String) throws -> ModelContext {
      let configurations = configurations(version).map { configuration in
        configuration.name == name
          ? ModelConfiguration(name, schema: configuration.schema, url: configuration.url, allowsSave: false)
          : configuration
      }
      return try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: Plan.self, configurations: configurations
      ).freshContext()
    }
    let error = try expectRefusal(in: folder) { try open(V2.self, reading: "depots").container }
    #expect(error?.details?.message?.contains("depots is read-only") == true)
    try expectNew(open(V2.self, reading: ""))
    try expectNew(open(V2.self, reading: "depots"))
  }
}
