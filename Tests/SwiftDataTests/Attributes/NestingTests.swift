import Foundation
import SwiftData
import Testing

@Model
final class Chapters {
  struct Item: Codable, Equatable {
    var text = "[{\"\\"
    var items: [Item] = []

    /// - Parameter depth: How many items lie in one another.
    init(depth: Int) {
      if depth > 1 { items = [Item(depth: depth - 1)] }
    }
  }

  var items: [Item] = []

  init() {}
}

@Suite struct NestingTests {
  @Test func `A value that is nested too deep to be read again is refused`() throws {
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
