import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A shop")
struct ShopTests {
  private typealias Order = Storefront.Order
  private typealias Customer = Storefront.Customer
  private typealias Article = Storefront.Article
  private typealias Line = Storefront.Line
  private typealias Address = Storefront.Address

  private let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Order.self, Customer.self, Article.self, Line.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writer = ModelContext(container)
    try Self.fill(writer)
    context = ModelContext(container)
    context.allowsInMemoryEvaluation = false
  }

  private static func fill(_ context: ModelContext) throws {
    let ann = Customer("Ann", email: "ann@example.org")
    let ben = Customer("Ben", email: "ben@example.org")
    let new = Customer("Newcomer", email: "new@example.org")
    ben.recommendedBy = ann
    new.recommendedBy = ben
    ann.credit = .init(amount: 12.5, currency: "EUR")
    new.credit = .init(amount: 5, currency: "USD")
    for customer in [ann, ben, new] { context.insert(customer) }
    let kettle = Article("Kettle", stock: 4)
    let teapot = Article("Teapot", stock: 0)
    let cup = Article("Cup", stock: 100)
    teapot.replacement = kettle
    for article in [kettle, teapot, cup] { context.insert(article) }
    ann.wishes = [teapot, cup]
    new.wishes = [teapot]
    let home = Address(street: "Weg 1", postcode: "01069", country: "DE", note: "ring twice")
    let wien = Address(street: "Gasse 2", postcode: "1010", country: "AT", note: nil)
    let orders = [
      Order(
        1, by: ann, at: Timeline.date(2024, 1, 10), status: .shipped, delivery: .init(address: home, carrier: "DHL")),
      Order(2, by: ann, at: Timeline.date(2024, 2, 10), status: .cart, delivery: .init(address: home)),
      Order(
        3, by: ben, at: Timeline.date(2024, 2, 11), status: .returned,
        delivery: .init(address: wien, carrier: "Post", pickup: home)),
      Order(4, by: nil, at: Timeline.date(2024, 3, 1), status: .paid, delivery: .init(address: wien, carrier: "DHL")),
    ]
    for order in orders { context.insert(order) }
    orders[0].lines = [Line(1, kettle, price: 40), Line(6, cup, price: 5.25)]
    orders[1].lines = [Line(2, cup, price: 5)]
    orders[2].lines = [Line(1, teapot, price: 30)]
    orders[3].lines = [Line(12, cup, price: 4.5), Line(1, teapot, price: 28)]
    orders[0].payment = .card(last4: "4242")
    orders[2].payment = .invoice(days: 14)
    orders[0].window = DateInterval(start: Timeline.date(2024, 1, 12, 8), duration: 7200)
    orders[3].window = DateInterval(start: Timeline.date(2024, 3, 4, 8), duration: 3600)
    orders[0].history = [.init(text: "paid", day: 10), .init(text: "shipped", day: 12, by: "Eve")]
    orders[2].history = [.init(text: "paid", day: 11), .init(text: "returned", day: 20)]
    orders[0].coupons = ["WELCOME": 5]
    try context.save()
  }

  private func numbers(
    _ predicate: Predicate<Order>, sortBy: [SortDescriptor<Order>] = [.init(\.number)]
  ) throws -> [Int] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: sortBy)).map(\.number)
  }

  private func customers(_ predicate: Predicate<Customer>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  private func articles(_ predicate: Predicate<Article>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
  }

  @Test("Predicates use fields of nested structures")
  func structures() throws {
    #expect(try numbers(Order.sent(to: "DE", by: nil)) == [1, 2])
    #expect(try numbers(Order.sent(to: "DE", by: "DHL")) == [1])
    let prefix = "01"
    #expect(try numbers(#Predicate { $0.delivery.address.postcode.starts(with: prefix) }) == [1, 2])
    #expect(try numbers(#Predicate { $0.delivery.pickup?.country == "DE" }) == [3])
    #expect(try numbers(#Predicate { $0.delivery.pickup == nil && $0.delivery.carrier != nil }) == [1, 4])
    #expect(try numbers(#Predicate { $0.delivery.address.note?.contains("twice") ?? false }) == [1, 2])
    let order = [
      SortDescriptor(\Order.delivery.carrier, order: .reverse), SortDescriptor(\Order.number, order: .reverse),
    ]
    #expect(try numbers(#Predicate { _ in true }, sortBy: order) == [3, 4, 1, 2])
    let countries = try context.fetchGroups(by: \Order.delivery.address.country, computing: .count)
    #expect(countries.map(\.key) == ["AT", "DE"])
    #expect(countries.map(\.value) == [2, 2])
  }

  @Test("Orders are found by states of an enumeration without allCases")
  func states() throws {
    let cart = Storefront.Status.cart
    #expect(try numbers(#Predicate { $0.status != cart }) == [1, 3, 4])
    let completed: [Storefront.Status] = [.shipped, .returned]
    #expect(try numbers(#Predicate { completed.contains($0.status) }) == [1, 3])
    #expect(
      try numbers(
        #Predicate { order in
          if order.status == cart { true } else if order.number == 3 { false } else { order.lines.count == 2 }
        }) == [1, 2, 4])
    let states = try context.fetchGroups(by: \Order.status, computing: .count)
    #expect(Set(states.map(\.key)) == [.cart, .paid, .shipped, .returned])
  }

  @Test("Sales are summed by article and by month")
  func sales() throws {
    let cart = Storefront.Status.cart
    let sold = FetchDescriptor<Line>(predicate: #Predicate { $0.order.flatMap { $0.status != cart } ?? false })
    let pieces = try context.fetchGroups(
      by: \Line.article?.title, computing: .sum(of: \.quantity), .average(of: \.price.amount), matching: sold,
      sortBy: [.init(.sum(of: \.quantity), order: .reverse), .init(\Line.article?.title)])
    #expect(pieces.map(\.key) == ["Cup", "Teapot", "Kettle"])
    #expect(pieces.map(\.values.0) == [18, 2, 1])
    #expect(pieces.map(\.values.1) == [4.875, 29, 40])
    let months = try context.fetchGroups(
      by: .component(.month, from: \Line.order?.placedAt, in: Timeline.calendar), computing: .sum(of: \.quantity))
    #expect(months.map(\.key) == [1, 2, 3])
    #expect(months.map(\.value) == [7, 3, 13])
    let (least, most) = try context.fetchAggregates(.minimum(of: \Line.price.amount), .maximum(of: \.price.amount))
    #expect(least == 4.5 && most == 40)
  }

  @Test("Orders are found by their contents")
  func contents() throws {
    let large = 10
    #expect(
      try numbers(
        #Predicate { order in order.lines.contains { $0.quantity > large && $0.article?.title == "Cup" } }) == [4])
    #expect(
      try numbers(#Predicate { order in order.lines.allSatisfy { ($0.article?.stock ?? 0) >= $0.quantity } })
        == [1, 2])
    #expect(
      try numbers(#Predicate { order in order.lines.contains { $0.article?.replacement != nil } }) == [3, 4])
    let price = Decimal(29)
    #expect(try numbers(#Predicate { order in order.lines.contains { $0.price.amount > price } }) == [1, 3])
  }

  @Test("Articles to reorder are found, and articles that were never sold to their fans")
  func stock() throws {
    #expect(try articles(#Predicate { $0.stock == 0 && !$0.fans.isEmpty }) == ["Teapot"])
    #expect(try articles(#Predicate { $0.replaces.count == 1 && $0.replacement == nil }) == ["Kettle"])
    #expect(
      try articles(
        #Predicate { article in
          article.fans.contains { fan in fan.orders.isEmpty || fan.orders.count > article.stock }
        }) == ["Teapot"])
    let buyers = FetchDescriptor<Customer>(
      predicate: #Predicate { customer in
        customer.orders.contains { order in order.lines.contains { $0.article?.title == "Cup" } }
      })
    #expect(try context.fetch(buyers).map(\.name) == ["Ann"])
  }

  @Test("Recommendations are followed, and customers without orders are found")
  func customers() throws {
    #expect(try customers(#Predicate { $0.recommendedBy?.recommendedBy?.name == "Ann" }) == ["Newcomer"])
    #expect(try customers(#Predicate { $0.orders.isEmpty && $0.recommended.isEmpty }) == ["Newcomer"])
    #expect(
      try customers(#Predicate { customer in customer.recommended.contains { !$0.orders.isEmpty } }) == ["Ann"])
    let euro = "EUR"
    #expect(
      try customers(
        #Predicate { customer in
          if let credit = customer.credit { credit.currency == euro && credit.amount > 10 } else { false }
        }) == ["Ann"])
    let none: String? = nil
    #expect(try customers(#Predicate { $0.credit?.currency == none }) == ["Ben"])
  }

  @Test("Deliveries in a period are found, and orders by their events")
  func history() throws {
    let monday = Timeline.date(2024, 1, 15)
    #expect(
      try numbers(
        #Predicate { order in if let window = order.window { window.start < monday } else { false } }) == [1])
    #expect(try numbers(#Predicate { $0.window == nil }) == [2, 3])
    #expect(
      try numbers(#Predicate { order in order.history.contains { $0.text == "paid" && $0.day > 10 } }) == [3])
    #expect(try numbers(#Predicate { order in order.history.contains { $0.by != nil } }) == [1])
    #expect(
      try numbers(#Predicate { order in !order.history.isEmpty && order.history.allSatisfy { $0.by == nil } }) == [3])
    #expect(try numbers(#Predicate { $0.payment != nil && $0.history.count == 2 }) == [1, 3])
    #expect(
      try context.fetch(FetchDescriptor<Order>(predicate: #Predicate { $0.number == 3 })).first?.payment
        == .invoice(days: 14))
  }

  @Test("Captured collections of every type can be combined")
  func captured() throws {
    let names = [1: "one", 4: "four"]
    #expect(try numbers(#Predicate { names.keys.contains($0.number) }) == [1, 4])
    let carriers: Set<String?> = [nil, "Post"]
    #expect(try numbers(#Predicate { carriers.contains($0.delivery.carrier) }) == [2, 3])
    let first = 2..<4
    #expect(try numbers(#Predicate { first.contains($0.number) }) == [2, 3])
    let days = Timeline.date(2024, 2, 1)...Timeline.date(2024, 2, 29)
    #expect(try numbers(#Predicate { days.contains($0.placedAt) && $0.customer?.name == "Ann" }) == [2])
    let nothing: [Int] = []
    #expect(try numbers(#Predicate { nothing.contains($0.number) }) == [])
    #expect(try numbers(#Predicate { nothing.isEmpty || $0.number == 1 }) == [1, 2, 3, 4])
  }

  @Test("A customer with orders cannot be deleted, and one without can")
  func deleting() throws {
    let newcomer = "new@example.org"
    try context.delete(model: Customer.self, where: #Predicate { $0.email == newcomer })
    try context.save()
    #expect(try articles(#Predicate { $0.fans.count == 1 }) == ["Cup", "Teapot"])
    #expect(try customers(#Predicate { $0.recommended.isEmpty }) == ["Ben"])
    try context.delete(model: Customer.self, where: #Predicate { $0.name == "Ben" })
    #expect(throws: (any Error).self) { try context.save() }
    context.rollback()
    #expect(try customers(#Predicate { _ in true }) == ["Ann", "Ben"])
  }

  @Test("An unsaved change of a structure's field is visible in fetches")
  func pending() throws {
    let order = try #require(
      try context.fetch(FetchDescriptor<Order>(predicate: #Predicate { $0.number == 2 })).first)
    order.delivery.address.country = "AT"
    order.delivery.carrier = "DHL"
    order.status = .paid
    #expect(try numbers(Order.sent(to: "AT", by: "DHL")) == [2, 4])
    #expect(try numbers(Order.sent(to: "DE", by: nil)) == [1])
    let carriers = try context.fetchGroups(by: \Order.delivery.carrier, computing: .count)
    #expect(carriers.map(\.key) == ["DHL", "Post"])
    #expect(carriers.map(\.value) == [3, 1])
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.fetchCount(FetchDescriptor(predicate: Order.sent(to: "AT", by: "DHL"))) == 2)
    #expect(try other.fetchCount(FetchDescriptor(predicate: Order.sent(to: "AT", by: nil))) == 3)
  }
}
