import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Releases of a shop", .serialized)
struct ShopReleaseTests {
  private typealias V1 = ShopReleases.V1
  private typealias V2 = ShopReleases.V2
  private typealias V3 = ShopReleases.V3

  private let numbers = Array((0..<40).reversed())
  private let store: ReleasedStore

  init() throws {
    store = try ReleasedStore(ShopReleases.Plan.self, to: ShopReleases.V3.self, ShopReleases.calls)
  }

  private func closures(from version: Int) -> [String] { version == 1 ? ["V2 will", "V2 did"] : [] }

  private func customer(_ number: Int) -> Int? { number % 13 < 12 ? number % 13 : nil }

  private func products(_ number: Int) -> [Int] { (0..<number % 5).map { (number - $0 + 9) % 9 } }

  private func write(_ version: Int) throws {
    if version == 1 {
      try store.write(V1.self) { context in
        let customers = (0..<12).map { V1.Customer($0) }
        let products = (0..<9).map { V1.Product($0) }
        let coupon = V1.Coupon("SPRING")
        for customer in customers { context.insert(customer) }
        for product in products { context.insert(product) }
        context.insert(coupon)
        for number in numbers {
          let order = V1.Order(number)
          context.insert(order)
          if let place = customer(number) { customers[place].orders.append(order) }
          order.products = self.products(number).map { products[$0] }
          order.coupon = Varied.maybe(number, coupon)
        }
      }
    } else {
      try store.write(V2.self) { context in
        let customers = (0..<12).map { V2.Customer($0) }
        let products = (0..<9).map { V2.Product($0) }
        let coupon = V2.Coupon("SPRING")
        for customer in customers { context.insert(customer) }
        for product in products { context.insert(product) }
        context.insert(coupon)
        for number in numbers {
          let order = V2.Order(number)
          context.insert(order)
          if let place = customer(number) { customers[place].orders.append(order) }
          order.products = self.products(number).map { products[$0] }
          order.coupon = Varied.maybe(number, coupon)
        }
      }
    }
  }

  private func check(_ context: ModelContext) throws {
    let orders = try context.all(V3.Order.self, by: \.number)
    #expect(orders.map(\.number) == numbers.sorted())
    for order in orders {
      #expect(order.placed == Varied.date(order.number))
      #expect(order.total == Decimal(order.number * order.number) / 100)
      #expect(order.customer?.number == customer(order.number))
      #expect(order.items.map(\.number) == products(order.number))
    }
    let customers = try context.all(V3.Customer.self, by: \.number)
    #expect(customers.map(\.number) == Array(0..<12))
    for customer in customers {
      let person = ShopReleases.people[customer.number % 6]
      #expect(customer.givenName == person.given)
      #expect(customer.familyName == person.family)
      #expect(customer.email == "\(customer.number)@example.org")
      #expect(customer.address == ShopReleases.address(customer.number))
      #expect(customer.orders.map(\.number) == numbers.filter { self.customer($0) == customer.number })
    }
    let goods = try context.all(V3.Product.self, by: \.number)
    #expect(goods.map(\.number) == Array(0..<9))
    for product in goods {
      let hasImage = product.image == Varied.maybe(product.number, Varied.bytes(product.number))
      #expect(hasImage, "\(product.number)")
      #expect(product.colours == Varied.words(product.number))
      #expect(product.isListed)
      #expect(product.orders.map(\.number) == numbers.filter { self.products($0).contains(product.number) })
    }
  }

  @Test("A store of each version has all values in the last version", arguments: [1, 2])
  func olderStore(version: Int) throws {
    try write(version)
    try store.migrate(running: closures(from: version)) { try check($0) }
  }

  @Test("Reopening runs no closure and changes nothing", arguments: [1, 2])
  func openingAgain(version: Int) throws {
    try write(version)
    try store.migrate(running: closures(from: version)) { _ in }
    try store.openAgain { try check($0) }
  }

  @Test("A new store opens without running a stage")
  func newStore() throws {
    try store.migrate(running: []) { context in
      #expect(try context.fetchCount(FetchDescriptor<V3.Customer>()) == 0)
      let order = V3.Order(1)
      order.customer = V3.Customer(2)
      order.items = [V3.Product(4), V3.Product(3)]
      context.insert(order)
      try context.save()
    }
    try store.openAgain { context in
      let order = try context.only(V3.Order.self)
      #expect(order.customer?.address == ShopReleases.address(2))
      #expect(order.items.map(\.number) == [4, 3])
    }
  }
}
