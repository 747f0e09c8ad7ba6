import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Temporary identifiers find their models after the save")
struct EarlyIdentifierTests {
  private let context: ModelContext
  private let author = Author(name: "A")
  private let book = Book(isbn: "1", title: "One")
  private let authorIdentifier: PersistentIdentifier
  private let bookIdentifier: PersistentIdentifier

  init() throws {
    context = ModelContext(try makeLibrary())
    // The first is taken before the model is in a context, the second after.
    bookIdentifier = book.persistentModelID
    context.insert(author)
    author.books.append(book)
    authorIdentifier = author.persistentModelID
    try context.save()
    #expect(authorIdentifier != author.persistentModelID)
  }

  @Test("The model's context and other contexts find a saved model by its temporary identifier")
  func models() {
    #expect(context.model(for: authorIdentifier) === author)
    #expect(context.model(for: bookIdentifier) === book)
    #expect(context.registeredModel(for: authorIdentifier) as Author? === author)
    let other = ModelContext(context.container)
    #expect(other.registeredModel(for: authorIdentifier) as Author? == nil)
    #expect((other.model(for: authorIdentifier) as? Author)?.name == "A")
    #expect((other.model(for: bookIdentifier) as? Book)?.title == "One")
  }

  @Test("Predicates match temporary identifiers, also among unsaved changes", arguments: [false, true])
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

  @Test("Live results with a temporary identifier in their predicate keep their models after a save")
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

  @Test("The temporary identifier of a model that an upsert merged finds the row's registered object")
  func merged() throws {
    let other = Book(isbn: "1", title: "Again")
    context.insert(other)
    let identifier = other.persistentModelID
    try context.save()
    #expect(context.model(for: identifier) === book)
    #expect(book.title == "Again")
  }

  @Test("The temporary identifier of a rolled back insertion finds nothing")
  func rolledBack() {
    let other = Author(name: "B")
    context.insert(other)
    let identifier = other.persistentModelID
    context.rollback()
    #expect(context.registeredModel(for: identifier) as Author? == nil)
  }
}
