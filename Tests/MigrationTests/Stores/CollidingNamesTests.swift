import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

struct CollidingPlace: Codable, Equatable {
  var street: String
}

enum PlaceThenStreet {
  @Model
  final class Firm {
    var number: Int
    var address: CollidingPlace
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var address_street: String

    init(_ number: Int) {
      self.number = number
      address = CollidingPlace(street: "structure")
      address_street = "plain"
    }
  }
}

enum StreetThenPlace {
  @Model
  final class Firm {
    var number: Int
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var address_street: String
    var address: CollidingPlace

    init(_ number: Int) {
      self.number = number
      address = CollidingPlace(street: "structure")
      address_street = "plain"
    }
  }
}

enum OnlyStreet {
  @Model
  final class Firm {
    var number: Int
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var address_street: String

    init(_ number: Int) {
      self.number = number
      address_street = "plain"
    }
  }
}

enum NewPlace {
  @Model
  final class Firm {
    var number: Int
    var address = CollidingPlace(street: "new")
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var address_street: String = "none"

    init(_ number: Int) {
      self.number = number
    }
  }
}

enum DepotThenNumber {
  @Model
  final class Load {
    var number: Int
    var yard: Yard?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var yard_id: Int = 0

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Yard {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}

enum NumberThenDepot {
  @Model
  final class Load {
    var number: Int
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var yard_id: Int = 0
    var yard: Yard?

    init(_ number: Int) {
      self.number = number
    }
  }

  typealias Yard = DepotThenNumber.Yard
}

enum NumberOnly {
  @Model
  final class Load {
    var number: Int
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var yard_id: Int = 0

    init(_ number: Int) {
      self.number = number
    }
  }

  typealias Yard = DepotThenNumber.Yard
}

@Suite("Properties whose column names collide")
struct CollidingNamesTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private func write(_ model: some PersistentModel) throws {
    let context = try store.open([type(of: model)]).freshContext()
    context.insert(model)
    try context.save()
  }

  @Test("Removing a structure keeps the values of a property with the name of its column")
  func removedStructure() throws {
    try write(PlaceThenStreet.Firm(1))
    let container = try store.open([OnlyStreet.Firm.self])
    #expect(try container.freshContext().only(OnlyStreet.Firm.self).address_street == "plain")
  }

  @Test("A new structure gets no values of a property with the name of its column")
  func addedStructure() throws {
    try write(OnlyStreet.Firm(1))
    let container = try store.open([NewPlace.Firm.self])
    let firm = try container.freshContext().only(NewPlace.Firm.self)
    #expect(firm.address == CollidingPlace(street: "new"))
    #expect(firm.address_street == "plain")
  }

  @Test("Reordering a structure and a property with the name of its column keeps both values")
  func swappedStructure() throws {
    try write(PlaceThenStreet.Firm(1))
    let firm = try store.open([StreetThenPlace.Firm.self]).freshContext().only(StreetThenPlace.Firm.self)
    #expect(firm.address == CollidingPlace(street: "structure"))
    #expect(firm.address_street == "plain")
  }

  private func writeLoad() throws {
    let context = try store.open([DepotThenNumber.Load.self, DepotThenNumber.Yard.self]).freshContext()
    let load = DepotThenNumber.Load(1)
    context.insert(load)
    load.yard = DepotThenNumber.Yard("north")
    load.yard_id = 42
    try context.save()
  }

  @Test("Reordering a to-one and a property with the name of its column keeps both values")
  func swappedReference() throws {
    try writeLoad()
    let context = try store.open([NumberThenDepot.Load.self, NumberThenDepot.Yard.self]).freshContext()
    let load = try context.only(NumberThenDepot.Load.self)
    #expect(load.yard?.name == "north")
    #expect(load.yard_id == 42)
  }

  @Test("Removing a to-one keeps the values of a property with the name of its column")
  func removedReference() throws {
    try writeLoad()
    let context = try store.open([NumberOnly.Load.self, NumberOnly.Yard.self]).freshContext()
    #expect(try context.only(NumberOnly.Load.self).yard_id == 42)
  }
}
