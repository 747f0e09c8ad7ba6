import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Entities of a schema")
struct SchemaEntityTests {
  private let schema = Schema([Household.Person.self])

  private func person() throws -> Schema.Entity {
    try #require(schema.entity(for: Household.Person.self))
  }

  @Test("Related types are included after the listed ones")
  func relatedTypesAreIncluded() {
    #expect(schema.entities.map(\.name) == ["Person", "Pet"])
    #expect(schema.entity(for: Household.Pet.self) === schema.entitiesByName["Pet"])
    #expect(schema.entity(for: Traffic.Driver.self) == nil)
  }

  @Test("An attribute has the options of its declaration")
  func attributeOptions() throws {
    let email = try #require(try person().attributesByName["email"])
    #expect(ObjectIdentifier(email.valueType) == ObjectIdentifier(String.self))
    #expect(email.isUnique)
    #expect(email.originalName == "mail")
    #expect(email.hashModifier == "2")
    #expect(email.isAttribute)
    #expect(!email.isRelationship)
    #expect(!email.isOptional)
    #expect(email.defaultValue == nil)

    let age = try #require(try person().attributesByName["age"])
    #expect(ObjectIdentifier(age.valueType) == ObjectIdentifier(Int?.self))
    #expect(age.isOptional)
    #expect(age.originalName == "age")

    #expect(try person().attributesByName["firstName"]?.defaultValue as? String == "Ann")
    #expect(try person().attributesByName["isSelected"]?.isTransient == true)
    #expect(try person().attributesByName["portrait"]?.options == [.externalStorage])
  }

  @Test("Key paths have names, through composites and their optionals")
  func keyPathNames() throws {
    #expect(try person().path(for: \Household.Person.email) == ["email"])
    #expect(try person().path(for: \Household.Person.pets) == ["pets"])
    #expect(try person().path(for: \Household.Person.home.place.latitude) == ["home", "place", "latitude"])
    #expect(try person().path(for: \Household.Person.cabin?.street) == ["cabin", "street"])
    #expect(try person().path(for: \Household.Person.cabin?.place.longitude) == ["cabin", "place", "longitude"])
    #expect(try person().path(for: \Household.Person.cache) == nil)
    #expect(try person().path(for: \Household.Person.nicknames.count) == nil)
  }

  @Test("Two schemas of the same types are equal, and those of others are not")
  func equality() {
    #expect(schema == Schema([Household.Pet.self]))
    #expect(schema.hashValue == Schema([Household.Person.self]).hashValue)
    #expect(schema != Schema([Household.Person.self], version: Schema.Version(2, 0, 0)))
    #expect(schema != Schema([Traffic.Driver.self]))
    #expect(Schema() == Schema([]))
  }

  @Test("A schema made by hand includes the subentities of its entities")
  func subentities() {
    let name = Schema.Attribute(name: "name", valueType: String.self)
    let size = Schema.Attribute(name: "size", valueType: Int?.self)
    let child = Schema.Entity("Child", properties: size)
    let parent = Schema.Entity("Parent", subentities: child, properties: name)
    let schema = Schema(parent)
    #expect(schema.entities.map(\.name) == ["Parent", "Child"])
    #expect(child.superentity === parent)
    #expect(child.superentityName == "Parent")
    #expect(child.properties.map(\.name) == ["name", "size"])
    #expect(size.isOptional)
  }

  @Test("A schema's description names every property")
  func description() throws {
    let text = schema.debugDescription
    for property in try person().properties { #expect(text.contains("name: \(property.name),")) }
  }
}
