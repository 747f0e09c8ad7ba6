import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Schemas as files")
struct SchemaFileTests {
  private func copy<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test(
    "A decoded schema is equal and has the same hash",
    arguments: [Schema([Household.Person.self]), Schema([Traffic.Taxi.self, Traffic.Bike.self]), Schema()])
  func decodedSchema(schema: Schema) throws {
    let copy = try copy(schema)
    #expect(copy == schema)
    #expect(copy.entities.map(\.name) == schema.entities.map(\.name))
    #expect(copy.versionHash == schema.versionHash)
    #expect(copy.encodingVersion == Schema.schemaEncodingVersion)
  }

  @Test("Decoded entities, attributes and relationships are equal")
  func decodedParts() throws {
    let person = try #require(Schema([Household.Person.self]).entitiesByName["Person"])
    #expect(try copy(person) == person)
    for attribute in person.attributes where !(attribute is Schema.CompositeAttribute) {
      #expect(try copy(attribute) == attribute)
    }
    let home = try #require(person.attributesByName["home"] as? Schema.CompositeAttribute)
    #expect(try copy(home) == home)
    let pets = try #require(person.relationshipsByName["pets"])
    #expect(try copy(pets) == pets)
  }

  @Test("Decoded primitive types are the types themselves, others only have their names")
  func decodedTypes() throws {
    let copy = try #require(try copy(Schema([Household.Person.self])).entitiesByName["Person"])
    #expect(ObjectIdentifier(try #require(copy.attributesByName["age"]).valueType) == ObjectIdentifier(Int?.self))
    #expect(copy.attributesByName["age"]?.isOptional == true)
    #expect(copy.attributesByName["home"]?.valueTypeName == "Home")
    #expect(copy.attributesByName["firstName"]?.defaultValue as? String == "Ann")
  }

  @Test("The entities of a decoded schema have their subentities")
  func decodedSubentities() throws {
    let copy = try copy(Schema([Traffic.Taxi.self]))
    let taxi = try #require(copy.entitiesByName["Taxi"])
    #expect(taxi.superentity === copy.entitiesByName["Car"])
    #expect(taxi.rootEntity === copy.entitiesByName["Vehicle"])
    #expect(copy.entitiesByName["Vehicle"]?.subentities.first === copy.entitiesByName["Car"])
    #expect(taxi.properties.map(\.name) == ["plate", "driver", "doors", "fare"])
  }

  @Test("The entities of a decoded schema are found by the names of types")
  func entitiesByType() throws {
    let copy = try copy(Schema([Household.Person.self]))
    #expect(copy.entity(for: Household.Person.self)?.name == "Person")
    #expect(copy.entity(for: Traffic.Car.self) == nil)
  }

  @Test("A schema is saved to a file and loaded from it")
  func savedToFile() throws {
    let folder = try TemporaryFolder()
    let schema = Schema([Household.Person.self], version: Schema.Version(3, 1, 4))
    try schema.save(to: folder.file("schema.json"))
    let loaded = try Schema.load(from: folder.file("schema.json"))
    #expect(loaded == schema)
    #expect(loaded.version == Schema.Version(3, 1, 4))
    #expect(throws: (any Error).self) { try Schema.load(from: folder.file("no.json")) }
  }

  @Test(
    "A decoded option is equal",
    arguments: [
      .unique, .externalStorage, .allowsCloudEncryption, .preserveValueOnDeletion, .ephemeral, .spotlight, .codable,
      .transformable(by: "Name"),
    ] as [Schema.Attribute.Option])
  func decodedOption(option: Schema.Attribute.Option) throws {
    #expect(try copy(option) == option)
    #expect(option == .unique || option != .unique && Set([option, .unique]).count == 2)
  }

  @Test("Decoded indexes and constraints have their key paths")
  func decodedIndexesAndConstraints() throws {
    let index = Schema.Index<Household.Person>([\.lastName], [\.home.street, \.age])
    #expect(try copy(index) == index)
    let spatial = Schema.Index<Household.Person>(.rtree([\.age]), .binary([\.email]))
    #expect(try copy(spatial) == spatial)
    #expect(spatial != Schema.Index<Household.Person>([\.age], [\.email]))
    let unique = Schema.Unique<Household.Person>([\.firstName, \.lastName])
    #expect(try copy(unique) == unique)
    #expect(unique.debugDescription.contains("firstName"))
  }

  @Test("A damaged file is refused", arguments: ["{}", "[]", #"{"version": {}}"#, "nonsense"])
  func damagedFile(text: String) {
    #expect(throws: (any Error).self) { try JSONDecoder().decode(Schema.self, from: Data(text.utf8)) }
  }
}
