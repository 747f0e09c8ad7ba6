import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// What applications see that inspect a schema. Where Apple's schemas are known to differ, the page on differences says so.
@Suite("Inspecting a schema's properties")
struct SchemaDetailTests {
  @Test("Counts are nil without @Relationship, and zero with it")
  func counts() throws {
    let schema = Schema([Shop.Order.self, Household.Person.self])
    let order = try #require(schema.entitiesByName["Order"])
    #expect(order.relationshipsByName["customer"]?.minimumModelCount == nil)
    #expect(order.relationshipsByName["customer"]?.maximumModelCount == nil)
    #expect(order.relationshipsByName["products"]?.minimumModelCount == 0)
    #expect(order.relationshipsByName["products"]?.maximumModelCount == 0)
    let customer = try #require(schema.entitiesByName["Customer"])
    #expect(customer.relationshipsByName["orders"]?.minimumModelCount == 1)
    #expect(customer.relationshipsByName["orders"]?.maximumModelCount == 5)
  }

  @Test("`storedProperties` are the entity's own, and `properties` include inherited ones")
  func storedProperties() throws {
    let book = try #require(Schema([Shop.Book.self]).entitiesByName["Book"])
    #expect(book.storedProperties.map(\.name) == ["isbn"])
    #expect(book.inheritedProperties.map(\.name) == ["title", "orders"])
    #expect(book.properties.map(\.name) == ["title", "orders", "isbn"])
  }

  @Test("An attribute of a RawRepresentable type is no composite")
  func rawValues() throws {
    let item = try #require(Schema([Grown.Item.self]).entitiesByName["Item"])
    let suit = try #require(item.attributesByName["suit"])
    #expect(!(suit is Schema.CompositeAttribute))
    #expect(suit.valueType is Suit.Type)
    #expect(item.attributesByName["place"] is Schema.CompositeAttribute)
  }

  @Test("An encoded schema lists attributes as Apple's does, with the mangled names of their types")
  func valueTypeNames() throws {
    let data = try JSONEncoder().encode(Schema([First.Item.self]))
    let read = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let entity = try #require((read["entities"] as? [[String: Any]])?.first { $0["name"] as? String == "Item" })
    for key in ["attributes", "storedAttributes"] {
      let attributes = try #require(entity[key] as? [[String: Any]])
      let title = try #require(attributes.first { $0["name"] as? String == "title" })
      let name = try #require(title["valueTypeName"] as? String)
      #expect(name == "SS")
      #expect(_typeByName(name) == String.self)
    }
    #expect(try JSONDecoder().decode(Schema.self, from: data) == Schema([First.Item.self]))
  }

  @Test("The mirror of an entity contains its type")
  func mirrors() throws {
    let entity = try #require(Schema([First.Item.self]).entitiesByName["Item"])
    let type = Mirror(reflecting: entity).children.first { $0.label == "_objectType" }?.value
    #expect(type as? any PersistentModel.Type == First.Item.self)
    let decoded = try JSONDecoder().decode(Schema.Entity.self, from: JSONEncoder().encode(entity))
    let none = try #require(Mirror(reflecting: decoded).children.first { $0.label == "_objectType" })
    #expect(none.value as? any PersistentModel.Type == nil)
  }
}
