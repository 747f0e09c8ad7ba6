import Foundation
import SwiftData

@testable import TestSupport

enum Shop {
  struct Address: Codable, Hashable {
    var street: String
    var city: City
    var floor: Int?
  }

  struct City: Codable, Hashable {
    var name: String
    var code: String?
  }

  @Model
  final class Customer {
    #Unique<Customer>([\.email], [\.name, \.address.city.name])
    #Index<Customer>([\.name], [\.address.street, \.name])

    var name: String
    var email: String
    var address: Address
    @Attribute(.ephemeral) var isSelected = false
    @Transient var cache: [String: Int] = [:]
    @Relationship(deleteRule: .deny, minimumModelCount: 1, maximumModelCount: 5) var orders: [Order] = []
    @Relationship(inverse: nil) var favourite: Product?

    init(name: String, email: String, address: Address) {
      self.name = name
      self.email = email
      self.address = address
    }
  }

  @Model
  final class Order {
    @Attribute(.unique, originalName: "no") var number: Int
    var customer: Customer?
    @Relationship(inverse: \Product.orders) var products: [Product] = []

    init(number: Int) {
      self.number = number
    }
  }

  @Model
  class Product {
    var title: String
    var orders: [Order] = []

    init(title: String) {
      self.title = title
    }
  }

  @Model
  final class Book: Product {
    var isbn: String

    init(title: String, isbn: String) {
      self.isbn = isbn
      super.init(title: title)
    }
  }

  @Model
  final class Node {
    var parent: Node?
    var children: [Node] = []
    var next: Node?
    var previous: Node?

    init() {}
  }
}

enum ShopV2 {
  @Model
  final class Order {
    var number: Int
    var note: String?

    init(number: Int) {
      self.number = number
    }
  }
}

// Each of the following has one error.
enum Faulty {
  struct Opaque {}

  @Model
  final class Person {
    var home: Place?
    var work: Place?

    init() {}
  }

  @Model
  final class Place {
    var people: [Person] = []

    init() {}
  }

  @Model
  final class Team {
    @Relationship(.unique) var members: [Member] = []

    init() {}
  }

  @Model
  final class Member {
    var team: Team?

    init() {}
  }

  @Model
  final class Limits {
    @Relationship(minimumModelCount: 3, maximumModelCount: 2, inverse: \Limited.owner) var items: [Limited] = []

    init() {}
  }

  @Model
  final class Limited {
    var owner: Limits?

    init() {}
  }

  @Model
  final class Stored {
    @Attribute(.unique, .externalStorage) var image = Data()

    init() {}
  }

  @Model
  final class Cased {
    var website = ""
    var webSite = ""

    init() {}
  }

  @Model
  final class Transformed {
    @Attribute(.transformable(by: "NobodyRegisteredThis")) var value = ""

    init() {}
  }
}
