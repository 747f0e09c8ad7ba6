import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A budget app")
struct BudgetTests {
  private typealias Account = BudgetApp.Account
  private typealias Category = BudgetApp.Category
  private typealias Payment = BudgetApp.Payment

  private let context: ModelContext
  private let march = DateInterval(start: Timeline.date(2024, 3, 1), end: Timeline.date(2024, 4, 1))

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Account.self, Category.self, Payment.self, BudgetApp.Split.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let giro = Account(name: "Giro", kind: .checking, openingBalance: Decimal(1000))
    let purse = Account(name: "Purse", kind: .cash, openingBalance: Decimal(50))
    let nest = Account(name: "Nest egg", kind: .savings)
    for account in [giro, purse, nest] { context.insert(account) }
    let food = Category("Food", monthlyLimit: 60)
    let market = Category("Market", monthlyLimit: 20, parent: food)
    let rent = Category("Rent", monthlyLimit: 500)
    let fun = Category("Fun")
    for category in [food, market, rent, fun] { context.insert(category) }

    let cents = { (amount: Int) in Decimal(amount) / 100 }
    let flat = Payment(cents(-50_000), "Landlord", on: Timeline.date(2024, 3, 1), account: giro, category: rent)
    flat.recurrence = .init(everyMonths: 1, lastDay: nil)
    let april = Payment(cents(-50_000), "Landlord", on: Timeline.date(2024, 4, 1), account: giro, category: rent)
    let bakery = Payment(cents(-1_010), "Bakery", on: Timeline.date(2024, 3, 2), account: purse, category: food)
    bakery.memo = "Brötchen"
    let dinner = Payment(
      cents(-5_005), "Trattoria", on: Timeline.date(2024, 3, 16), account: giro, category: food,
      labels: ["trip", "shared"])
    let stall = Payment(cents(-1_999), "Farmer", on: Timeline.date(2024, 3, 31, 23), account: purse, category: market)
    stall.isCleared = false
    let cinema = Payment(
      cents(-1_200), "Cinema", on: Timeline.date(2024, 2, 29), account: purse, category: fun, labels: ["shared"])
    let store = Payment(cents(-3_000), "Department store", on: Timeline.date(2024, 3, 20), account: giro)
    store.splits = [BudgetApp.Split(cents(-1_000), food), BudgetApp.Split(cents(-2_000), fun)]
    let wage = Payment(cents(200_000), "Employer", on: Timeline.date(2024, 3, 28), account: giro)
    wage.recurrence = .init(everyMonths: 1, lastDay: Timeline.date(2025, 1, 1))
    for payment in [flat, april, bakery, dinner, stall, cinema, store, wage] { context.insert(payment) }
    try context.save()
  }

  private func payees(_ predicate: Predicate<Payment>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.date)])).map(\.payee)
  }

  private func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text))
  }

  @Test("The amounts of each category and month are summed")
  func months() throws {
    let spent = FetchDescriptor<Payment>(predicate: #Predicate { $0.amount < 0 })
    let groups = try context.fetchGroups(
      by: .start(of: .month, containing: \.date, in: Timeline.calendar), .value(of: \Payment.category?.name),
      computing: .sum(of: \.amount), .count, matching: spent)
    let lines = groups.map { group in
      let month = Timeline.calendar.component(.month, from: group.key.0)
      return "\(month) \(group.key.1 ?? "none") \(group.values.0) \(group.values.1)"
    }
    #expect(
      lines == [
        "2 Fun -12 1", "3 none -30 1", "3 Food -60.15 2", "3 Market -19.99 1", "3 Rent -500 1", "4 Rent -500 1",
      ])
  }

  @Test("Categories over their limit are found")
  func limits() throws {
    let groups = try context.fetchGroups(
      by: \.category, computing: .sum(of: \.amount), matching: FetchDescriptor(predicate: Payment.spent(in: march)),
      having: #Predicate { $0 <= -20 }, sortBy: [.init(.sum(of: \.amount))])
    #expect(groups.map { $0.key?.name } == ["Rent", "Food", nil])
    let beyond = groups.filter { group in group.key?.monthlyLimit.map { -group.value > $0 } ?? false }
    #expect(beyond.map(\.key?.name) == ["Food"])
    let unlimited = FetchDescriptor<Category>(predicate: #Predicate { $0.monthlyLimit == nil })
    #expect(try context.fetch(unlimited).map(\.name) == ["Fun"])
    let range = Decimal(15)...Decimal(60)
    let modest = FetchDescriptor<Category>(
      predicate: #Predicate { category in
        if let limit = category.monthlyLimit { range.contains(limit) } else { false }
      }, sortBy: [SortDescriptor(\.monthlyLimit, order: .reverse)])
    #expect(try context.fetch(modest).map(\.name) == ["Food", "Market"])
  }

  @Test("The balance of each account is computed")
  func balances() throws {
    let sums = try context.fetchGroups(by: \.account, computing: .sum(of: \Payment.amount))
    let balances = sums.compactMap { group in group.key.map { ($0.name, $0.openingBalance + group.value) } }
    #expect(
      Dictionary(uniqueKeysWithValues: balances)
        == ["Giro": try decimal("1919.95"), "Purse": try decimal("7.91")])
    let idle = FetchDescriptor<Account>(predicate: #Predicate { $0.payments.isEmpty })
    #expect(try context.fetch(idle).map(\.name) == ["Nest egg"])
    let kinds = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.kind, order: .reverse)])
    #expect(try context.fetch(kinds).map(\.kind) == [.savings, .checking, .cash])
    let kind = BudgetApp.AccountKind.checking
    let liquid = FetchDescriptor<Account>(
      predicate: #Predicate { $0.kind <= kind }, sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(liquid).map(\.name) == ["Giro", "Purse"])
  }

  @Test("The payees with the largest totals are listed")
  func payees() throws {
    let largest = try context.fetchGroups(
      by: \.payee, computing: .sum(of: \.amount), .maximum(of: \.date),
      matching: FetchDescriptor<Payment>(predicate: #Predicate { $0.amount < 0 }),
      sortBy: [.init(.sum(of: \.amount))], limit: 2)
    #expect(largest.map(\.key) == ["Landlord", "Trattoria"])
    #expect(largest.map(\.values.0) == [-1000, try decimal("-50.05")])
    #expect(largest.map(\.values.1) == [Timeline.date(2024, 4, 1), Timeline.date(2024, 3, 16)])
  }

  @Test("Payments of a category are found, including split payments")
  func splits() throws {
    let food = try #require(
      try context.fetch(FetchDescriptor<Category>(predicate: #Predicate { $0.name == "Food" })).first)
    #expect(try payees(Payment.touching(food)) == ["Bakery", "Trattoria", "Department store"])
    #expect(
      try payees(
        #Predicate { payment in payment.category == nil && payment.splits.isEmpty }) == ["Employer"])
    #expect(
      try payees(#Predicate { $0.category?.parent?.name == "Food" }) == ["Farmer"])
    let identifier = food.persistentModelID
    let parts = FetchDescriptor<BudgetApp.Split>(
      predicate: #Predicate { $0.category?.persistentModelID == identifier })
    #expect(try context.fetchAggregates(.sum(of: \.amount), matching: parts) == -10)
    let tree: Set<String> = ["Food", "Market"]
    #expect(
      try payees(#Predicate { payment in payment.category.flatMap { tree.contains($0.name) } ?? false }) == [
        "Bakery", "Trattoria", "Farmer",
      ])
  }

  @Test("Payments are found by amount, to the cent")
  func amounts() throws {
    let exact = try decimal("-10.10")
    #expect(try payees(#Predicate { $0.amount == exact }) == ["Bakery"])
    let low = try decimal("-50.05")
    let high = try decimal("-12")
    #expect(
      try payees(#Predicate { $0.amount >= low && $0.amount <= high })
        == ["Cinema", "Trattoria", "Department store", "Farmer"])
    #expect(
      try payees(#Predicate { (low..<high).contains($0.amount) }) == ["Trattoria", "Department store", "Farmer"])
    #expect(try context.fetchAggregates(.minimum(of: \Payment.amount)) == -500)
    #expect(
      try context.fetchAggregates(
        .average(of: \Payment.amount), matching: FetchDescriptor(predicate: Payment.touchingTrips)) == low)
  }

  @Test("Payments are filtered by labels, memos and recurrence")
  func details() throws {
    #expect(try payees(#Predicate { $0.labels.contains("shared") }) == ["Cinema", "Trattoria"])
    #expect(try payees(#Predicate { $0.labels.count > 1 && $0.labels.first == "trip" }) == ["Trattoria"])
    let text = "BROT"
    #expect(try payees(#Predicate { $0.memo?.localizedStandardContains(text) ?? false }) == ["Bakery"])
    #expect(try payees(#Predicate { $0.recurrence?.everyMonths == 1 }) == ["Landlord", "Employer"])
    #expect(try payees(#Predicate { $0.recurrence != nil && $0.recurrence?.lastDay == nil }) == ["Landlord"])
    let today = Timeline.date(2024, 12, 1)
    #expect(
      try payees(
        #Predicate { payment in
          if let last = payment.recurrence?.lastDay { last > today } else { false }
        }) == ["Employer"])
    #expect(try payees(#Predicate { !$0.isCleared }) == ["Farmer"])
    for (wantsCleared, expected) in [(nil, 1), (true, 1), (false, 0)] as [(Bool?, Int)] {
      let incomes = FetchDescriptor<Payment>(
        predicate: #Predicate { payment in
          if let wantsCleared { payment.isCleared == wantsCleared && payment.amount > 0 } else { payment.amount > 0 }
        })
      #expect(try context.fetchCount(incomes) == expected)
    }
  }

  @Test("Payments are summed by weekday and by direction")
  func weekdays() throws {
    let weekdays = try context.fetchGroups(
      by: .component(.weekday, from: \.date, in: Timeline.calendar), computing: .count,
      matching: FetchDescriptor<Payment>(predicate: Payment.spent(in: march)))
    #expect(weekdays.map(\.key) == [1, 4, 6, 7])
    #expect(weekdays.map(\.value) == [1, 1, 1, 2])
    let signs = try context.fetchGroups(
      by: .value(of: #Expression<Payment, Bool> { $0.amount > 0 }), computing: .sum(of: \.amount))
    #expect(signs.map(\.key) == [false, true])
    #expect(signs.map(\.value) == [try decimal("-1122.14"), 2000])
  }

  @Test("Unsaved payments and edits are included in the totals")
  func pending() throws {
    let cinema = try #require(
      try context.fetch(FetchDescriptor<Payment>(predicate: #Predicate { $0.payee == "Cinema" })).first)
    let account = try #require(cinema.account)
    let fun = try #require(cinema.category)
    cinema.amount = -20
    context.insert(Payment(-5, "Arcade", on: Timeline.date(2024, 2, 28), account: account, category: fun))
    let february = DateInterval(start: Timeline.date(2024, 2, 1), end: Timeline.date(2024, 3, 1))
    #expect(
      try context.fetchAggregates(.sum(of: \.amount), matching: FetchDescriptor(predicate: Payment.spent(in: february)))
        == -25)
    var saved = FetchDescriptor<Payment>(predicate: Payment.spent(in: february))
    saved.includePendingChanges = false
    #expect(try context.fetchAggregates(.sum(of: \.amount), matching: saved) == -12)
    #expect(try payees(Payment.spent(in: february)) == ["Arcade", "Cinema"])
    context.delete(cinema)
    #expect(try context.fetchCount(FetchDescriptor<Payment>(predicate: Payment.spent(in: february))) == 1)
    try context.save()
    #expect(try context.fetchAggregates(.sum(of: \.amount), matching: saved) == -5)
  }

  @Test("Payments are kept when their category is deleted, and deleted with their account")
  func deleting() throws {
    try context.delete(model: Category.self, where: #Predicate { $0.name == "Food" })
    try context.save()
    let fresh = ModelContext(context.container)
    #expect(try fresh.fetchCount(FetchDescriptor<Payment>()) == 8)
    #expect(try fresh.fetchCount(FetchDescriptor<Payment>(predicate: #Predicate { $0.category == nil })) == 4)
    #expect(try fresh.fetchCount(FetchDescriptor<Category>(predicate: #Predicate { $0.parent == nil })) == 3)
    try fresh.delete(model: Account.self, where: #Predicate { $0.name == "Giro" })
    try fresh.save()
    #expect(try fresh.fetchCount(FetchDescriptor<BudgetApp.Split>()) == 0)
    #expect(
      try fresh.fetch(FetchDescriptor<Payment>(sortBy: [SortDescriptor(\.payee)])).map(\.payee)
        == ["Bakery", "Cinema", "Farmer"])
  }
}

extension BudgetApp.Payment {
  fileprivate static var touchingTrips: Predicate<BudgetApp.Payment> {
    #Predicate { payment in payment.labels.contains { $0.starts(with: "tr") } }
  }
}
