import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum ToDepots {
  @Model
  final class Bale {
    var number: Int
    var place: Depot?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Depot {
    var name: String
    @Relationship(deleteRule: .noAction, inverse: \Bale.place) var bales: [Bale] = []

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

enum ToShops {
  @Model
  final class Bale {
    var number: Int
    var place: Shop?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Depot {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Shop {
    var name: String
    @Relationship(deleteRule: .noAction, inverse: \Bale.place) var bales: [Bale] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

@Suite("Relationships with another target in a later schema")
struct OtherTargetTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  @Test("A to-one without a foreign key cannot get another model as target")
  func otherTarget() throws {
    let old = try store.open([ToDepots.Bale.self, ToDepots.Depot.self, ToDepots.Shop.self]).freshContext()
    let bale = ToDepots.Bale(1)
    old.insert(bale)
    bale.place = ToDepots.Depot("depot")
    old.insert(ToDepots.Shop("shop"))
    try old.save()
    let models: [any PersistentModel.Type] = [ToShops.Bale.self, ToShops.Depot.self, ToShops.Shop.self]
    // The key of a depot would be taken for that of a shop.
    try expectRefusal(in: store.folder) { try store.open(models) }
  }
}
