import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// The examples of the guide to aggregates, with results.
@Suite("The guide to aggregates")
struct AggregateGuideTests {
  @Model
  final class Category {
    var name: String
    @Relationship(inverse: \Expense.category) var expenses: [Expense] = []

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Expense {
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

  private static let day = 86_400.0
  private let context: ModelContext
  private let lastYear = Date(timeIntervalSinceReferenceDate: -3 * day)
  private let recent: FetchDescriptor<Expense>

  init() throws {
    let lastYear = lastYear
    recent = FetchDescriptor(predicate: #Predicate { $0.paidOn > lastYear })
    context = try makeContainer(Category.self, Expense.self).freshContext()
    let food = Category(name: "Food")
    context.insert(food)
    // Three months: January 2001 begins at day 0.
    for (index, quantity) in [1, 20, 3, 4].enumerated() {
      let expense = Expense(
        amount: Decimal(50 * (index + 1)), quantity: quantity,
        paidOn: Date(timeIntervalSinceReferenceDate: Double(index) * 20 * Self.day))
      context.insert(expense)
      expense.note = index == 1 ? nil : "note"
      expense.category = index == 0 ? nil : food
    }
    let old = Expense(amount: 1000, paidOn: Date(timeIntervalSinceReferenceDate: -9 * Self.day))
    context.insert(old)
    try context.save()
  }

  @Test("An aggregate is computed from the models that a descriptor selects")
  func scalars() throws {
    let total = try context.fetchAggregates(.sum(of: \.amount), matching: recent)
    let mean = try context.fetchAggregates(.average(of: \.quantity), matching: recent)
    let first = try context.fetchAggregates(.minimum(of: \.paidOn), matching: recent)
    let last = try context.fetchAggregates(.maximum(of: \.refundedOn), matching: recent)
    let notes = try context.fetchAggregates(.distinctCount(of: \.note), matching: recent)
    let names = try context.fetchAggregates(.distinctCount(of: \Expense.category?.name))
    #expect(total == 500)
    #expect(mean == 7)
    #expect(first == Date(timeIntervalSinceReferenceDate: 0))
    #expect(last == nil)
    #expect(notes == 1)
    #expect(names == 1)
    let bundled = #Expression<Expense, Int> { $0.quantity > 1 ? $0.quantity : 0 }
    let pieces = try context.fetchAggregates(.sum(of: bundled))
    #expect(pieces == 27)
    let (count, sum, latest) = try context.fetchAggregates(
      .count, .sum(of: \.amount), .maximum(of: \.paidOn), matching: recent)
    #expect(count == 4)
    #expect(sum == 500)
    #expect(latest == Date(timeIntervalSinceReferenceDate: 60 * Self.day))
  }

  @Test("A sum over the latest models uses the descriptor's order and limit")
  func limited() throws {
    var latest = FetchDescriptor<Expense>(sortBy: [SortDescriptor(\.paidOn, order: .reverse)])
    latest.fetchLimit = 2
    #expect(try context.fetchAggregates(.sum(of: \.amount), matching: latest) == 350)
  }

  @Test("Models are grouped by properties and by related models")
  func groups() throws {
    var notes: [String?: Decimal] = [:]
    for (note, sum) in try context.fetchGroups(by: \.note, computing: .sum(of: \.amount), matching: recent) {
      notes[note] = sum
    }
    #expect(notes == ["note": 400, nil: 100])

    var lines: [String] = []
    let groups = try context.fetchGroups(
      by: \.category?.name, \.note, computing: .sum(of: \.amount), .count, matching: recent)
    for ((category, note), (sum, count)) in groups {
      lines.append("\(category ?? "none") \(note ?? "") \(sum) \(count)")
    }
    #expect(lines == ["none note 50 1", "Food  100 1", "Food note 350 2"])

    var counts: [String: Int] = [:]
    for (category, count) in try context.fetchGroups(by: \Expense.category, computing: .count) {
      counts[category?.name ?? "none"] = count
    }
    #expect(counts == ["none": 2, "Food": 3])
  }

  @Test("Models are grouped by months, weekdays and expressions")
  func descriptors() throws {
    let months = try context.fetchGroups(
      by: .start(of: .month, containing: \.paidOn), .value(of: \.category), computing: .sum(of: \.amount),
      matching: recent)
    #expect(months.map(\.value).reduce(0, +) == 500)
    #expect(months.allSatisfy { Calendar.current.component(.day, from: $0.key.0) == 1 })
    let weekdays = try context.fetchGroups(by: .component(.weekday, from: \Expense.paidOn), computing: .count)
    #expect(weekdays.map(\.value).reduce(0, +) == 5)
    #expect(weekdays.allSatisfy { (1...7).contains($0.key) })
    let sizes = try context.fetchGroups(
      by: .value(of: #Expression<Expense, Bool> { $0.quantity > 10 }), computing: .average(of: \.amount))
    #expect(sizes.map(\.key) == [false, true])
    #expect(sizes.map(\.value) == [350, 100])
  }

  @Test("Groups can be filtered, ordered and limited")
  func having() throws {
    let largest = try context.fetchGroups(
      by: \.category?.name, computing: .sum(of: \.amount), .count, matching: recent,
      having: #Predicate<Decimal, Int> { sum, count in sum > 100 && count > 2 },
      sortBy: [.init(.sum(of: \.amount), order: .reverse)], limit: 10)
    #expect(largest.map(\.key) == ["Food"])
    #expect(largest.map(\.values.0) == [450])
  }
}
