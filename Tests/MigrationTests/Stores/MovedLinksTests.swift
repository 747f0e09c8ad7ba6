import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum OneWearer {
  @Model
  final class Coat {
    var name: String
    var wearer: Wearer?
    @Relationship(inverse: nil) var shop: Shop?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Wearer {
    var name: String
    @Relationship(inverse: \Coat.wearer) var coats: [Coat] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Shop {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}

enum SeveralWearers {
  @Model
  final class Coat {
    var name: String
    @Relationship(originalName: "wearer", inverse: \Wearer.coats) var wearers: [Wearer] = []
    @Relationship(originalName: "shop", inverse: nil) var shops: [Shop] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Wearer {
    var name: String
    var coats: [Coat] = []

    init(_ name: String) {
      self.name = name
    }
  }

  typealias Shop = OneWearer.Shop
}

enum OneWearerAgain {
  @Model
  final class Coat {
    var name: String
    @Relationship(originalName: "wearers") var wearer: Wearer?
    @Relationship(originalName: "shops", inverse: nil) var shop: Shop?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Wearer {
    var name: String
    @Relationship(inverse: \Coat.wearer) var coats: [Coat] = []

    init(_ name: String) {
      self.name = name
    }
  }

  typealias Shop = OneWearer.Shop
}

@Suite("Relationships stored in another way")
struct MovedLinksTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
    let context = try one()
    let wearers = ["x", "y"].map(OneWearer.Wearer.init)
    let coats = ["a", "b", "c"].map(OneWearer.Coat.init)
    for wearer in wearers { context.insert(wearer) }
    for coat in coats { context.insert(coat) }
    wearers[0].coats = [coats[2], coats[0]]
    coats[0].shop = OneWearer.Shop("s")
    coats[1].shop = coats[0].shop
    try context.save()
  }

  private func one() throws -> ModelContext {
    try store.open([OneWearer.Coat.self, OneWearer.Wearer.self, OneWearer.Shop.self]).freshContext()
  }

  private func several() throws -> ModelContext {
    try store.open([SeveralWearers.Coat.self, SeveralWearers.Wearer.self, SeveralWearers.Shop.self]).freshContext()
  }

  private func oneAgain() throws -> ModelContainer {
    try store.open([OneWearerAgain.Coat.self, OneWearerAgain.Wearer.self, OneWearerAgain.Shop.self])
  }

  private func expectSound() throws {
    let archives = "SELECT name FROM sqlite_schema WHERE name LIKE 'swiftdata_moved%' OR name LIKE 'swiftdata_kept%'"
    #expect(try store.texts(archives) == [])
    #expect(try store.texts("PRAGMA foreign_key_check") == [])
    #expect(try store.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test("A to-one that becomes a to-many has its target as the only member, and the inverse keeps its order")
  func toMany() throws {
    for _ in 0..<2 {
      let context = try several()
      let coats = try context.all(SeveralWearers.Coat.self, by: \.name)
      #expect(coats.map { $0.wearers.map(\.name) } == [["x"], [], ["x"]])
      #expect(coats.map { $0.shops.map(\.name) } == [["s"], ["s"], []])
      let wearers = try context.all(SeveralWearers.Wearer.self, by: \.name)
      #expect(wearers.map { $0.coats.map(\.name) } == [["c", "a"], []])
    }
    try expectSound()
    // New members come last.
    let context = try several()
    let wearer = try #require(try context.all(SeveralWearers.Wearer.self, by: \.name).first)
    wearer.coats.append(try context.all(SeveralWearers.Coat.self, by: \.name)[1])
    try context.save()
    let later = try #require(try several().all(SeveralWearers.Wearer.self, by: \.name).first)
    #expect(later.coats.map(\.name) == ["c", "a", "b"])
  }

  @Test("A to-many that becomes a to-one has its only member as target, and the inverse keeps its order")
  func toOne() throws {
    _ = try several()
    for _ in 0..<2 {
      let context = try oneAgain().freshContext()
      let coats = try context.all(OneWearerAgain.Coat.self, by: \.name)
      #expect(coats.map { $0.wearer?.name } == ["x", nil, "x"])
      #expect(coats.map { $0.shop?.name } == ["s", "s", nil])
      let wearers = try context.all(OneWearerAgain.Wearer.self, by: \.name)
      #expect(wearers.map { $0.coats.map(\.name) } == [["c", "a"], []])
    }
    try expectSound()
    let context = try oneAgain().freshContext()
    let wearer = try #require(try context.all(OneWearerAgain.Wearer.self, by: \.name).first)
    wearer.coats.append(try context.all(OneWearerAgain.Coat.self, by: \.name)[1])
    try context.save()
    let later = try oneAgain().freshContext()
    #expect(try later.all(OneWearerAgain.Wearer.self, by: \.name).first?.coats.map(\.name) == ["c", "a", "b"])
  }

  @Test("A to-many with several members cannot become a to-one, and nothing is changed")
  func severalMembers() throws {
    let context = try several()
    let coats = try context.all(SeveralWearers.Coat.self, by: \.name)
    let wearers = try context.all(SeveralWearers.Wearer.self, by: \.name)
    coats[0].wearers.append(wearers[1])
    try context.save()
    let error = try expectRefusal(in: store.folder) { try oneAgain() }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.property) == ["wearer"])
    #expect(issues.first?.message.contains("1 model of the store has more than one") == true)
    coats[0].wearers.removeLast()
    try context.save()
    #expect(try oneAgain().freshContext().all(OneWearerAgain.Coat.self, by: \.name).first?.wearer?.name == "x")
  }
}
