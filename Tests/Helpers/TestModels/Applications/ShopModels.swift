import Foundation
import SwiftData

@testable import TestSupport

// Orders of a shop, with nested structures and values that are only Codable.

enum Storefront {
  enum Status: String, Codable {
    case cart, paid, shipped, returned
  }

  enum Payment: Codable, Hashable, Sendable {
    case card(last4: String)
    case invoice(days: Int)
  }

  struct Money: Codable, Hashable, Sendable {
    var amount: Decimal
    var currency: String
  }

  struct Address: Codable, Hashable, Sendable {
    var street: String
    var postcode: String
    var country: String
    var note: String?
  }

  struct Delivery: Codable, Hashable, Sendable {
    var address: Address
    var carrier: String?
    var pickup: Address?
  }

  struct StatusChange: Codable, Hashable, Sendable {
    var text: String
    var day: Int
    var by: String?
  }

  @Model
  final class Customer {
    @Attribute(.unique) var email: String
    var name: String
    var credit: Money?
    var recommendedBy: Customer?
    @Relationship(inverse: \Customer.recommendedBy) var recommended: [Customer] = []
    @Relationship(deleteRule: .deny, inverse: \Order.customer) var orders: [Order] = []
    @Relationship(inverse: \Article.fans) var wishes: [Article] = []

    init(_ name: String, email: String) {
      self.name = name
      self.email = email
    }
  }

  @Model
  final class Order {
    #Index<Order>([\.placedAt], [\.number])

    @Attribute(.unique) var number: Int
    var placedAt: Date
    var status: Status
    var payment: Payment?
    var delivery: Delivery
    var window: DateInterval?
    var history: [StatusChange] = []
    var coupons: [String: Decimal] = [:]
    var customer: Customer?
    @Relationship(deleteRule: .cascade, inverse: \Line.order) var lines: [Line] = []

    init(_ number: Int, by customer: Customer?, at placedAt: Date, status: Status, delivery: Delivery) {
      self.number = number
      self.customer = customer
      self.placedAt = placedAt
      self.status = status
      self.delivery = delivery
    }
  }

  @Model
  final class Line {
    var quantity: Int
    var price: Money
    var article: Article?
    var order: Order?

    init(_ quantity: Int, _ article: Article, price: Decimal) {
      self.quantity = quantity
      self.article = article
      self.price = Money(amount: price, currency: "EUR")
    }
  }

  @Model
  final class Article {
    var title: String
    var stock: Int
    var replacement: Article?
    @Relationship(inverse: \Article.replacement) var replaces: [Article] = []
    @Relationship(inverse: \Line.article) var lines: [Line] = []
    var fans: [Customer] = []

    init(_ title: String, stock: Int) {
      self.title = title
      self.stock = stock
    }
  }
}

extension Storefront.Order {
  static func sent(to country: String, by carrier: String?) -> Predicate<Storefront.Order> {
    #Predicate { order in
      order.delivery.address.country == country && (carrier == nil || order.delivery.carrier == carrier)
    }
  }
}
