import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// How many queries fetch again after a change, counted by the statements that reach the database.
@Suite("Queries affected by a change")
@MainActor
struct ConcernedQueriesTests {
  private let log = StatementLog()
  private let context: ModelContext
  private let books: [Book]
  private var observers: [ResultsObserver<Book, Never>] = []

  /// Books of 0 to 19 pages, and a query for each number.
  init() throws {
    context = try log.observe(makeLibrary).mainContext
    context.autosaveEnabled = false
    books = (0..<20).map { Book(isbn: "\($0)", title: "b", pages: $0) }
    for book in books { context.insert(book) }
    try context.save()
    observers = try (0..<20).map { pages in
      try ResultsObserver(
        filterBy: #Predicate { $0.pages == pages }, sortBy: [SortDescriptor(\.title)], modelContext: context)
    }
  }

  /// The statements for updating the results.
  private func queries() -> [String] {
    log.queries { for observer in observers { #expect(observer.results.count < 3) } }
  }

  @Test("A change of a property that no query uses causes no fetch")
  func ignoresOtherProperties() throws {
    books[3].isbn = "other"
    #expect(queries().isEmpty)
    try context.save()
    #expect(queries().isEmpty)
  }

  @Test("A model saved and then changed in one turn leaves the query for its previous value")
  func leavesAfterSave() throws {
    let new = Book(isbn: "new", title: "a", pages: 7)
    context.insert(new)
    #expect(observers[7].results.count == 2)
    try context.save()
    new.pages = 8
    #expect(observers[7].results.count == 1)
    #expect(observers[8].results.contains { $0 === new })
  }

  @Test("A condition on an optional attribute follows models that get the value or nil", arguments: [5, nil])
  func followsOptionals(born: Int?) throws {
    let authors = try ResultsObserver<Author, Never>(
      filterBy: #Predicate { $0.born == born }, sortBy: [SortDescriptor(\.name)], modelContext: context)
    let author = Author(name: "Austen", born: 1)
    context.insert(author)
    #expect(authors.results.isEmpty)
    author.born = born
    #expect(authors.results.count == 1)
    try context.save()
    #expect(authors.results.count == 1)
    author.born = 1
    #expect(authors.results.isEmpty)
  }

  @Test("Conditions that capture different collections do not share results")
  func distinguishesCollections() throws {
    func observe(_ pages: [Int]) throws -> ResultsObserver<Book, Never> {
      try ResultsObserver(filterBy: #Predicate { pages.contains($0.pages) }, modelContext: context)
    }
    let (first, second) = (try observe([1, 2]), try observe([3]))
    #expect(first.results.count == 2)
    #expect(second.results.count == 1)
  }

  @Test("Observers of the same fetch share its results")
  func sharesResults() throws {
    let pages = 3
    var others: [ResultsObserver<Book, Never>] = []
    let statements = try log.queries {
      let other = try ResultsObserver(
        filterBy: #Predicate<Book> { $0.pages == pages }, sortBy: [SortDescriptor(\.title)], modelContext: context)
      others.append(other)
    }
    #expect(statements.isEmpty)
    books[5].pages = 3
    #expect(others.first?.results.count == 2)
    #expect(observers[3].results.count == 2)
  }

  @Test("A model moves from one query to another without a statement")
  func movesBetweenQueries() throws {
    books[3].pages = 5
    #expect(queries().isEmpty)
    #expect(observers[3].results.isEmpty)
    #expect(observers[5].results.count == 2)
    try context.save()
    #expect(queries().isEmpty)
  }

  @Test("An insertion and a deletion change the results without a statement")
  func followsMembers() throws {
    let new = Book(isbn: "new", title: "a", pages: 7)
    context.insert(new)
    #expect(queries().isEmpty)
    #expect(observers[7].results.first === new)
    context.delete(books[9])
    #expect(queries().isEmpty)
    #expect(observers[9].results.isEmpty)
  }

  @Test("Rows that another context saves are read once for all queries")
  func readsRowsOfOthers() throws {
    let other = ModelContext(context.container)
    other.insert(Book(isbn: "new", title: "a", pages: 7))
    try other.save()
    #expect(queries().count == 1)
    #expect(observers[7].results.map(\.title) == ["a", "b"])
    try other.delete(model: Book.self, where: #Predicate { $0.pages == 4 })
    try other.save()
    #expect(queries().count == 1)
    #expect(observers[4].results.isEmpty)
  }

  @Test("After too many changes all queries fetch again")
  func asksAllAfterMany() throws {
    let other = ModelContext(context.container)
    for number in 0..<300 { other.insert(Book(isbn: "new \(number)", title: "a", pages: 100)) }
    try other.save()
    #expect(queries().count == 20)
  }
}
