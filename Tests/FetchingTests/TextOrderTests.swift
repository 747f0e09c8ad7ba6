import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("The order of texts in stores")
struct TextOrderTests {
  private static func makeContext() throws -> ModelContext {
    let context = ModelContext(
      try ModelContainer(
        for: Labels.Label.self, Voyage.self, Publication.self, Magazine.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.autosaveEnabled = false
    return context
  }

  /// Difficult texts, also in pairs, in no particular order.
  private static func texts() -> [String] {
    let all = HardTexts.all
    let pairs = all.indices.map { all[$0] + all[$0 * 7 % all.count] + all[$0 * 13 % all.count] }
    let texts = all + pairs.filter { $0.utf8.count < 100 }
    return texts.indices.map { texts[$0 * 89 % texts.count] }
  }

  static let sorts: [SortDescriptor<Labels.Label>] = [.forward, .reverse].flatMap { (order: SortOrder) in
    [
      .init(\.text, order: order), .init(\.note, order: order), .init(\.text, comparator: .localized, order: order),
      .init(\.note, comparator: .localized, order: order),
    ]
  }

  @Test(
    "Rows have the descriptor's order in Swift, with an index or without",
    arguments: sorts.indices)
  func rows(index: Int) throws {
    let context = try Self.makeContext()
    let texts = Self.texts()
    for (number, text) in texts.enumerated() {
      context.insert(Labels.Label(text, number: number, note: number % 5 == 0 ? nil : texts[number * 31 % texts.count]))
    }
    try context.save()
    let all = try context.fetch(FetchDescriptor<Labels.Label>(sortBy: [SortDescriptor(\.number)]))
    let sort = Self.sorts[index]
    let expected = all.enumerated().sorted { left, right in
      let order = sort.compare(left.element, right.element)
      return order == .orderedSame ? left.offset < right.offset : order == .orderedAscending
    }.map(\.element.number)
    #expect(try context.fetch(FetchDescriptor(sortBy: [sort])).map(\.number) == expected)
    #expect(try ModelContext(context.container).fetch(FetchDescriptor(sortBy: [sort])).map(\.number) == expected)

    var page = FetchDescriptor(sortBy: [sort])
    (page.fetchOffset, page.fetchLimit) = (40, 25)
    #expect(try context.fetch(page).map(\.number) == Array(expected[40..<65]))
    page.predicate = #Predicate { $0.shelf == 0 && $0.number >= 0 }
    #expect(try context.fetch(page).map(\.number) == Array(expected[40..<65]))
  }

  @Test("Pending models have their positions between the rows", arguments: sorts.indices)
  func pending(index: Int) throws {
    let context = try Self.makeContext()
    let texts = Self.texts()
    for (number, text) in texts.enumerated() {
      if number == texts.count / 2 { try context.save() }
      context.insert(Labels.Label(text, number: number, note: number % 5 == 0 ? nil : texts[number * 31 % texts.count]))
    }
    // Some rows have changed as well.
    for label in try context.fetch(FetchDescriptor<Labels.Label>()) where label.number % 7 == 0 { label.text += "é" }
    var descriptor = FetchDescriptor(sortBy: [Self.sorts[index]])
    let before = try context.fetch(descriptor).map(\.number)
    descriptor.fetchLimit = 30
    let first = try context.fetch(descriptor).map(\.number)
    try context.save()
    descriptor.fetchLimit = nil
    #expect(try ModelContext(context.container).fetch(descriptor).map(\.number) == before)
    #expect(first == Array(before.prefix(30)))
  }

  @Test("Texts that differ have an order under all rules, and canonically equivalent ones have none")
  func ties() throws {
    let context = try Self.makeContext()
    for (number, text) in ["e\u{301}", "é", "a\u{ad}", "a", "A", "a\0"].enumerated() {
      context.insert(Labels.Label(text, number: number))
    }
    try context.save()
    func numbers(_ sort: SortDescriptor<Labels.Label>) throws -> [Int] {
      try context.fetch(FetchDescriptor(sortBy: [sort])).map(\.number)
    }
    #expect(try numbers(SortDescriptor(\.text)) == [3, 5, 2, 4, 0, 1])
    #expect(try numbers(SortDescriptor(\.text, order: .reverse)) == [0, 1, 4, 2, 5, 3])
    #expect(try numbers(SortDescriptor(\.text, comparator: .localized)) == [3, 5, 2, 4, 0, 1])
  }

  @Test("Texts of subclasses, composites and related models are sorted")
  func paths() throws {
    let context = try Self.makeContext()
    for (title, city) in [("b", "Ö"), ("a10", "P"), ("a9", "o"), ("Á", "z")] {
      let magazine = Magazine(title: title)
      magazine.imprint.city = city
      magazine.editor = city == "P" ? nil : title
      context.insert(magazine)
      context.insert(Publication(title: title + "-"))
    }
    try context.save()
    func titles(_ sort: SortDescriptor<Magazine>) throws -> [String] {
      try context.fetch(FetchDescriptor(sortBy: [sort])).map(\.title)
    }
    #expect(try titles(SortDescriptor(\.title)) == ["a9", "a10", "Á", "b"].sorted(using: .localizedStandard))
    #expect(try titles(SortDescriptor(\.imprint.city)) == ["a9", "b", "a10", "Á"])
    #expect(try titles(SortDescriptor(\.editor, order: .reverse)).last == "a10")
    #expect(try context.fetchCount(FetchDescriptor<Publication>(sortBy: [SortDescriptor(\.title)])) == 8)
  }
}
