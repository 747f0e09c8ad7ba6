import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum AggregatesGuide {
  @Model final class Category {
    var name: String
    @Relationship(inverse: \Expense.category) var expenses: [Expense] = []
    init(name: String) { self.name = name }
  }

  @Model final class Expense {
    var amount: Decimal
    var quantity: Int
    var paidOn: Date
    var refundedOn: Date?
    var note: String?
    var category: Category?
    init(amount: Decimal, quantity: Int = 1, paidOn: Date) {
      self.amount = amount
      self.quantity = quantity
      self.paidOn = paidOn
    }
  }

  static func aggregates(_ context: ModelContext, _ lastYear: Date) throws {
    let recent = FetchDescriptor<Expense>(predicate: #Predicate { $0.paidOn > lastYear })

    let total = try context.fetchAggregates(.sum(of: \.amount), matching: recent)  // Decimal
    let mean = try context.fetchAggregates(.average(of: \.quantity), matching: recent)  // Double?
    let first = try context.fetchAggregates(.minimum(of: \.paidOn), matching: recent)  // Date?
    let last = try context.fetchAggregates(.maximum(of: \.refundedOn), matching: recent)  // Date?
    let notes = try context.fetchAggregates(.distinctCount(of: \.note), matching: recent)  // Int
    let names = try context.fetchAggregates(.distinctCount(of: \Expense.category?.name))  // of all expenses

    let bundled = #Expression<Expense, Int> { $0.quantity > 1 ? $0.quantity : 0 }
    let pieces = try context.fetchAggregates(.sum(of: bundled))

    let (count, sum, latest) = try context.fetchAggregates(
      .count, .sum(of: \.amount), .maximum(of: \.paidOn), matching: recent)

    print(total, mean ?? 0, first ?? .now, last ?? .now, notes, names, pieces, count, sum, latest ?? .now)
  }

  static func groups(_ context: ModelContext, _ recent: FetchDescriptor<Expense>) throws {
    for (note, sum) in try context.fetchGroups(by: \.note, computing: .sum(of: \.amount), matching: recent) {
      print(note ?? "without a note", sum)
    }

    let groups = try context.fetchGroups(
      by: \.category?.name, \.note, computing: .sum(of: \.amount), .count, matching: recent)
    for ((category, note), (sum, count)) in groups {
      print(category ?? "none", note ?? "", sum, count)
    }

    for (category, count) in try context.fetchGroups(by: \Expense.category, computing: .count) {
      print(category?.name ?? "none", count)
    }

    let months = try context.fetchGroups(
      by: .start(of: .month, containing: \.paidOn), .value(of: \.category), computing: .sum(of: \.amount),
      matching: recent)
    let weekdays = try context.fetchGroups(by: .component(.weekday, from: \Expense.paidOn), computing: .count)
    let sizes = try context.fetchGroups(
      by: .value(of: #Expression<Expense, Bool> { $0.quantity > 10 }), computing: .average(of: \.amount))

    let largest = try context.fetchGroups(
      by: \.category?.name, computing: .sum(of: \.amount), .count, matching: recent,
      having: #Predicate<Decimal, Int> { sum, count in sum > 100 && count > 2 },
      sortBy: [.init(.sum(of: \.amount), order: .reverse)], limit: 10)

    let names = try context.fetchDistinct(of: \Expense.category?.name, matching: recent)

    print(months.count, weekdays.count, sizes.count, largest.count, names)
  }
}
