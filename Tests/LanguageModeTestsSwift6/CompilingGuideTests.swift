import Foundation
import SwiftData
import Testing

// The examples of the guide "Getting models to compile", in every language mode.

@Model
final class Reminder {
  var title: String
  var due: Date
  var isDone = false
  var note: String?

  init(title: String, due: Date) {
    self.title = title
    self.due = due
  }
}

@Model
final class Shelf {
  @Relationship(deleteRule: .cascade, inverse: \Volume.shelf) var volumes: [Volume] = []

  init() {}
}

@Model
final class Volume {
  var shelf: Shelf?

  init() {}
}

extension Shelf: @unchecked Sendable {}

nonisolated protocol Headed {
  var title: String { get set }
}

@Model
final class Page: Headed {
  var title: String

  init(title: String) {
    self.title = title
  }
}

extension Page: CustomStringConvertible {
  nonisolated var description: String { title }
}

@MainActor
struct Program {
  static func main() throws -> Int {
    let container = try ModelContainer(
      for: Shelf.self, Volume.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    container.mainContext.insert(Shelf())
    try container.mainContext.save()
    return try container.mainContext.fetchCount(FetchDescriptor<Shelf>())
  }
}

func open(before date: Date, about text: String) -> Predicate<Reminder> {
  let isOpen = #Predicate<Reminder> { !$0.isDone && $0.due < date }
  let isMeant = #Predicate<Reminder> { $0.title.localizedStandardContains(text) || $0.note == text }
  return Predicate(all: [isOpen, isMeant])
}

@Suite("The guide on compiling models")
struct CompilingGuideTests {
  @Test("Predicates combined from parts work as the guide says")
  func parts() throws {
    let container = try ModelContainer(
      for: Reminder.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.allowsInMemoryEvaluation = false
    for (offset, title) in ["Bread", "Milk", "bread roll"].enumerated() {
      context.insert(Reminder(title: title, due: Date(timeIntervalSinceReferenceDate: Double(offset))))
    }
    try context.save()
    let limit = Date(timeIntervalSinceReferenceDate: 2)
    let descriptor = FetchDescriptor(predicate: open(before: limit, about: "bread"))
    #expect(try context.fetch(descriptor).map(\.title) == ["Bread"])
  }

  @Test("A program without top-level code uses the main context")
  func program() async throws {
    let count = try await MainActor.run { try Program.main() }
    #expect(count == 1)
  }

  @Test("A model can implement nonisolated members of protocols")
  func members() {
    #expect("\(Page(title: "first"))" == "first")
  }
}
