import Foundation
import Support
import SwiftData

@testable import TestSupport

// A shop. The second release splits a customer's name in two, the third one removes coupons.

enum ShopReleases {
  struct Address: Codable, Hashable {
    var street: String
    var floor: Int?
    var country = "PT"
  }

  static let calls = StageCalls()
  /// The full names that customers had, by their mail addresses.
  private static let names = Mutex<[String: String]>([:])

  static let people: [(full: String, given: String, family: String)] = [
    ("Ada Lovelace", "Ada", "Lovelace"), ("Łukasz Żółć", "Łukasz", "Żółć"), ("Prince", "", "Prince"), ("", "", ""),
    ("Ana María de la Cruz", "Ana María de la", "Cruz"), ("山田 太郎", "山田", "太郎"),
  ]

  static func address(_ number: Int) -> Address {
    Address(street: Varied.text(number), floor: Varied.maybe(number, -number), country: number > 5 ? "PE" : "PT")
  }

  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Customer.self, Order.self, Coupon.self, Product.self] }

    @Model
    final class Customer {
      #Index<Customer>([\.fullName])
      var number: Int
      var fullName: String
      @Attribute(.unique) var email: String
      var address: Address
      @Relationship(deleteRule: .cascade, inverse: \Order.customer) var orders: [Order] = []

      init(_ number: Int) {
        self.number = number
        fullName = ShopReleases.people[number % 6].full
        email = "\(number)@example.org"
        address = ShopReleases.address(number)
      }
    }

    @Model
    final class Order {
      #Unique<Order>([\.number])
      var number: Int
      var placed: Date
      var total: Decimal
      var note: String?
      var customer: Customer?
      var coupon: Coupon?
      @Relationship(inverse: \Product.orders) var products: [Product] = []

      init(_ number: Int) {
        self.number = number
        placed = Varied.date(number)
        total = Decimal(number * number) / 100
        note = Varied.maybe(number, Varied.text(number))
      }
    }

    @Model
    final class Coupon {
      @Attribute(.unique) var word: String
      @Relationship(inverse: \Order.coupon) var orders: [Order] = []

      init(_ word: String) {
        self.word = word
      }
    }

    @Model
    final class Product {
      var number: Int
      var colours: [String]
      @Attribute(.externalStorage) var image: Data?
      var orders: [Order] = []

      init(_ number: Int) {
        self.number = number
        colours = Varied.words(number)
        image = Varied.maybe(number, Varied.bytes(number))
      }
    }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Customer.self, Order.self, Coupon.self, Product.self] }

    @Model
    final class Customer {
      #Index<Customer>([\.familyName, \.givenName])
      var number: Int
      var givenName = ""
      var familyName = ""
      @Attribute(.unique) var email: String
      var address: Address
      @Relationship(deleteRule: .cascade, inverse: \Order.customer) var orders: [Order] = []

      init(_ number: Int) {
        self.number = number
        givenName = ShopReleases.people[number % 6].given
        familyName = ShopReleases.people[number % 6].family
        email = "\(number)@example.org"
        address = ShopReleases.address(number)
      }
    }

    @Model
    final class Order {
      #Unique<Order>([\.number])
      var number: Int
      var placed: Date
      var total: Decimal
      var note: String?
      var customer: Customer?
      var coupon: Coupon?
      @Relationship(inverse: \Product.orders) var products: [Product] = []

      init(_ number: Int) {
        self.number = number
        placed = Varied.date(number)
        total = Decimal(number * number) / 100
        note = Varied.maybe(number, Varied.text(number))
      }
    }

    @Model
    final class Coupon {
      @Attribute(.unique) var word: String
      @Relationship(inverse: \Order.coupon) var orders: [Order] = []

      init(_ word: String) {
        self.word = word
      }
    }

    @Model
    final class Product {
      var number: Int
      var colours: [String]
      @Attribute(.externalStorage) var image: Data?
      var orders: [Order] = []

      init(_ number: Int) {
        self.number = number
        colours = Varied.words(number)
        image = Varied.maybe(number, Varied.bytes(number))
      }
    }
  }

  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Customer.self, Order.self, Product.self] }

    @Model
    final class Customer {
      #Index<Customer>([\.familyName, \.givenName])
      var number: Int
      var givenName = ""
      var familyName = ""
      @Attribute(.unique) var email: String
      var address: Address
      @Relationship(deleteRule: .cascade, inverse: \Order.customer) var orders: [Order] = []

      init(_ number: Int) {
        self.number = number
        email = "\(number)@example.org"
        address = ShopReleases.address(number)
      }
    }

    @Model
    final class Order {
      #Unique<Order>([\.number])
      var number: Int
      var placed: Date
      var total: Decimal
      var customer: Customer?
      @Relationship(originalName: "products", inverse: \Product.orders) var items: [Product] = []

      init(_ number: Int) {
        self.number = number
        placed = Varied.date(number)
        total = Decimal(number * number) / 100
      }
    }

    @Model
    final class Product {
      var number: Int
      var colours: [String]
      @Attribute(.externalStorage) var image: Data?
      var isListed = true
      var orders: [Order] = []

      init(_ number: Int) {
        self.number = number
        colours = Varied.words(number)
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { try calls.run("V2 will", $0, rememberNames) },
          didMigrate: { try calls.run("V2 did", $0, splitNames) }),
        .lightweight(fromVersion: V2.self, toVersion: V3.self),
      ]
    }

    private static func rememberNames(_ context: ModelContext) throws {
      var found: [String: String] = [:]
      for customer in try context.fetch(FetchDescriptor<V1.Customer>()) { found[customer.email] = customer.fullName }
      names.withLock { $0 = found }
    }

    private static func splitNames(_ context: ModelContext) throws {
      let remembered = names.withLock { $0 }
      for customer in try context.fetch(FetchDescriptor<V2.Customer>()) {
        let words = remembered[customer.email, default: ""].split(separator: " ")
        customer.givenName = words.dropLast().joined(separator: " ")
        customer.familyName = words.last.map { String($0) } ?? ""
      }
    }
  }
}
