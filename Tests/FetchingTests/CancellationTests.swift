import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// A value whose decoding can cancel the current task.
struct Fuse: Codable, Hashable, Sendable {
  @TaskLocal static var isLit = false

  var text: String

  init(_ text: String) {
    self.text = text
  }

  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
    if Self.isLit { withUnsafeCurrentTask { $0?.cancel() } }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

@Model
final class Firework {
  var number: Int
  var fuse: Fuse

  init(_ number: Int) {
    self.number = number
    fuse = Fuse("\(number)")
  }
}

@Suite("Fetches of a cancelled task")
struct CancellationTests {
  @Test(
    "A fetch throws when its task is cancelled during it, and the context can still be used", arguments: [true, false])
  func running(inMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(
      for: Firework.self,
      configurations: inMemory
        ? ModelConfiguration(isStoredInMemoryOnly: true) : ModelConfiguration(url: folder.file()))
    let setup = ModelContext(container)
    for number in 0..<5000 { setup.insert(Firework(number)) }
    try setup.save()
    let task = Task.detached {
      let context = ModelContext(container)
      let few = FetchDescriptor<Firework>(predicate: #Predicate { $0.number < 10 })
      let kept = try context.fetch(few)
      #expect(throws: CancellationError.self) {
        try Fuse.$isLit.withValue(true) { _ = try context.fetch(FetchDescriptor<Firework>()) }
      }
      #expect(Task.isCancelled)
      // Fetched models are complete, and changes can be saved.
      #expect(Set(kept.map(\.fuse.text)) == Set((0..<10).map(String.init)))
      for firework in kept { firework.number = -1 }
      context.insert(Firework(-1))
      try context.save()
      #expect(throws: CancellationError.self) { try context.fetch(few) }
      return UncheckedContext(context)
    }
    let context = try await task.value.context
    #expect(try context.fetchCount(FetchDescriptor<Firework>(predicate: #Predicate { $0.number == -1 })) == 11)
    #expect(try context.fetch(FetchDescriptor<Firework>()).count == 5001)
  }

  /// Passes a context out of its task, which does not use it any more.
  private struct UncheckedContext: @unchecked Sendable {
    let context: ModelContext

    init(_ context: ModelContext) {
      self.context = context
    }
  }

  @Test("In a cancelled task fetches throw, while faults fire and saves succeed")
  func cancelledBefore() async throws {
    let container = try makeLibrary()
    let setup = ModelContext(container)
    let author = Author(name: "Ursula")
    author.books = [Book(isbn: "1", title: "Earthsea")]
    setup.insert(author)
    try setup.save()
    let identifier = author.persistentModelID
    let task = Task.detached {
      withUnsafeCurrentTask { $0?.cancel() }
      let context = ModelContext(container)
      #expect(throws: CancellationError.self) { try context.fetch(FetchDescriptor<Author>()) }
      #expect(throws: CancellationError.self) { try context.fetchCount(FetchDescriptor<Author>()) }
      #expect(throws: CancellationError.self) { try context.fetchIdentifiers(FetchDescriptor<Author>()) }
      #expect(throws: CancellationError.self) { try context.delete(model: Author.self) }
      #expect(!context.hasChanges)
      let author = try #require(context.model(for: identifier) as? Author)
      #expect(author.name == "Ursula")
      #expect(author.books.map(\.title) == ["Earthsea"])
      author.name = "Le Guin"
      try context.save()
    }
    try await task.value
    #expect(try ModelContext(container).fetch(FetchDescriptor<Author>()).map(\.name) == ["Le Guin"])
  }
}
