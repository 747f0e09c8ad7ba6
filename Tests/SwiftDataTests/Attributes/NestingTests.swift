import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Chapters {
  struct Item: Codable, Equatable {
    var text = "[{\"\\"
    var items: [Item] = []

    /// - Parameter depth: The number of nested items.
    init(depth: Int) {
      if depth > 1 { items = [Item(depth: depth - 1)] }
    }
  }

  var items: [Item] = []

  init() {}
}

/// Has structs whose only required field is a struct with optional fields only.
@Model
final class Luggage {
  struct Mark: Codable, Equatable {
    var text: String?
  }

  struct Label: Codable, Equatable {
    var mark: Mark
    var colour: String?
  }

  var number: Int
  var label: Label?

  init(_ number: Int, _ label: Label?) {
    self.number = number
    self.label = label
  }
}

@Suite("Nested values")
struct NestingTests {
  @Test("An optional struct whose fields are all optional is not nil after it was set")
  func optionalStructThere() throws {
    let container = try ModelContainer(
      for: Luggage.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let labels = [
      nil, Luggage.Label(mark: .init()), Luggage.Label(mark: .init(text: "x")), .init(mark: .init(), colour: "y"),
    ]
    for (number, label) in labels.enumerated() { context.insert(Luggage(number, label)) }
    try context.save()
    let found = try ModelContext(container).fetch(FetchDescriptor<Luggage>(sortBy: [SortDescriptor(\.number)]))
    #expect(found.map(\.label) == labels)
    let without = FetchDescriptor<Luggage>(predicate: #Predicate { $0.label == nil })
    #expect(try ModelContext(container).fetch(without).map(\.number) == [0])
  }

  @Test("A value that is nested too deep to be decoded is refused")
  func tooDeepValue() throws {
    let container = try ModelContainer(
      for: Chapters.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let chapters = Chapters()
    context.insert(chapters)
    // Each has an object and an array, and there is one array more outside.
    chapters.items = [Chapters.Item(depth: 256)]
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    chapters.items = [Chapters.Item(depth: 255)]
    try context.save()
    let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Chapters>()).first)
    #expect(found.items == chapters.items)
    #expect(found.items.count == 1)
  }
}
