import Foundation
import SwiftData

@testable import TestSupport

// Models that use every option of their properties. They are nested, because entities are named by simple names.

/// People with pets: attributes of every kind, relationships both ways, constraints and indexes.
enum Household {
  enum Mood: String, Codable {
    case calm, wild
  }

  struct Place: Codable, Hashable {
    var latitude: Double
    var longitude: Double
  }

  struct Home: Codable, Hashable {
    var street: String
    var number: Int?
    var place: Place
  }

  @Model
  final class Person {
    #Unique<Person>([\.firstName, \.lastName])
    #Index<Person>([\.lastName], [\.home.street, \.age])

    @Attribute(.unique, originalName: "mail", hashModifier: "2") var email: String
    var firstName = "Ann"
    var lastName: String = "Lee"
    var age: Int?
    var mood = Mood.calm
    var home: Home
    var cabin: Home?
    var nicknames: [String] = []
    @Attribute(.externalStorage) var portrait: Data?
    @Attribute(.ephemeral) var isSelected = false
    @Transient var cache = 0
    @Relationship(deleteRule: .cascade, minimumModelCount: 1, maximumModelCount: 3, originalName: "animals")
    var pets: [Pet] = []

    init(email: String, home: Home) {
      self.email = email
      self.home = home
    }
  }

  @Model
  final class Pet {
    var name: String
    var owner: Person?

    init(name: String) {
      self.name = name
    }
  }
}

/// Vehicles, their kinds and their drivers.
enum Traffic {
  @Model
  class Vehicle {
    #Unique<Vehicle>([\.plate])

    var plate: String
    var driver: Driver?

    init(plate: String) {
      self.plate = plate
    }
  }

  @Model
  class Car: Vehicle {
    #Index<Car>([\.plate, \.doors])

    var doors = 4

    override init(plate: String) {
      super.init(plate: plate)
    }
  }

  @Model
  final class Taxi: Car {
    var fare = 1.0

    override init(plate: String) {
      super.init(plate: plate)
    }
  }

  @Model
  final class Bike: Vehicle {
    var gears = 1

    override init(plate: String) {
      super.init(plate: plate)
    }
  }

  @Model
  final class Driver {
    var name = ""
    var vehicles: [Vehicle] = []

    init() {}
  }
}
