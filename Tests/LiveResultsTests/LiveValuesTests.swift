import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("A sequence of live values")
struct LiveValuesTests {
  private let library: ModelContainer

  init() throws {
    library = try makeLibrary()
  }

  private func save(_ change: (ModelContext) throws -> Void) throws {
    let context = ModelContext(library)
    try change(context)
    try context.save()
  }

  private var titles: LiveValues<[String]> {
    library.values(of: FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])) { $0.title }
  }

  @Test("The first value comes at once, and another one after each commit that concerns it")
  func follows() async throws {
    var iterator = titles.makeAsyncIterator()
    #expect(try await iterator.next() == [])
    try save { $0.insert(Book(isbn: "1", title: "Emma")) }
    #expect(try await iterator.next() == ["Emma"])
    // This one concerns nothing, so that the next value is of the commit after it.
    try save { $0.insert(Author(name: "Austen")) }
    try save { try $0.fetch(FetchDescriptor<Book>())[0].title = "Persuasion" }
    #expect(try await iterator.next() == ["Persuasion"])
    try save { try $0.delete(model: Book.self) }
    #expect(try await iterator.next() == [])
  }

  @Test("The latest value comes, however many commits there were")
  func comesToLatest() async throws {
    var iterator = titles.makeAsyncIterator()
    #expect(try await iterator.next() == [])
    for number in 0..<10 { try save { $0.insert(Book(isbn: "\(number)", title: "\(number)")) } }
    #expect(try await iterator.next()?.count == 10)
  }

  @Test("Sums and counts are followed as well")
  func followsCounts() async throws {
    let counts = library.values(following: [Book.self, Author.self]) { context in
      try (context.fetchCount(FetchDescriptor<Book>()), context.fetchCount(FetchDescriptor<Author>()))
    }
    var iterator = counts.makeAsyncIterator()
    #expect(try await iterator.next()! == (0, 0))
    try save { $0.insert(Book(isbn: "1", title: "Emma", author: Author(name: "Austen"))) }
    #expect(try await iterator.next()! == (1, 1))
  }

  @Test("Related models count where they are named")
  func followsNamedTypes() async throws {
    try save { $0.insert(Book(isbn: "1", title: "Emma", author: Author(name: "Austen"))) }
    let names = library.values(of: FetchDescriptor<Book>(), following: [Author.self]) { $0.author?.name }
    var iterator = names.makeAsyncIterator()
    #expect(try await iterator.next() == ["Austen"])
    try save { try $0.fetch(FetchDescriptor<Author>())[0].name = "Jane" }
    #expect(try await iterator.next() == ["Jane"])
  }

  @Test("The sequence ends when its task is cancelled")
  func ends() async throws {
    let titles = titles
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var count = 0
      for try await _ in titles {
        count += 1
        continuation.yield()
      }
      return count
    }
    for await _ in started { break }
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test("What a value throws ends the loop")
  func throwsErrors() async throws {
    struct Refusal: Error {}
    let values = library.values(following: [Book.self]) { _ -> Int in throw Refusal() }
    await #expect(throws: Refusal.self) {
      for try await _ in values {}
    }
    var impossible = FetchDescriptor<Book>()
    impossible.fetchLimit = -1
    var iterator = library.values(of: impossible) { $0.title }.makeAsyncIterator()
    await #expect(throws: SwiftDataError.invalidFetchDescriptor) { try await iterator.next() }
  }
}
