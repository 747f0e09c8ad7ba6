import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model class Account {
  @Attribute(.unique) var number: Int
  var owner = ""
  @Relationship(inverse: \Booking.account) var bookings: [Booking] = []

  init(_ number: Int, owner: String = "") {
    self.number = number
    self.owner = owner
  }
}

@Model final class Savings: Account {
  @Attribute(.unique) var code: String?
  var rate = 0.0
  var goal = "none"
  @Relationship(inverse: \Plan.savings) var plans: [Plan] = []

  init(_ number: Int, owner: String = "", code: String? = nil, rate: Double, goal: String) {
    self.code = code
    self.rate = rate
    self.goal = goal
    super.init(number, owner: owner)
  }
}

@Model final class Loan: Account {
  @Attribute(.unique) var code: String?
  var debt: Int

  init(_ number: Int, owner: String = "", code: String? = nil, debt: Int) {
    self.code = code
    self.debt = debt
    super.init(number, owner: owner)
  }
}

@Model final class Booking {
  var amount: Int
  var account: Account?

  init(_ amount: Int) {
    self.amount = amount
  }
}

@Model final class Plan {
  var name: String
  var savings: Savings?

  init(_ name: String, _ savings: Savings? = nil) {
    self.name = name
    self.savings = savings
  }
}

@Model class Pass {
  var passenger: String

  init(_ passenger: String) {
    self.passenger = passenger
  }
}

/// The declared values of its unique properties may stay unset by an initializer.
@Model final class DayPass: Pass {
  #Unique<DayPass>([\.zone, \.day])
  @Attribute(.unique) var number = 0
  var zone = "A"
  var day = 1

  init(_ passenger: String, number: Int? = nil, day: Int? = nil) {
    super.init(passenger)
    if let number { self.number = number }
    if let day { self.day = day }
  }
}

@Suite("Unique values under inheritance")
struct InheritedUniquenessTests {
  private let container: ModelContainer

  init() throws {
    container = try makeContainer(Account.self, Savings.self, Loan.self, Booking.self, Plan.self)
    let context = ModelContext(container)
    let savings = Savings(1, owner: "Ann", code: "s1", rate: 0.5, goal: "a house")
    savings.bookings = [Booking(10)]
    savings.plans = [Plan("early")]
    context.insert(savings)
    context.insert(Account(2, owner: "Bob"))
    try context.save()
  }

  @Test(
    "Inserting a superclass model with a subclass row's unique value updates that row, in every context",
    arguments: [false, true])
  func baseIntoSubclass(isHeld: Bool) throws {
    let reader = ModelContext(container)
    let held = try reader.only(Savings.self)
    #expect(held.goal == "a house")
    let context = ModelContext(container)
    let known = isHeld ? try context.only(Savings.self) : nil
    let account = Account(1, owner: "Cid")
    account.bookings = [Booking(20)]
    context.insert(account)
    try context.save()
    let savings = try context.only(Savings.self)
    if let known { #expect(savings === known) }
    #expect(type(of: savings) == Savings.self)
    #expect(savings.owner == "Cid")
    #expect(savings.rate == 0.5)
    #expect(savings.goal == "a house")
    #expect(savings.code == "s1")
    #expect(savings.plans.map(\.name) == ["early"])
    #expect(Set(savings.bookings.map(\.amount)) == [10, 20])
    #expect(savings.bookings.allSatisfy { $0.account === savings })
    #expect(account.modelContext == nil)
    #expect(account.persistentModelID.entityName == "Account")
    #expect(try context.fetchCount(FetchDescriptor<Account>()) == 2)
    let again = try reader.only(Savings.self)
    #expect(again === held)
    #expect(again.owner == "Cid")
    #expect(again.goal == "a house")
  }

  @Test("Inserting a subclass model with a superclass row's unique value updates that row and keeps its class")
  func subclassIntoBase() throws {
    let context = ModelContext(container)
    let savings = Savings(2, owner: "Dan", code: "s2", rate: 0.7, goal: "a boat")
    savings.bookings = [Booking(30)]
    context.insert(savings)
    try context.save()
    #expect(savings.modelContext == nil)
    let accounts = try context.all(Account.self, by: \.number)
    #expect(accounts.map { "\(type(of: $0))" } == ["Savings", "Account"])
    #expect(accounts.map(\.owner) == ["Ann", "Dan"])
    #expect(accounts[1].bookings.map(\.amount) == [30])
    #expect(accounts[1].bookings.first?.account === accounts[1])
    #expect(try context.fetchCount(FetchDescriptor<Savings>()) == 1)
    let fresh = container.freshContext()
    #expect(try fresh.all(Account.self, by: \.number).map(\.owner) == ["Ann", "Dan"])
    // Values of properties that only the subclass has are not in the row.
    let later = Savings(3, code: "s2", rate: 0.1, goal: "another")
    fresh.insert(later)
    try fresh.save()
    #expect(later.modelContext === fresh)
  }

  @Test("An upsert of a sibling class's row updates the inherited properties only")
  func sibling() throws {
    let context = ModelContext(container)
    context.insert(Loan(1, owner: "Eve", code: "l1", debt: 5))
    try context.save()
    let savings = try context.only(Savings.self)
    #expect(savings.owner == "Eve")
    #expect(savings.code == "s1")
    #expect(savings.goal == "a house")
    #expect(try context.fetchCount(FetchDescriptor<Loan>()) == 0)
  }

  @Test("Within one save the first model inserted decides the class of the row")
  func sameSave() throws {
    let context = ModelContext(container)
    let (first, second, third) = (
      Account(7, owner: "first"), Savings(7, owner: "second", code: "7", rate: 1, goal: "g"),
      Loan(7, owner: "third", code: "7", debt: 3)
    )
    context.insert(first)
    context.insert(second)
    context.insert(third)
    let (saver, account) = (Savings(8, owner: "saver", rate: 2, goal: "tree"), Account(8, owner: "plain"))
    context.insert(saver)
    context.insert(account)
    try context.save()
    #expect(first.modelContext === context)
    #expect(second.modelContext == nil)
    #expect(third.modelContext == nil)
    #expect(first.owner == "third")
    #expect(saver.modelContext === context)
    #expect(saver.owner == "plain")
    #expect(saver.goal == "tree")
    let fresh = container.freshContext()
    #expect(
      try fresh.all(Account.self, by: \.number).map { "\($0.number) \(type(of: $0)) \($0.owner)" }
        == ["1 Savings Ann", "2 Account Bob", "7 Account third", "8 Savings plain"])
  }

  @Test("Sibling classes can have equal values in properties that each declares itself")
  func siblingsOwnValues() throws {
    let context = ModelContext(container)
    context.insert(Loan(20, code: "s1", debt: 1))
    context.insert(Savings(21, code: "x", rate: 0, goal: "x"))
    context.insert(Loan(22, code: "x", debt: 2))
    context.insert(Loan(23, code: "x", debt: 3))
    try context.save()
    #expect(
      try container.freshContext().all(Loan.self, by: \.debt).map { "\($0.number) \($0.code ?? "")" } == [
        "20 s1", "23 x",
      ])
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Savings>()) == 2)
  }

  @Test("A unique value that an upsert replaces or does not use is free in the same save")
  func freeCodes() throws {
    let context = ModelContext(container)
    context.insert(Savings(1, owner: "Fay", code: "s9", rate: 0, goal: "first"))
    context.insert(Savings(30, owner: "Gus", code: "s1", rate: 0, goal: "second"))
    context.insert(Savings(2, owner: "Hal", code: "s2", rate: 0, goal: "third"))
    context.insert(Savings(3, owner: "Ida", code: "s2", rate: 0, goal: "fourth"))
    try context.save()
    let fresh = container.freshContext()
    #expect(
      try fresh.all(Account.self, by: \.number).map { "\($0.number) \(type(of: $0)) \($0.owner)" }
        == ["1 Savings Fay", "2 Account Hal", "3 Savings Ida", "30 Savings Gus"])
    #expect(try fresh.all(Savings.self, by: \.goal).map(\.code) == ["s9", "s2", "s1"])
  }

  @Test("A save fails and writes nothing when an upsert would give a relationship a model of the wrong class")
  func narrowReference() throws {
    let context = ModelContext(container)
    let plan = Plan("late", Savings(2, owner: "Dan", rate: 0.7, goal: "a boat"))
    context.insert(plan)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.property == "savings")
    #expect(context.hasChanges)
    #expect(try container.freshContext().all(Account.self, by: \.number).map(\.owner) == ["Ann", "Bob"])
    plan.savings?.number = 5
    try context.save()
    #expect(plan.savings?.goal == "a boat")
  }

  @Test("Superclass models do not conflict in a subclass's unique values, whatever the defaults are")
  func defaults() throws {
    let container = try makeContainer(Pass.self, DayPass.self)
    let context = ModelContext(container)
    for passenger in ["Ann", "Bob", "Cid"] { context.insert(Pass(passenger)) }
    try context.save()
    context.insert(Pass("Dan"))
    for (passenger, number, day) in [("Eve", nil, nil), ("Fay", nil, 2), ("Gus", 5, nil), ("Hal", 6, 3)] {
      context.insert(DayPass(passenger, number: number, day: day))
      try context.save()
    }
    // Fay has the number of Eve, and Gus has the day of Eve's ticket.
    let fresh = container.freshContext()
    #expect(try fresh.all(Pass.self, by: \.passenger).count { type(of: $0) == Pass.self } == 4)
    #expect(try fresh.all(DayPass.self, by: \.number).map(\.passenger) == ["Fay", "Gus", "Hal"])
  }
}
