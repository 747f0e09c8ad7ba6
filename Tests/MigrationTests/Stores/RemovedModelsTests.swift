import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestSupport

enum WholeFleet {
  @Model
  class Vessel {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Sloop: Vessel {
    var masts = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class Barge: Vessel {
    @Attribute(.externalStorage) var plan: Data

    init(_ number: Int, plan: Data) {
      self.plan = plan
      super.init(number)
    }
  }

  @Model
  final class Port {
    var name: String
    @Relationship(inverse: nil) var moored: [Vessel] = []
    @Relationship(inverse: nil) var largest: Vessel?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Buoy {
    var colour: String
    @Relationship(inverse: nil) var ports: [Port] = []

    init(_ colour: String) {
      self.colour = colour
    }
  }
}

/// Without barges and buoys.
enum SmallFleet {
  @Model
  class Vessel {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Sloop: Vessel {
    var masts = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class Port {
    var name: String
    @Relationship(inverse: nil) var moored: [Vessel] = []
    @Relationship(inverse: nil) var largest: Vessel?

    init(_ name: String) {
      self.name = name
    }
  }
}

@Suite("Models that a schema lacks")
struct RemovedModelsTests {
  private let store: MigratingStore
  private static var whole: [any PersistentModel.Type] {
    [WholeFleet.Vessel.self, WholeFleet.Sloop.self, WholeFleet.Barge.self, WholeFleet.Port.self, WholeFleet.Buoy.self]
  }
  private static var small: [any PersistentModel.Type] {
    [SmallFleet.Vessel.self, SmallFleet.Sloop.self, SmallFleet.Port.self]
  }

  init() throws {
    store = try MigratingStore()
    let context = try store.open(Self.whole).freshContext()
    let (sloop, barge) = (WholeFleet.Sloop(1), WholeFleet.Barge(2, plan: Data(repeating: 7, count: 500_000)))
    context.insert(sloop)
    context.insert(barge)
    let port = WholeFleet.Port("p")
    context.insert(port)
    port.moored = [barge, sloop]
    port.largest = barge
    let buoy = WholeFleet.Buoy("red")
    context.insert(buoy)
    buoy.ports = [port]
    try context.save()
  }

  /// Runs a stage between both schemas.
  private func migrate() throws -> [String] {
    let container = try store.open(Self.whole)
    let database = try #require(container.core.stores.first as? RelationalStore).database
    let schema = Schema(Self.small)
    let layout = StoreLayout(schema: schema, entities: Array(schema.entities.indices))
    let target = MigrationTarget(
      layout: layout, record: try SchemaRecord(schema, layout.tables), loss: .removedModels(["Barge", "Buoy"]))
    let migration = StoreMigration(
      database: database, targets: MigrationTargets([], last: target, from: nil), files: nil)
    let written = try migration.execute(begin: {}, finish: { _ in })
    return try #require(written).obsoleteFiles
  }

  @Test("A schema that lacks models with rows is refused, and nothing is changed")
  func refused() throws {
    let error = try expectRefusal(in: store.folder) { try store.open(Self.small) }
    let issues = error?.details?.issues ?? []
    #expect(Set(issues.map(\.entity)) == ["Barge", "Buoy"])
    for issue in issues {
      // The remedy for a program that only omitted the class comes first.
      let words = try #require(issue.entity.map { "name it: ModelContainer(for: …, \($0).self). To delete them" })
      #expect(issue.message.contains(words), "\(issue.message)")
    }
    #expect(error?.details?.message == "2 changes of the schema keep the store from being opened.")
  }

  @Test("A stage removes the models with their links and files, and the others stay")
  func removed() throws {
    let files = try migrate()
    #expect(files.sorted() == ExternalFiles(store: store.url).names().sorted())
    #expect(files.count == 1)
    for _ in 0..<2 {
      let context = try store.open(Self.small).freshContext()
      #expect(try context.only(SmallFleet.Vessel.self).number == 1)
      let port = try context.only(SmallFleet.Port.self)
      #expect(port.moored.map(\.number) == [1])
      #expect(port.largest == nil)
    }
    #expect(try store.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%Buoy%'") == [])
    #expect(try store.texts("PRAGMA foreign_key_check") == [])
    #expect(try store.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test("Keys of removed models are not reused when the models are added again")
  func keys() throws {
    let last = try #require(try store.texts("SELECT max(_id) FROM Vessel").first.flatMap(Int.init))
    _ = try migrate()
    let context = try store.open(Self.whole).freshContext()
    context.insert(WholeFleet.Barge(3, plan: Data()))
    context.insert(WholeFleet.Buoy("green"))
    try context.save()
    #expect(try store.texts("SELECT 1 FROM Vessel WHERE number = 3 AND _id > \(last)") == ["1"])
    #expect(try store.texts("SELECT _id FROM Buoy") == ["2"])
  }

  @Test("A schema that lacks models without rows needs no stage")
  func none() throws {
    let context = try store.open(Self.whole).freshContext()
    try context.delete(model: WholeFleet.Barge.self)
    try context.delete(model: WholeFleet.Buoy.self)
    try context.save()
    let small = try store.open(Self.small).freshContext()
    #expect(try small.only(SmallFleet.Port.self).moored.map(\.number) == [1])
    #expect(try store.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%Buoy%'") == [])
  }

  @Test("A class between others cannot be removed while models of its subclasses exist", arguments: [false, true])
  func flattened(hasPlan: Bool) throws {
    let store = try MigratingStore()
    let context = try store.open([TallBreeds.Hound.self]).freshContext()
    context.insert(TallBreeds.Hound(tag: "x"))
    try context.save()
    try context.container.close()
    let error = try expectRefusal(in: store.folder) {
      try ModelContainer(
        for: Schema(versionedSchema: FlatBreeds.self), migrationPlan: hasPlan ? BreedPlan.self : nil,
        configurations: ModelConfiguration(url: store.url))
    }
    #expect(error?.details?.issues.first?.entity == "Pet")
    #expect(try store.open([TallBreeds.Hound.self]).freshContext().only(TallBreeds.Hound.self).tag == "x")
  }
}

enum TallBreeds: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Beast.self, Pet.self, Hound.self] }

  @Model
  class Beast {
    var age = 0

    init() {}
  }

  @Model
  class Pet: Beast {
    var tag: String?

    init(tag: String?) {
      self.tag = tag
      super.init()
    }
  }

  @Model
  final class Hound: Pet {
    var size = 0

    override init(tag: String?) {
      super.init(tag: tag)
    }
  }
}

enum FlatBreeds: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Beast.self, Hound.self] }

  @Model
  class Beast {
    var age = 0

    init() {}
  }

  @Model
  final class Hound: Beast {
    var size = 0
    var tag: String?

    init(tag: String?) {
      self.tag = tag
      super.init()
    }
  }
}

enum BreedPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [TallBreeds.self, FlatBreeds.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: TallBreeds.self, toVersion: FlatBreeds.self)] }
}
