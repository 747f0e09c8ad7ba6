import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Identifiers that were taken before a save find their models afterwards")
struct EarlyIdentifierTests {
  private let context: ModelContext
  private let author = Author(name: "A")
  private let book = Book(isbn: "1", title: "One")
  private let authorIdentifier: PersistentIdentifier
  private let bookIdentifier: PersistentIdentifier

  init() throws {
    context = ModelContext(try makeLibrary())
    // One before the model is in a context, the other one after that.
    bookIdentifier = book.persistentModelID
    context.insert(author)
    author.books.append(book)
    authorIdentifier = author.persistentModelID
    try context.save()
    #expect(authorIdentifier != author.persistentModelID)
  }

  @Test("The context finds the models, and so does another one")
  func models() {
    #expect(context.model(for: authorIdentifier) === author)
    #expect(context.model(for: bookIdentifier) === book)
    #expect(context.registeredModel(for: authorIdentifier) as Author? === author)
    let other = ModelContext(context.container)
    #expect(other.registeredModel(for: authorIdentifier) as Author? == nil)
    #expect((other.model(for: authorIdentifier) as? Author)?.name == "A")
    #expect((other.model(for: bookIdentifier) as? Book)?.title == "One")
  }

  @Test("Predicates find them, also among unsaved changes", arguments: [false, true])
  func predicates(isChanged: Bool) throws {
    let (identifier, other) = (authorIdentifier, bookIdentifier)
    context.insert(Author(name: "B"))
    try context.save()
    if isChanged {
      author.name = "C"
      book.title = "Two"
    }
    func count<T: PersistentModel>(_ predicate: Predicate<T>) throws -> Int {
      try context.fetchCount(FetchDescriptor(predicate: predicate))
    }
    let (optional, list, set): (PersistentIdentifier?, [PersistentIdentifier], Set<PersistentIdentifier>) = (
      identifier, [identifier], [identifier, other]
    )
    #expect(try count(#Predicate<Author> { $0.persistentModelID == identifier }) == 1)
    #expect(try count(#Predicate<Author> { $0.persistentModelID != identifier }) == 1)
    #expect(try count(#Predicate<Book> { $0.author?.persistentModelID == identifier }) == 1)
    #expect(try count(#Predicate<Book> { $0.author?.persistentModelID == optional }) == 1)
    #expect(try count(#Predicate<Author> { list.contains($0.persistentModelID) }) == 1)
    #expect(try count(#Predicate<Book> { set.contains($0.persistentModelID) && $0.pages == 0 }) == 1)
  }

  @Test("Live results go on having what they find by one")
  func liveResults() throws {
    let identifier = authorIdentifier
    let authors = try ResultsObserver(
      filterBy: #Predicate<Author> { $0.persistentModelID == identifier }, modelContext: context)
    let books = try ResultsObserver(
      filterBy: #Predicate<Book> { $0.author?.persistentModelID == identifier }, modelContext: context)
    for name in ["B", "C"] {
      author.name = name
      book.title = name
      #expect(authors.results.map(\.name) == [name])
      #expect(books.results.map(\.title) == [name])
      try context.save()
    }
  }

  @Test("The identifier of a model that turned out to be a row finds what stands for the row")
  func merged() throws {
    let other = Book(isbn: "1", title: "Again")
    context.insert(other)
    let identifier = other.persistentModelID
    try context.save()
    #expect(context.model(for: identifier) === book)
    #expect(book.title == "Again")
  }

  @Test("The identifier of a model that was never saved finds nothing")
  func rolledBack() {
    let other = Author(name: "B")
    context.insert(other)
    let identifier = other.persistentModelID
    context.rollback()
    #expect(context.registeredModel(for: identifier) as Author? == nil)
  }
}
