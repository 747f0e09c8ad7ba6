import Foundation
import SwiftData

@testable import TestSupport

// Products in warehouses, their movements, and their suppliers.

enum Depot {
  enum MovementKind: String, Codable, CaseIterable, Sendable {
    case delivery, sale, loss
  }

  struct Size: Codable, Hashable, Sendable {
    var width: Double
    var height: Double
    var depth: Double
  }

  struct Address: Codable, Hashable, Sendable {
    var street: String
    var addition: String?
    var city: String
  }

  @Model
  final class Supplier {
    var name: String
    var leadDays: Int
    var address: Address
    @Relationship(deleteRule: .nullify, inverse: \Product.supplier) var products: [Product] = []

    init(_ name: String, leadDays: Int, address: Address) {
      self.name = name
      self.leadDays = leadDays
      self.address = address
    }
  }

  @Model
  final class Product {
    #Unique<Product>([\.sku])
    #Index<Product>([\.sku], [\.stock, \.reorderLevel])

    var sku: String
    var name: String
    var price: Decimal
    var weight: Double
    var stock: Int
    var ordered: Int
    var reorderLevel: Int
    var isDiscontinued: Bool
    var size: Size?
    var attributes: [String: String]
    var barcodes: [String]
    var supplier: Supplier?
    @Relationship(deleteRule: .cascade, inverse: \Movement.product) var movements: [Movement] = []

    init(sku: String, name: String, price: Decimal, stock: Int = 0, reorderLevel: Int = 0, supplier: Supplier? = nil) {
      self.sku = sku
      self.name = name
      self.price = price
      self.stock = stock
      self.reorderLevel = reorderLevel
      self.supplier = supplier
      weight = 1
      ordered = 0
      isDiscontinued = false
      attributes = [:]
      barcodes = []
    }
  }

  @Model
  final class Warehouse {
    @Attribute(.unique) var code: String
    @Relationship(deleteRule: .deny, inverse: \Movement.warehouse) var movements: [Movement] = []

    init(_ code: String) {
      self.code = code
    }
  }

  @Model
  final class Movement {
    var quantity: Int
    var kind: MovementKind
    var date: Date
    var product: Product?
    var warehouse: Warehouse?

    init(_ quantity: Int, _ kind: MovementKind, of product: Product, in warehouse: Warehouse, on date: Date) {
      self.quantity = quantity
      self.kind = kind
      self.product = product
      self.warehouse = warehouse
      self.date = date
    }
  }
}

extension Depot.Product {
  static var needsOrder: Predicate<Depot.Product> {
    #Predicate { !$0.isDiscontinued && $0.stock + $0.ordered < $0.reorderLevel }
  }

  static func made(of attributes: [String: String]) -> Predicate<Depot.Product> {
    Predicate(all: attributes.map { name, value in #Predicate<Depot.Product> { $0.attributes[name] == value } })
  }
}
