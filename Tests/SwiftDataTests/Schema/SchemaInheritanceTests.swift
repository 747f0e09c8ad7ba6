import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Inheritance in a schema")
struct SchemaInheritanceTests {
  @Test("A schema includes superclasses, and subclasses only when they are listed")
  func superclassesAreIncluded() throws {
    let schema = Schema([Traffic.Taxi.self])
    #expect(Set(schema.entities.map(\.name)) == ["Taxi", "Car", "Vehicle", "Driver"])
    let taxi = try #require(schema.entity(for: Traffic.Taxi.self))
    #expect(taxi.superentityName == "Car")
    #expect(taxi.superentity?.superentity === schema.entity(for: Traffic.Vehicle.self))
    #expect(taxi.rootEntity.name == "Vehicle")
    #expect(schema.entitiesByName["Vehicle"]?.subentities.map(\.name) == ["Car"])
  }

  @Test("Inherited properties come first, beginning with the topmost class")
  func inheritedPropertiesFirst() throws {
    let schema = Schema([Traffic.Taxi.self])
    let taxi = try #require(schema.entity(for: Traffic.Taxi.self))
    #expect(taxi.properties.map(\.name) == ["plate", "driver", "doors", "fare"])
    #expect(taxi.storedProperties.map(\.name) == ["fare"])
    #expect(taxi.inheritedProperties.map(\.name) == ["plate", "driver", "doors"])
    #expect(taxi.attributesByName["plate"] != nil)
  }

  @Test("An inherited property is the same object in all entities")
  func sharedPropertyObject() throws {
    let schema = Schema([Traffic.Car.self])
    let vehicle = try #require(schema.entity(for: Traffic.Vehicle.self))
    let car = try #require(schema.entity(for: Traffic.Car.self))
    #expect(car.relationshipsByName["driver"] === vehicle.relationshipsByName["driver"])
    #expect(car.relationshipsByName["driver"]?.inverseName == "vehicles")
  }

  @Test("An index may contain inherited properties, and constraints stay with the superclass")
  func inheritedPropertiesInIndexes() throws {
    let schema = Schema([Traffic.Car.self])
    #expect(schema.entitiesByName["Car"]?.indices == [["plate", "doors"]])
    #expect(schema.entitiesByName["Vehicle"]?.uniquenessConstraints == [["plate"]])
    try schema.validate()
  }

  @Test("A key path may begin at the subclass or at the superclass")
  func keyPaths() throws {
    let schema = Schema([Traffic.Taxi.self])
    let taxi = try #require(schema.entity(for: Traffic.Taxi.self))
    #expect(taxi.path(for: \Traffic.Taxi.plate) == ["plate"])
    #expect(taxi.path(for: \Traffic.Car.plate) == ["plate"])
    #expect(taxi.path(for: \Traffic.Vehicle.plate) == ["plate"])
    #expect(taxi.path(for: \Traffic.Taxi.doors) == ["doors"])
    #expect(taxi.path(for: \Traffic.Taxi.fare) == ["fare"])
    #expect(taxi.superentity?.path(for: \Traffic.Taxi.fare) == nil)
  }

  @Test("Siblings do not inherit from each other")
  func siblings() throws {
    let schema = Schema([Traffic.Bike.self, Traffic.Car.self])
    let bike = try #require(schema.entity(for: Traffic.Bike.self))
    #expect(bike.properties.map(\.name) == ["plate", "driver", "gears"])
    #expect(bike.isKind(of: bike.rootEntity))
    #expect(!bike.isKind(of: try #require(schema.entitiesByName["Car"])))
  }
}
