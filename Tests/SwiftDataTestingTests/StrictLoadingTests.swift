import Foundation
import SwiftData
import SwiftDataTesting
import Testing

@testable import TestSupport

@Suite("Strict loading")
struct StrictLoadingTests {
  private let container: ModelContainer

  init() throws {
    container = try ModelContainer(
      for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for number in 0..<3 {
      let author = Author(name: "Author \(number)", born: 1900 + number)
      context.insert(author)
      author.books = (0..<2).map { Book(isbn: "\(number)-\($0)", title: "Book \($0)", pages: 100) }
    }
    try context.save()
  }

  /// Checks that a closure records one issue with a property and a line of this file.
  private func expectIssue(_ property: String, line: Int, _ body: () throws -> Void) throws {
    try withKnownIssue {
      try body()
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains(property) }
        && issue.sourceLocation?.fileName == "StrictLoadingTests.swift" && issue.sourceLocation?.line == line
    }
  }

  @Test("Reading a relationship of one model records an issue with the property and the line")
  func relationship() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Author>(predicate: #Predicate { $0.born == 1901 })
    let author = try #require(try context.fetch(descriptor).first)
    try context.withStrictLoading {
      try expectIssue("Author.books is loaded lazily, for one model", line: #line + 1) {
        #expect(author.books.count == 2)
      }
    }
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    let other = ModelContext(container)
    let counts = try other.withStrictLoading {
      try other.fetch(descriptor).map { $0.books.map(\.title).count }
    }
    #expect(counts == [2])
  }

  @Test("Firing the fault of one model records an issue with the property and the line")
  func fault() throws {
    let identifier = try #require(try ModelContext(container).fetchIdentifiers(FetchDescriptor<Author>()).first)
    let context = ModelContext(container)
    context.failOnLazyLoading()
    let author = try #require(context.model(for: identifier) as? Author)
    try expectIssue("Author.name is loaded lazily, for one model", line: #line + 1) {
      #expect(author.name.hasPrefix("Author"))
    }
    #expect(author.born != nil)
  }

  @Test("Firing the fault of one target records an issue, and accessing a target in memory does not")
  func target() throws {
    let context = ModelContext(container)
    context.failOnLazyLoading()
    let descriptor = FetchDescriptor<Book>(predicate: #Predicate { $0.isbn == "1-1" })
    let book = try #require(try context.fetch(descriptor).first)
    try expectIssue("Book.author is loaded lazily, for one model", line: #line + 1) {
      #expect(book.author?.name == "Author 1")
    }
    let other = ModelContext(container)
    other.failOnLazyLoading()
    let authors = try other.fetch(FetchDescriptor<Author>())
    #expect(try other.fetch(descriptor).map { $0.author?.name } == ["Author 1"])
    #expect(authors.count == 3)
  }

  @Test("Batch faults are allowed, unless the test forbids them")
  func batches() throws {
    let context = ModelContext(container)
    let authors = try context.fetch(FetchDescriptor<Author>())
    context.withStrictLoading {
      for author in authors { #expect(author.books.count == 2) }
    }
    let other = ModelContext(container)
    let others = try other.fetch(FetchDescriptor<Author>())
    try other.withStrictLoading(allowingBatches: false) {
      try expectIssue("Author.books is loaded lazily, for 3 models", line: #line + 1) {
        for author in others { #expect(author.books.count == 2) }
      }
    }
  }

  @Test("An asynchronous closure is strict until its end")
  func asynchronous() async throws {
    let context = ModelContext(container)
    let author = try #require(
      try context.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.born == 1900 })).first)
    try await context.withStrictLoading {
      await Task.yield()
      try expectIssue("Author.books is loaded lazily, for one model", line: #line + 1) {
        #expect(author.books.count == 2)
      }
    }
    let other = try #require(
      try context.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.born == 1902 })).first)
    #expect(other.books.count == 2)
  }

  @Test("Strict loading ends with its closure")
  func end() throws {
    let context = ModelContext(container)
    let author = try #require(
      try context.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.born == 1902 })).first)
    context.withStrictLoading { #expect(author.born == 1902) }
    #expect(author.books.count == 2)
  }
}
