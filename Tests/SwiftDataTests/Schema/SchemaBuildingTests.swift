import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Building a schema from types")
struct SchemaBuildingTests {
  let schema = Schema([Shop.Customer.self, Shop.Book.self])

  @Test("A schema includes the types that its models relate to or inherit from")
  func related() {
    #expect(Set(schema.entities.map(\.name)) == ["Customer", "Book", "Order", "Product"])
    #expect(schema.entity(for: Shop.Order.self)?.name == "Order")
    #expect(schema.entity(for: ShopV2.Order.self) == nil)
    #expect(Schema.entityName(for: Shop.Order.self) == "Order")
  }

  @Test("Properties keep their order in the source, and transient ones are omitted")
  func order() throws {
    let customer = try #require(schema.entitiesByName["Customer"])
    #expect(
      customer.storedProperties.map(\.name) == ["name", "email", "address", "isSelected", "orders", "favourite"])
    #expect(customer.attributesByName["isSelected"]?.isTransient == true)
    #expect(Set(customer.relationships.map(\.name)) == ["orders", "favourite"])
  }

  @Test("An attribute has a type, a default value and options")
  func attributes() throws {
    let order = try #require(schema.entitiesByName["Order"])
    let number = try #require(order.attributesByName["number"])
    #expect(ObjectIdentifier(number.valueType) == ObjectIdentifier(Int.self))
    #expect(number.isUnique)
    #expect(number.originalName == "no")
    #expect(!number.isOptional)
    #expect(schema.entitiesByName["Customer"]?.attributesByName["isSelected"]?.defaultValue as? Bool == false)
  }

  @Test("A relationship has a destination, an inverse, a delete rule and counts")
  func relationships() throws {
    let orders = try #require(schema.entitiesByName["Customer"]?.relationshipsByName["orders"])
    #expect(orders.destination == "Order")
    #expect(orders.inverseName == "customer")
    #expect(orders.deleteRule == .deny)
    #expect(orders.minimumModelCount == 1)
    #expect(orders.maximumModelCount == 5)
    #expect(!orders.isToOneRelationship)
    let customer = try #require(schema.entitiesByName["Order"]?.relationshipsByName["customer"])
    #expect(customer.isToOneRelationship && customer.isOptional)
    #expect(customer.inverseKeyPath == \Shop.Customer.orders)
  }

  @Test("#Unique, #Index and .unique become lists of names, with dots into composites")
  func constraints() throws {
    let customer = try #require(schema.entitiesByName["Customer"])
    #expect(customer.uniquenessConstraints == [["email"], ["name", "address.city.name"]])
    #expect(customer.indices == [["name"], ["address.street", "name"]])
    #expect(schema.entitiesByName["Order"]?.uniquenessConstraints == [["number"]])
  }

  @Test("A Codable struct becomes a composite of its stored properties")
  func composites() throws {
    let address = try #require(
      schema.entitiesByName["Customer"]?.attributesByName["address"] as? Schema.CompositeAttribute)
    #expect(address.properties.map(\.name) == ["street", "city", "floor"])
    let city = try #require(address.properties[1] as? Schema.CompositeAttribute)
    #expect(city.properties.map(\.name) == ["name", "code"])
    #expect(address.properties[2].isOptional)
  }

  @Test("A subclass has its own properties and inherits the others")
  func inheritance() throws {
    let book = try #require(schema.entitiesByName["Book"])
    #expect(book.superentity?.name == "Product")
    #expect(book.storedProperties.map(\.name) == ["isbn"])
    #expect(book.properties.map(\.name) == ["title", "orders", "isbn"])
    #expect(schema.entitiesByName["Product"]?.subentities.map(\.name) == ["Book"])
  }

  @Test("Versions are ordered by number and described as three numbers")
  func versions() {
    #expect(Schema.Version(1, 2, 3) < Schema.Version(1, 10, 0))
    #expect("\(Schema.Version(2, 0, 1))" == "2.0.1")
    #expect(schema.version == Schema.Version(1, 0, 0))
  }
}

@Suite("Inverses")
struct InverseTests {
  @Test("A single candidate becomes the inverse")
  func inferred() throws {
    let node = try #require(Schema([Shop.Node.self]).entitiesByName["Node"])
    #expect(node.relationshipsByName["parent"]?.inverseName == nil)
    let order = try #require(Schema([Shop.Order.self]).entitiesByName["Order"])
    #expect(order.relationshipsByName["customer"]?.inverseName == "orders")
  }

  @Test("An inverse declared on one side applies to both")
  func written() throws {
    let schema = Schema([Shop.Product.self])
    #expect(schema.entitiesByName["Product"]?.relationshipsByName["orders"]?.inverseName == "products")
    #expect(schema.entitiesByName["Order"]?.relationshipsByName["products"]?.inverseName == "orders")
  }

  @Test("A declared inverse of nil makes a relationship one-way")
  func oneWay() throws {
    let favourite = Schema([Shop.Customer.self]).entitiesByName["Customer"]?.relationshipsByName["favourite"]
    #expect(try #require(favourite).inverseName == nil)
  }
}
