import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum Lone {
  @Model
  final class Skater {
    var name: String
    var partner: Skater?

    init(_ name: String) {
      self.name = name
    }
  }
}

enum LoneOneWay {
  @Model
  final class Skater {
    var name: String
    @Relationship(inverse: nil) var partner: Skater?

    init(_ name: String) {
      self.name = name
    }
  }
}

enum LoneRemoved {
  @Model
  final class Skater {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}

enum LoneRenamed {
  @Model
  final class Skater {
    var name: String
    @Relationship(originalName: "partner") var companion: Skater?

    init(_ name: String) {
      self.name = name
    }
  }
}

enum LoneInherited {
  @Model
  class Skater {
    var name: String
    var partner: Skater?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Champion: Skater {
    var medals = 0
    var rival: Champion?

    override init(_ name: String) {
      super.init(name)
    }
  }
}

/// Two versions with a custom stage between them. A store of an earlier release can have the second version with incomplete
/// links.
enum LonePlan: SchemaMigrationPlan {
  enum First: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [LoneRemoved.Skater.self] }
  }

  enum Second: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Lone.Skater.self] }
  }

  static var schemas: [any VersionedSchema.Type] { [First.self, Second.self] }
  static var stages: [MigrationStage] {
    [.custom(fromVersion: First.self, toVersion: Second.self, willMigrate: { _ in }, didMigrate: nil)]
  }
}

enum NotLone {
  @Model
  final class Ancestor {
    var mother: Ancestor?
    var father: Ancestor?

    init() {}
  }

  @Model
  final class Leaf {
    var parent: Leaf?
    var children: [Leaf] = []

    init() {}
  }

  @Model
  final class Branch {
    @Relationship(inverse: \Branch.parent) var children: [Branch] = []
    var parent: Branch?
    var previous: Branch?

    init() {}
  }
}

@Suite("A to-one that is the only relationship of a model to itself")
struct OwnInverseTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private func inverse(_ property: String, of type: any PersistentModel.Type) throws -> String? {
    let entity = try #require(Schema([type]).entity(forType: type))
    return try #require(entity.relationshipsByName[property]).inverseName
  }

  /// Writes skaters by name with a one-way schema.
  private func write(_ partners: [String: String]) throws {
    let context = ModelContext(try store.open([LoneOneWay.Skater.self]))
    var skaters: [String: LoneOneWay.Skater] = [:]
    for name in Set(partners.keys).union(partners.values).sorted() {
      let skater = LoneOneWay.Skater(name)
      context.insert(skater)
      skaters[name] = skater
    }
    for (name, partner) in partners { skaters[name]?.partner = skaters[partner] }
    try context.save()
  }

  private func partners(_ context: ModelContext) throws -> [String: String] {
    let skaters = try context.fetch(FetchDescriptor<Lone.Skater>())
    return Dictionary(
      uniqueKeysWithValues: skaters.compactMap { skater in skater.partner.map { (skater.name, $0.name) } })
  }

  @Test("Such a to-one is its own inverse, and inverse: nil makes it one-way")
  func isOwnInverse() throws {
    #expect(try inverse("partner", of: Lone.Skater.self) == "partner")
    #expect(try inverse("partner", of: LoneOneWay.Skater.self) == nil)
    #expect(try inverse("partner", of: LoneInherited.Champion.self) == "partner")
    #expect(try inverse("rival", of: LoneInherited.Champion.self) == "rival")
  }

  @Test("With another relationship of the model to itself, such a to-one has no implicit inverse")
  func besideOthers() throws {
    #expect(try inverse("mother", of: NotLone.Ancestor.self) == nil)
    #expect(try inverse("father", of: NotLone.Ancestor.self) == nil)
    #expect(try inverse("parent", of: NotLone.Leaf.self) == "children")
    #expect(try inverse("previous", of: NotLone.Branch.self) == nil)
  }

  @Test("Setting the to-one sets it on the target and clears it on the earlier partner", arguments: [false, true])
  func setsBothSides(isSaved: Bool) throws {
    let container = try store.open([Lone.Skater.self])
    let context = ModelContext(container)
    let (ada, bob, cleo) = (Lone.Skater("a"), Lone.Skater("b"), Lone.Skater("c"))
    for skater in [ada, bob, cleo] { context.insert(skater) }
    if isSaved { try context.save() }
    ada.partner = bob
    #expect(bob.partner === ada)
    if isSaved { try context.save() }
    cleo.partner = bob
    #expect(bob.partner === cleo)
    #expect(ada.partner == nil)
    ada.partner = ada
    #expect(ada.partner === ada)
    try context.save()
    #expect(try partners(container.freshContext()) == ["a": "a", "b": "c", "c": "b"])
    expectSound(context)
    #if DEBUG
      #expect(context.graph.disagreements == [])
    #endif
    bob.partner = nil
    #expect(cleo.partner == nil)
    context.rollback()
    #expect(cleo.partner === bob)
    context.delete(cleo)
    #expect(bob.partner == nil)
    try context.save()
    #expect(try partners(container.freshContext()) == ["a": "a"])
  }

  @Test("Two contexts that pair the same model with different ones leave consistent pairs", arguments: [false, true])
  func twoContexts(isFetchedAgain: Bool) throws {
    let container = try store.open([Lone.Skater.self])
    let setup = ModelContext(container)
    for name in ["a", "b", "c", "d"] { setup.insert(Lone.Skater(name)) }
    try setup.save()
    func skaters(_ context: ModelContext) throws -> [Lone.Skater] {
      try context.fetch(FetchDescriptor<Lone.Skater>(sortBy: [SortDescriptor(\.name)]))
    }
    let (first, second) = (ModelContext(container), ModelContext(container))
    let (ones, twos) = (try skaters(first), try skaters(second))
    ones[0].partner = ones[1]
    twos[2].partner = twos[1]
    twos[3].partner = twos[0]
    try first.save()
    if isFetchedAgain { _ = try skaters(second) }
    try second.save()
    _ = try skaters(first)
    _ = try skaters(second)
    let expected = ["a": "d", "b": "c", "c": "b", "d": "a"]
    #expect(try partners(container.freshContext()) == expected)
    #expect(try partners(first) == expected)
    #expect(try partners(second) == expected)
    expectSound(first)
    expectSound(second)
  }

  @Test("A subclass inherits a to-one that is its own inverse and can have another")
  func inherited() throws {
    let container = try store.open([LoneInherited.Champion.self])
    let context = ModelContext(container)
    let skater = LoneInherited.Skater("s")
    let (champion, rival) = (LoneInherited.Champion("c"), LoneInherited.Champion("r"))
    for skater in [skater, champion, rival] { context.insert(skater) }
    champion.partner = skater
    champion.rival = rival
    #expect(skater.partner === champion)
    #expect(rival.rival === champion)
    try context.save()
    let found = try container.freshContext().fetch(FetchDescriptor<LoneInherited.Champion>(sortBy: [.init(\.name)]))
    #expect(found.map { $0.rival?.name } == ["r", "c"])
    #expect(found[0].partner?.partner === found[0])
  }

  @Test("A store with a one-way to-one is migrated by adding the missing links")
  func completed() throws {
    try write(["a": "b", "c": "d", "d": "c", "e": "e"])
    let context = try store.open([Lone.Skater.self]).freshContext()
    #expect(try partners(context) == ["a": "b", "b": "a", "c": "d", "d": "c", "e": "e"])
    #if DEBUG
      #expect(context.graph.disagreements == [])
    #endif
    // The schema can become one-way again.
    let back = try store.open([LoneOneWay.Skater.self]).freshContext()
    let skaters = try back.fetch(FetchDescriptor<LoneOneWay.Skater>(sortBy: [SortDescriptor(\.name)]))
    #expect(skaters.map { $0.partner?.name } == ["b", "a", "d", "c", "e"])
  }

  @Test("A store whose links contradict the inverse is refused and not changed")
  func contradicting() throws {
    for partners in [["a": "b", "b": "c"], ["a": "b", "c": "b"], ["a": "b", "b": "a", "c": "a"]] {
      let store = try OwnInverseTests()
      try store.write(partners)
      let error = try expectRefusal(in: store.store.folder) { try store.store.open([Lone.Skater.self]) }
      let issue = try #require(error?.details?.issues.first)
      #expect(issue.entity == "Skater")
      #expect(issue.property == "partner")
      #expect(issue.message.contains("inverse: nil"))
      let context = try store.store.open([LoneOneWay.Skater.self]).freshContext()
      let skaters = try context.fetch(FetchDescriptor<LoneOneWay.Skater>())
      #expect(skaters.count { $0.partner != nil } == partners.count)
    }
  }

  @Test("Adding missing links is no model change that a migration plan's stage has to handle")
  func migrationPlan() throws {
    for partners in [["a": "b"], ["a": "b", "b": "a"]] {
      let store = try OwnInverseTests()
      try store.write(partners)
      for _ in 1...2 {
        let container = try ModelContainer(
          for: Schema(versionedSchema: LonePlan.Second.self), migrationPlan: LonePlan.self,
          configurations: ModelConfiguration(url: store.store.url))
        #expect(try store.partners(container.freshContext()) == ["a": "b", "b": "a"])
      }
    }
  }

  @Test("Missing links are added along with a renaming")
  func renamed() throws {
    try write(["a": "b"])
    let context = try store.open([LoneRenamed.Skater.self]).freshContext()
    let skaters = try context.fetch(FetchDescriptor<LoneRenamed.Skater>(sortBy: [SortDescriptor(\.name)]))
    #expect(skaters.map { $0.companion?.name } == ["b", "a"])
  }

  @Test("Missing links are added when a removed to-one is restored, and contradicting ones are refused")
  func restored() throws {
    try write(["a": "b"])
    _ = try store.open([LoneRemoved.Skater.self])
    #expect(try partners(store.open([Lone.Skater.self]).freshContext()) == ["a": "b", "b": "a"])
    let other = try OwnInverseTests()
    try other.write(["a": "b", "b": "c"])
    _ = try other.store.open([LoneRemoved.Skater.self])
    try expectRefusal(in: other.store.folder) { try other.store.open([Lone.Skater.self]) }
  }

  @Test("A read-only store opens when no link is missing, and is refused otherwise")
  func readOnly() throws {
    func reader(_ store: MigratingStore) throws -> ModelContainer {
      try ModelContainer(
        for: Lone.Skater.self, configurations: ModelConfiguration(url: store.url, allowsSave: false))
    }
    try write(["a": "b", "b": "a"])
    #expect(try partners(reader(store).freshContext()) == ["a": "b", "b": "a"])
    let other = try OwnInverseTests()
    try other.write(["a": "b"])
    try expectRefusal(in: other.store.folder) { try reader(other.store) }
  }
}
