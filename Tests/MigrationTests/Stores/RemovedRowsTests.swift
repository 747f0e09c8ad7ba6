import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// With rafts and anchorages, and with fewer required values.
enum WideHarbour: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] {
    [Anchorage.self, Craft.self, Raft.self, Tug.self, Crew.self]
  }

  // Its table is checked before its target's, because of its name.
  @Model
  final class Anchorage {
    @Relationship(inverse: nil) var held: Craft
    @Relationship(inverse: nil) var spare: Craft?

    init(held: Craft) {
      self.held = held
    }
  }

  @Model
  class Craft {
    var number: Int
    var name: String?
    var weight: Int
    @Relationship(inverse: nil) var partner: Craft?

    init(_ number: Int, name: String?, weight: Int) {
      self.number = number
      self.name = name
      self.weight = weight
    }
  }

  @Model
  final class Raft: Craft {
    var planks = 10

    override init(_ number: Int, name: String?, weight: Int) {
      super.init(number, name: name, weight: weight)
    }
  }

  @Model
  final class Tug: Craft {
    var power = 1

    override init(_ number: Int, name: String?, weight: Int) {
      super.init(number, name: name, weight: weight)
    }
  }

  @Model
  final class Crew {
    var name: String
    @Relationship(inverse: nil) var crafts: [Craft] = []
    @Relationship(inverse: nil) var home: Craft?

    init(_ name: String) {
      self.name = name
    }
  }
}

/// Some rows prevent each of the changes.
enum NarrowHarbour: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Craft.self, Tug.self, Crew.self] }

  @Model
  class Craft {
    @Attribute(.unique) var number: Int
    var name: String
    var weight: Int8
    var partner: Craft?

    init(_ number: Int, name: String, weight: Int8) {
      self.number = number
      self.name = name
      self.weight = weight
    }
  }

  @Model
  final class Tug: Craft {
    var power = 1

    override init(_ number: Int, name: String, weight: Int8) {
      super.init(number, name: name, weight: weight)
    }
  }

  @Model
  final class Crew {
    var name: String
    @Relationship(originalName: "crafts", inverse: nil) var craft: Craft?
    @Relationship(inverse: nil) var home: Craft

    init(_ name: String, home: Craft) {
      self.name = name
      self.home = home
    }
  }
}

enum HarbourPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [WideHarbour.self, NarrowHarbour.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: WideHarbour.self, toVersion: NarrowHarbour.self)] }
}

enum CodedDecks {
  @Model
  class Deck {
    var number: Int
    var code: String

    init(_ number: Int, code: String) {
      self.number = number
      self.code = code
    }
  }

  @Model
  final class Cabin: Deck {
    var beds = 2

    override init(_ number: Int, code: String) {
      super.init(number, code: code)
    }
  }
}

enum PlainDecks: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Deck.self, Cabin.self] }

  @Model
  class Deck {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Cabin: Deck {
    var beds = 2

    override init(_ number: Int) {
      super.init(number)
    }
  }
}

/// The codes are there again, and cabins are not.
enum OpenDecks: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Deck.self] }

  @Model
  final class Deck {
    var number: Int
    var code: String

    init(_ number: Int, code: String) {
      self.number = number
      self.code = code
    }
  }
}

enum DeckPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [PlainDecks.self, OpenDecks.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: PlainDecks.self, toVersion: OpenDecks.self)] }
}

/// The numbers are unique, and cabins are not there.
enum NumberedDecks: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Deck.self] }

  @Model
  final class Deck {
    @Attribute(.unique) var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }
}

enum NumberPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [PlainDecks.self, NumberedDecks.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: PlainDecks.self, toVersion: NumberedDecks.self)] }
}

enum FullAttics: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Attic.self, Box.self] }

  @Model
  final class Attic {
    var name: String
    @Relationship(inverse: nil) var box: Box?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Box {
    var size = 1

    init() {}
  }
}

enum EmptyAttics: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Attic.self] }

  @Model
  final class Attic {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}

enum AtticPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FullAttics.self, EmptyAttics.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: FullAttics.self, toVersion: EmptyAttics.self)] }
}

@Suite("Rows of models that a stage removes")
struct RemovedRowsTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private func open(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan, configurations: ModelConfiguration(url: store.url))
  }

  /// Writes two rafts that break every rule of the next version, and two tugs that break only the given ones.
  private func writeHarbour(name: String? = "t", weight: Int = 5, isAtHomeOnRaft: Bool = false) throws {
    let container = try open(WideHarbour.self)
    let context = container.freshContext()
    let tugs = [WideHarbour.Tug(1, name: name, weight: weight), WideHarbour.Tug(2, name: "u", weight: 6)]
    let rafts = [WideHarbour.Raft(1, name: nil, weight: 300), WideHarbour.Raft(3, name: nil, weight: 4)]
    for tug in tugs { context.insert(tug) }
    for raft in rafts { context.insert(raft) }
    tugs[0].partner = tugs[1]
    rafts[0].partner = tugs[0]
    let crew = WideHarbour.Crew("c")
    context.insert(crew)
    crew.crafts = [rafts[0], tugs[1]]
    crew.home = isAtHomeOnRaft ? rafts[1] : tugs[0]
    let anchorage = WideHarbour.Anchorage(held: rafts[0])
    context.insert(anchorage)
    anchorage.spare = rafts[1]
    try context.save()
    try container.close()
  }

  @Test("Removed models need not satisfy the next version's values, types, constraints and relationships")
  func leftOut() throws {
    try writeHarbour()
    let preview = try MigrationInspector(
      for: Schema(versionedSchema: NarrowHarbour.self), migrationPlan: HarbourPlan.self,
      configurations: ModelConfiguration(url: store.url)
    ).preview()
    #expect(preview.issues == [])
    _ = try open(NarrowHarbour.self, HarbourPlan.self)
    let context = try open(NarrowHarbour.self).freshContext()
    let crafts = try context.all(NarrowHarbour.Craft.self, by: \.number)
    #expect(crafts.map(\.number) == [1, 2])
    #expect(crafts.map(\.name) == ["t", "u"])
    #expect(crafts.map(\.weight) == [5, 6])
    #expect(crafts.map { $0.partner?.number } == [2, 1])
    let crew = try context.only(NarrowHarbour.Crew.self)
    #expect(crew.craft?.number == 2)
    #expect(crew.home.number == 1)
    #expect(try store.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%Anchorage%'") == [])
    #expect(try store.texts("PRAGMA foreign_key_check") == [])
    #expect(try store.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test("Missing values of the other models are counted, and nothing is changed")
  func missingValue() throws {
    try writeHarbour(name: nil)
    let error = try expectRefusal(in: store.folder) { try open(NarrowHarbour.self, HarbourPlan.self) }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.property) == ["name"])
    #expect(issues.first?.message.contains("1 model of the store has no value of it") == true)
  }

  @Test("Unfit values of the other models are counted, and nothing is changed")
  func unfitValue() throws {
    try writeHarbour(weight: 300)
    let error = try expectRefusal(in: store.folder) { try open(NarrowHarbour.self, HarbourPlan.self) }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.property) == ["weight"])
    #expect(issues.first?.message.contains("1 model of the store has a value of it") == true)
  }

  @Test("A to-one that becomes required and references a removed model is refused")
  func lostTarget() throws {
    try writeHarbour(isAtHomeOnRaft: true)
    let error = try expectRefusal(in: store.folder) { try open(NarrowHarbour.self, HarbourPlan.self) }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.entity) == ["Crew"])
    #expect(issues.map(\.property) == ["home"])
    #expect(issues.first?.message.contains("once the models that the schema lacks are removed") == true)
  }

  @Test("Archived required values are restored although removed models have none")
  func returningValues() throws {
    let first = try store.open([CodedDecks.Deck.self, CodedDecks.Cabin.self]).freshContext()
    first.insert(CodedDecks.Deck(1, code: "a"))
    try first.save()
    let second = try open(PlainDecks.self).freshContext()
    second.insert(PlainDecks.Cabin(2))
    try second.save()
    let context = try open(OpenDecks.self, DeckPlan.self).freshContext()
    let deck = try context.only(OpenDecks.Deck.self)
    #expect(deck.number == 1)
    #expect(deck.code == "a")
    #expect(try store.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%kept%code%'") == [])
  }

  @Test("Restoring a required property is refused if a remaining model has no value, and nothing is changed")
  func missingReturningValue() throws {
    let first = try store.open([CodedDecks.Deck.self, CodedDecks.Cabin.self])
    let coded = first.freshContext()
    coded.insert(CodedDecks.Deck(1, code: "a"))
    try coded.save()
    try first.close()
    let second = try open(PlainDecks.self)
    let context = second.freshContext()
    context.insert(PlainDecks.Cabin(2))
    context.insert(PlainDecks.Deck(3))
    try context.save()
    try second.close()
    let error = try expectRefusal(in: store.folder) { try open(OpenDecks.self, DeckPlan.self) }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.property) == ["code"])
    #expect(issues.first?.message.contains("there are models that have no value of it") == true)
  }

  @Test("Only repeated values of remaining models violate a new constraint", arguments: [1, 2])
  func repeatedValues(count: Int) throws {
    let container = try open(PlainDecks.self)
    let context = container.freshContext()
    for _ in 0..<count { context.insert(PlainDecks.Deck(7)) }
    context.insert(PlainDecks.Cabin(7))
    try context.save()
    try container.close()
    let preview = try MigrationInspector(
      for: Schema(versionedSchema: NumberedDecks.self), migrationPlan: NumberPlan.self,
      configurations: ModelConfiguration(url: store.url)
    ).preview()
    if count == 1 {
      #expect(preview.issues == [])
      let decks = try open(NumberedDecks.self, NumberPlan.self).freshContext()
      #expect(try decks.only(NumberedDecks.Deck.self).number == 7)
    } else {
      #expect(preview.issues.map(\.property) == ["number"])
      #expect(preview.issues.first?.message.contains("7 (2 models)") == true)
      let error = try expectRefusal(in: store.folder) { try open(NumberedDecks.self, NumberPlan.self) }
      #expect(error?.details?.issues.first?.message.contains("7 (2 models)") == true)
    }
  }

  @Test("A to-one archived together with its target is restored without a target")
  func returningModel() throws {
    let container = try open(FullAttics.self)
    let context = container.freshContext()
    let attic = FullAttics.Attic("a")
    context.insert(attic)
    attic.box = FullAttics.Box()
    try context.save()
    try container.close()
    _ = try open(EmptyAttics.self, AtticPlan.self)
    #expect(try store.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%kept%'") == [])
    let again = try open(FullAttics.self).freshContext()
    #expect(try again.only(FullAttics.Attic.self).name == "a")
    #expect(try again.only(FullAttics.Attic.self).box == nil)
    #expect(try again.fetchCount(FetchDescriptor<FullAttics.Box>()) == 0)
  }
}
