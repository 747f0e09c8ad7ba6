import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Sequences of live values")
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

  @Test("The first value comes at once, and another one after each commit that affects it")
  func follows() async throws {
    var iterator = titles.makeAsyncIterator()
    #expect(try await iterator.next() == [])
    try save { $0.insert(Book(isbn: "1", title: "Emma")) }
    #expect(try await iterator.next() == ["Emma"])
    // This commit does not affect it, so the next value is of the following commit.
    try save { $0.insert(Author(name: "Austen")) }
    try save { try $0.fetch(FetchDescriptor<Book>())[0].title = "Persuasion" }
    #expect(try await iterator.next() == ["Persuasion"])
    try save { try $0.delete(model: Book.self) }
    #expect(try await iterator.next() == [])
  }

  @Test("The latest value arrives, however many commits there were")
  func skipsToLatest() async throws {
    var iterator = titles.makeAsyncIterator()
    #expect(try await iterator.next() == [])
    for number in 0..<10 { try save { $0.insert(Book(isbn: "\(number)", title: "\(number)")) } }
    #expect(try await iterator.next()?.count == 10)
  }

  @Test("Sums and counts can be followed")
  func followsCounts() async throws {
    let counts = library.values(following: [Book.self, Author.self]) { context in
      try (context.fetchCount(FetchDescriptor<Book>()), context.fetchCount(FetchDescriptor<Author>()))
    }
    var iterator = counts.makeAsyncIterator()
    #expect(try await iterator.next()! == (0, 0))
    try save { $0.insert(Book(isbn: "1", title: "Emma", author: Author(name: "Austen"))) }
    #expect(try await iterator.next()! == (1, 1))
  }

  @Test("Changes of related models count if their type is named")
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

  @Test("An error that a value throws ends the loop")
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

  @Test("Differences have identifiers: all models at first, then the changes of each commit")
  func followsDifferences() async throws {
    try save { context in for title in ["a", "b", "c"] { context.insert(Book(isbn: title, title: title)) } }
    let changes = library.changes(of: FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])) { $0.title }
    var iterator = changes.makeAsyncIterator()
    var known: [(identifier: PersistentIdentifier, title: String)] = []
    for change in try #require(try await iterator.next()) {
      guard case .inserted(let identifier, let title, let position) = change else { continue }
      #expect(position == known.count)
      known.append((identifier, title))
    }
    #expect(known.map(\.title) == ["a", "b", "c"])
    try save { context in
      let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
      context.delete(books[1])
      books[0].title = "d"
    }
    #expect(
      try await iterator.next() == [
        .removed(known[1].identifier, from: 1), .moved(known[0].identifier, from: 0, to: 1),
        .updated(known[0].identifier, "d", at: 1),
      ])
    // Commits that do not affect it make no batch.
    try save { $0.insert(Author(name: "Austen")) }
    try save { try $0.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))[0].pages = 17 }
    #expect(try await iterator.next() == [.updated(known[2].identifier, "c", at: 0)])
  }

  @Test("Commits are coalesced for the given interval, and the sequence ends with its task")
  func gathersDifferences() async throws {
    let changes = library.changes(of: FetchDescriptor<Book>(), coalescing: .milliseconds(300)) { $0.title }
    let counts = library.values(following: [Book.self], coalescing: .milliseconds(300)) { context in
      try context.fetchCount(FetchDescriptor<Book>())
    }
    var (iterator, countIterator) = (changes.makeAsyncIterator(), counts.makeAsyncIterator())
    #expect(try await iterator.next() == [])
    #expect(try await countIterator.next() == 0)
    for number in 0..<5 { try save { $0.insert(Book(isbn: "\(number)", title: "\(number)")) } }
    #expect(try await iterator.next()?.count == 5)
    #expect(try await countIterator.next() == 5)
    let task = Task { () -> Int in
      var batches = 0
      for try await _ in changes { batches += 1 }
      return batches
    }
    task.cancel()
    #expect(try await task.value <= 1)
  }
}
