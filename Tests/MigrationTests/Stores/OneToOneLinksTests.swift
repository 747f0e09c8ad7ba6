import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum SharedGarages {
  @Model
  final class Cart {
    var number: Int
    var garage: Garage?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Garage {
    var name: String
    @Relationship(originalName: "cart", inverse: \Cart.garage) var carts: [Cart] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

enum OneWayGarages {
  @Model
  final class Cart {
    var number: Int
    @Relationship(inverse: nil) var garage: Garage?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Garage {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}

/// The carts have the foreign key, as in the other schemas.
enum SoleGarages {
  @Model
  final class Cart {
    var number: Int
    var garage: Garage?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Garage {
    var name: String
    @Relationship(originalName: "carts", inverse: \Cart.garage) var cart: Cart?

    init(_ name: String) {
      self.name = name
    }
  }
}

@Suite("To-ones whose inverse becomes a to-one")
struct OneToOneLinksTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private func shared() throws -> ModelContainer {
    try store.open([SharedGarages.Cart.self, SharedGarages.Garage.self])
  }

  private func sole() throws -> ModelContainer {
    try store.open([SoleGarages.Cart.self, SoleGarages.Garage.self])
  }

  /// - Parameter isShared: Whether the garages have the inverse relationship.
  private func write(isShared: Bool) throws {
    if isShared {
      let context = try shared().freshContext()
      let garage = SharedGarages.Garage("g")
      context.insert(garage)
      for number in 1...3 {
        let cart = SharedGarages.Cart(number)
        context.insert(cart)
        cart.garage = number < 3 ? garage : nil
      }
      try context.save()
    } else {
      let context = try store.open([OneWayGarages.Cart.self, OneWayGarages.Garage.self]).freshContext()
      let garage = OneWayGarages.Garage("g")
      context.insert(garage)
      for number in 1...3 {
        let cart = OneWayGarages.Cart(number)
        context.insert(cart)
        cart.garage = number < 3 ? garage : nil
      }
      try context.save()
    }
  }

  @Test("Targets with several references are counted, and nothing is changed", arguments: [false, true])
  func repeatedTargets(isShared: Bool) throws {
    try write(isShared: isShared)
    let error = try expectRefusal(in: store.folder) { try sole() }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.entity) == ["Cart"])
    #expect(issues.map(\.property) == ["garage"])
    let violation = "1 model of the store has several references to it, such as row 1 of Garage"
    #expect(issues.first?.message.contains(violation) == true)
    #expect(try store.texts("SELECT number FROM Cart WHERE garage_id = 1 ORDER BY number") == ["1", "2"])
  }

  @Test("References to distinct targets stay", arguments: [false, true])
  func soleTargets(isShared: Bool) throws {
    try write(isShared: isShared)
    try StoreFiles.execute("UPDATE Cart SET garage_id = NULL WHERE number = 1", at: store.url)
    for _ in 0..<2 {
      let context = try sole().freshContext()
      let carts = try context.all(SoleGarages.Cart.self, by: \.number)
      #expect(carts.map { $0.garage?.name } == [nil, "g", nil])
      #expect(try context.only(SoleGarages.Garage.self).cart?.number == 2)
    }
  }

  @Test("A one-to-one becomes a one-to-many with its present links")
  func becomesOneToMany() throws {
    let context = try sole().freshContext()
    let cart = SoleGarages.Cart(1)
    context.insert(cart)
    cart.garage = SoleGarages.Garage("g")
    context.insert(SoleGarages.Cart(2))
    try context.save()
    let later = try shared().freshContext()
    let garage = try later.only(SharedGarages.Garage.self)
    #expect(garage.carts.map(\.number) == [1])
    garage.carts.append(try later.all(SharedGarages.Cart.self, by: \.number)[1])
    try later.save()
    let found = try shared().freshContext().only(SharedGarages.Garage.self)
    #expect(found.carts.map(\.number).sorted() == [1, 2])
    let error = try expectRefusal(in: store.folder) { try sole() }
    #expect(error?.details?.issues.map(\.property) == ["garage"])
  }

  @Test("Archived links are checked as well when they are restored as a one-to-one")
  func returningLinks() throws {
    try write(isShared: true)
    _ = try store.open([BareGarages.Cart.self, BareGarages.Garage.self])
    let error = try expectRefusal(in: store.folder) { try sole() }
    #expect(error?.details?.issues.map(\.property) == ["garage"])
    #expect(try shared().freshContext().only(SharedGarages.Garage.self).carts.map(\.number).sorted() == [1, 2])
  }
}

enum BareGarages {
  @Model
  final class Cart {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  typealias Garage = OneWayGarages.Garage
}
