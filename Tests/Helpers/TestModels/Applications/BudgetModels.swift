import Foundation
import SwiftData

@testable import TestSupport

// Accounts, the payments on them, and the categories that payments are planned by.

enum BudgetApp {
  enum AccountKind: String, Codable, CaseIterable, Comparable, Sendable {
    case cash, checking, savings

    static func < (left: Self, right: Self) -> Bool {
      (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
  }

  struct Recurrence: Codable, Hashable, Sendable {
    var everyMonths: Int
    var lastDay: Date?
  }

  @Model
  final class Account {
    @Attribute(.unique) var name: String
    var kind: AccountKind
    var openingBalance: Decimal
    @Relationship(deleteRule: .cascade, inverse: \Payment.account) var payments: [Payment] = []

    init(name: String, kind: AccountKind, openingBalance: Decimal = 0) {
      self.name = name
      self.kind = kind
      self.openingBalance = openingBalance
    }
  }

  @Model
  final class Category {
    #Unique<Category>([\.name])

    var name: String
    var monthlyLimit: Decimal?
    var parent: Category?
    @Relationship(inverse: \Category.parent) var children: [Category]
    @Relationship(deleteRule: .nullify, inverse: \Payment.category) var payments: [Payment]

    init(_ name: String, monthlyLimit: Decimal? = nil, parent: Category? = nil) {
      self.name = name
      self.monthlyLimit = monthlyLimit
      self.parent = parent
      children = []
      payments = []
    }
  }

  @Model
  final class Payment {
    #Index<Payment>([\.date], [\.payee, \.date])

    /// Negative for expenses.
    var amount: Decimal
    var date: Date
    var payee: String
    var memo: String?
    var isCleared: Bool
    var labels: [String]
    var recurrence: Recurrence?
    var account: Account?
    var category: Category?
    @Relationship(deleteRule: .cascade, inverse: \Split.payment) var splits: [Split] = []

    init(
      _ amount: Decimal, _ payee: String, on date: Date, account: Account, category: Category? = nil,
      labels: [String] = []
    ) {
      self.amount = amount
      self.payee = payee
      self.date = date
      self.account = account
      self.category = category
      self.labels = labels
      isCleared = true
    }
  }

  /// A part of a payment that belongs to another category.
  @Model
  final class Split {
    var amount: Decimal
    var category: Category?
    var payment: Payment?

    init(_ amount: Decimal, _ category: Category) {
      self.amount = amount
      self.category = category
    }
  }
}

extension BudgetApp.Payment {
  static func spent(in interval: DateInterval) -> Predicate<BudgetApp.Payment> {
    let start = interval.start
    let end = interval.end
    return #Predicate { $0.amount < 0 && $0.date >= start && $0.date < end }
  }

  /// Payments of a category, or with a part of it.
  static func touching(_ category: BudgetApp.Category) -> Predicate<BudgetApp.Payment> {
    let identifier = category.persistentModelID
    return #Predicate { payment in
      payment.category?.persistentModelID == identifier
        || payment.splits.contains { $0.category?.persistentModelID == identifier }
    }
  }
}
