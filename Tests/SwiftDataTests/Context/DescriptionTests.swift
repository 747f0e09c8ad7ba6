import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Descriptions and mirrors of models")
struct DescriptionTests {
  private let log = StatementLog()

  @Test("A description has the entity, the key and the values")
  func values() throws {
    let context = ModelContext(try makeLibrary())
    let (author, book) = (Author(name: "A \"B\""), Book(isbn: "1", title: "One"))
    author.books.append(book)
    #expect("\(author)" == #"Author(unsaved, name: "A \"B\"", born: nil, books: 1 of Book)"#)
    context.insert(author)
    try context.save()
    #expect("\(author)" == #"Author(p1, name: "A \"B\"", born: nil, books: 1 of Book)"#)
    #expect("\(book)" == #"Book(p1, isbn: "1", title: "One", pages: 0, author: Author(p1), tags: 0 of Tag)"#)
    var text = ""
    dump(author, to: &text)
    for part in ["persistentModelID: \"p1\"", "name: \"A \\\"B\\\"\"", "- \"Book(p1)\""] {
      #expect(text.contains(part), "\(text)")
    }
  }

  @Test("A description includes constants")
  func constants() {
    let ware = Ware(1)
    #expect("\(ware)".hasPrefix("Ware(unsaved, code: \(ware.code), name: \"name 1\", "))
  }

  @Test("A description fires no fault and registers no observation")
  func unread() throws {
    let container = try log.observe { try makeLibrary() }
    let writer = ModelContext(container)
    writer.insert(Author(name: "A"))
    let book = Book(isbn: "1", title: "One")
    writer.insert(book)
    book.author = try writer.only(Author.self)
    try writer.save()
    let context = ModelContext(container)
    let found = try context.only(Book.self)
    let model = context.model(for: try #require(found.author).persistentModelID)
    let other = ModelContext(container)
    let unread = other.model(for: model.persistentModelID)
    let queries = log.queries {
      #expect("\(unread)" == "Author(p1, name: …, born: …, books: …)")
      #expect(!found.debugDescription.isEmpty)
    }
    #expect(queries.isEmpty)
    nonisolated(unsafe) var isNotified = false
    withObservationTracking {
      _ = "\(found)"
      _ = Mirror(reflecting: found).children.count
    } onChange: {
      isNotified = true
    }
    found.title = "Two"
    #expect(!isNotified)
  }
}
