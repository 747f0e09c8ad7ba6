import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Equality and coding of schemas")
struct SchemaCodingTests {
  @Test("A schema is encoded to JSON and decoded without its types")
  func roundTrip() throws {
    let schema = Schema([Shop.Customer.self, Shop.Book.self], version: Schema.Version(2, 1, 0))
    let decoded = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
    #expect(decoded == schema)
    #expect(decoded.version == Schema.Version(2, 1, 0))
    #expect(decoded.entitiesByName["Book"]?.superentity?.name == "Product")
    #expect(decoded.entitiesByName["Order"]?.relationshipsByName["customer"]?.inverseName == "orders")
  }

  @Test("A schema is saved to a file and loaded from it")
  func file() throws {
    let folder = try TemporaryFolder()
    let schema = Schema([Shop.Order.self])
    try schema.save(to: folder.file("schema.json"))
    #expect(try Schema.load(from: folder.file("schema.json")) == schema)
  }

  @Test("Schemas of the same types are equal and have equal hashes, in any order of the types")
  func hash() {
    let one = Schema([Shop.Customer.self, Shop.Product.self])
    let two = Schema([Shop.Product.self, Shop.Customer.self])
    #expect(one == two)
    #expect(one.versionHash == two.versionHash)
    #expect(one.versionHash.count == 16)
  }

  @Test("Another shape has another hash")
  func otherHash() {
    #expect(Schema([Shop.Order.self]).versionHash != Schema([ShopV2.Order.self]).versionHash)
  }

  @Test("Optionals, numbers, arrays, enums and structs have placeholder values")
  func placeholders() {
    enum Level: String, Codable { case low, high }
    struct Size: Codable, Equatable {
      var width: Double
      var level: Level
      var tags: [String]
    }
    #expect(Placeholder.value(of: String?.self) == .some(nil))
    #expect(Placeholder.value(of: Int.self) == 0)
    #expect(Placeholder.value(of: [Int].self) == [])
    #expect(Placeholder.value(of: Level.self) == .low)
    #expect(Placeholder.value(of: Size.self) == Size(width: 0, level: .low, tags: []))
  }

  @Test("A struct with a custom coding is stored as one text")
  func customCoding() {
    struct Point: Codable {
      var x: Int
      var y: Int

      init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let parts = text.split(separator: ",").compactMap { Int($0) }
        (x, y) = (parts.first ?? 0, parts.last ?? 0)
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(x),\(y)")
      }
    }
    #expect(AttributeStorage(valueType: Point.self, options: []).fields.isEmpty)
    let fields = AttributeStorage(valueType: Shop.Address.self, options: []).fields
    #expect(fields.map(\.name) == ["street", "city", "floor"])
    #expect(AttributeStorage(valueType: Shop.Address.self, options: [.codable]).fields.isEmpty)
  }
}
