import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

struct TakenNamePlace: Codable, Equatable {
  var street: String
}

enum OnlyPlace {
  @Model
  final class Firm {
    var number: Int
    var address: TakenNamePlace

    init(_ number: Int) {
      self.number = number
      address = TakenNamePlace(street: "structure")
    }
  }
}

/// Its column has the name of the one of `address.street`, which is removed.
enum NewStreet {
  @Model
  final class Firm {
    var number: Int
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var address_street: String = "none"

    init(_ number: Int) {
      self.number = number
    }
  }
}

enum NoteOfBoats {
  @Model
  class Craft {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Boat: Craft {
    var note: String?

    init(_ number: Int, _ note: String) {
      self.note = note
      super.init(number)
    }
  }

  @Model
  final class Car: Craft {
    var doors = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }
}

enum NoteOfCars {
  @Model
  class Craft {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Boat: Craft {
    var length = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class Car: Craft {
    var doors = 1
    var note: String?

    init(_ number: Int, _ note: String?) {
      self.note = note
      super.init(number)
    }
  }
}

@Suite("New properties with the column name of a removed one")
struct TakenColumnNameTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  @Test("A structure is replaced by a property with the name of its column")
  func replacedStructure() throws {
    let old = try store.open([OnlyPlace.Firm.self]).freshContext()
    old.insert(OnlyPlace.Firm(1))
    try old.save()
    let firm = try store.open([NewStreet.Firm.self]).freshContext().only(NewStreet.Firm.self)
    #expect(firm.address_street == "none")
    let back = try store.open([OnlyPlace.Firm.self]).freshContext().only(OnlyPlace.Firm.self)
    #expect(back.address.street == "structure")
  }

  @Test("A property moves from one subclass to another")
  func movesToSibling() throws {
    let old = try store.open([NoteOfBoats.Craft.self, NoteOfBoats.Boat.self, NoteOfBoats.Car.self]).freshContext()
    old.insert(NoteOfBoats.Boat(1, "sails"))
    old.insert(NoteOfBoats.Car(2))
    try old.save()
    let models: [any PersistentModel.Type] = [NoteOfCars.Craft.self, NoteOfCars.Boat.self, NoteOfCars.Car.self]
    #expect(try store.open(models).freshContext().only(NoteOfCars.Car.self).note == nil)
    let back = try store.open([NoteOfBoats.Craft.self, NoteOfBoats.Boat.self, NoteOfBoats.Car.self]).freshContext()
    #expect(try back.only(NoteOfBoats.Boat.self).note == "sails")
  }
}
