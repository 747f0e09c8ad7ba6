import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Building a schema from types")
struct SchemaBuildingTests {
  let schema = Schema([Shop.Customer.self, Shop.Book.self])

  @Test("Types that the listed ones relate to or inherit from join by themselves")
  func related() {
    #expect(Set(schema.entities.map(\.name)) == ["Customer", "Book", "Order", "Product"])
    #expect(schema.entity(for: Shop.Order.self)?.name == "Order")
    #expect(schema.entity(for: ShopV2.Order.self) == nil)
    #expect(Schema.entityName(for: Shop.Order.self) == "Order")
  }

  @Test("Properties keep the order of the source, and transient ones are none")
  func order() throws {
    let customer = try #require(schema.entitiesByName["Customer"])
    #expect(
      customer.storedProperties.map(\.name) == ["name", "email", "address", "isSelected", "orders", "favourite"])
    #expect(customer.attributesByName["isSelected"]?.isTransient == true)
    #expect(Set(customer.relationships.map(\.name)) == ["orders", "favourite"])
  }

  @Test("Attributes tell their type, default value and options")
  func attributes() throws {
    let order = try #require(schema.entitiesByName["Order"])
    let number = try #require(order.attributesByName["number"])
    #expect(ObjectIdentifier(number.valueType) == ObjectIdentifier(Int.self))
    #expect(number.isUnique)
    #expect(number.originalName == "no")
    #expect(!number.isOptional)
    #expect(schema.entitiesByName["Customer"]?.attributesByName["isSelected"]?.defaultValue as? Bool == false)
  }

  @Test("Relationships tell destination, inverse, delete rule and counts")
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

  @Test("Version numbers order and print as people expect")
  func versions() {
    #expect(Schema.Version(1, 2, 3) < Schema.Version(1, 10, 0))
    #expect("\(Schema.Version(2, 0, 1))" == "2.0.1")
    #expect(schema.version == Schema.Version(1, 0, 0))
  }
}

@Suite("Inverses")
struct InverseTests {
  @Test("A single candidate becomes the inverse, on a type of its own as on another")
  func inferred() throws {
    let node = try #require(Schema([Shop.Node.self]).entitiesByName["Node"])
    #expect(node.relationshipsByName["parent"]?.inverseName == nil)
    let order = try #require(Schema([Shop.Order.self]).entitiesByName["Order"])
    #expect(order.relationshipsByName["customer"]?.inverseName == "orders")
  }

  @Test("An inverse written on one side holds for both")
  func written() throws {
    let schema = Schema([Shop.Product.self])
    #expect(schema.entitiesByName["Product"]?.relationshipsByName["orders"]?.inverseName == "products")
    #expect(schema.entitiesByName["Order"]?.relationshipsByName["products"]?.inverseName == "orders")
  }

  @Test("A written nil makes a relationship one-way")
  func oneWay() throws {
    let favourite = Schema([Shop.Customer.self]).entitiesByName["Customer"]?.relationshipsByName["favourite"]
    #expect(try #require(favourite).inverseName == nil)
  }
}
