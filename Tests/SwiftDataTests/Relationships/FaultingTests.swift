import SwiftData
import Testing

@testable import TestSupport

@Suite("Statements that reading relationships takes")
struct FaultingTests {
  /// Authors with three books each; each book has a tag of its own.
  private func fill(_ container: ModelContainer, authors: Int) throws {
    let context = ModelContext(container)
    for number in 0..<authors {
      let author = Author(name: "\(number)")
      context.insert(author)
      for part in 0..<3 {
        let book = Book(isbn: "\(number)-\(part)", title: "t", author: author)
        context.insert(book)
        book.tags = [Tag("\(number)-\(part)")]
      }
    }
    try context.save()
  }

  private func queriesOfAWalk(authors: Int, fetchedTwice: Bool) throws -> Int {
    let log = StatementLog()
    let container = try log.observe(makeLibrary)
    try fill(container, authors: authors)
    let context = ModelContext(container)
    var pages = 0
    let queries = try log.queries {
      let models = try context.fetch(FetchDescriptor<Author>())
      for author in models {
        for book in author.books {
          pages += book.pages
          for tag in book.tags { pages += tag.word.count }
          if book.author?.name == nil { pages += 1 }
        }
      }
      if fetchedTwice { pages += try context.fetch(FetchDescriptor<Author>()).reduce(0) { $0 + $1.books.count } }
    }
    #expect(pages > 0)
    return queries.count
  }

  @Test(
    "Walking from fetched parents to children and beyond takes as many statements for 200 as for 10",
    arguments: [
      false, true,
    ])
  func walking(fetchedTwice: Bool) throws {
    let few = try queriesOfAWalk(authors: 10, fetchedTwice: fetchedTwice)
    let many = try queriesOfAWalk(authors: 200, fetchedTwice: fetchedTwice)
    #expect(few == many)
    #expect(many <= 7)
  }

  @Test("Models that the context inserted and saved are read ahead like others once they are fetched")
  func walkingOwnModels() throws {
    let log = StatementLog()
    let container = try log.observe(makeLibrary)
    try fill(container, authors: 50)
    let context = ModelContext(container)
    for number in 0..<50 { context.insert(Author(name: "more \(number)")) }
    try context.save()
    let queries = try log.queries {
      let count = try context.fetch(FetchDescriptor<Author>()).reduce(0) { $0 + $1.books.count }
      #expect(count == 150)
    }
    #expect(queries.count == 2)
  }

  @Test("Counting an unread to-many reads no row of a member")
  func counting() throws {
    let log = StatementLog()
    let container = try log.observe(makeLibrary)
    try fill(container, authors: 3)
    let context = ModelContext(container)
    let queries = try log.queries {
      let authors = try context.fetch(FetchDescriptor<Author>())
      #expect(authors.map(\.books.count) == [3, 3, 3])
    }
    #expect(!queries.contains { $0.contains("title") })
  }

  @Test("Appending to an unread to-many reads no row of a member", arguments: [true, false])
  func appending(fromTheParent: Bool) throws {
    let log = StatementLog()
    let container = try log.observe(makeLibrary)
    try fill(container, authors: 1)
    let context = ModelContext(container)
    let author = try context.only(Author.self)
    let book = Book(isbn: "new", title: "new")
    let queries = try log.queries {
      if fromTheParent { author.books.append(book) } else { book.author = author }
      try context.save()
    }
    #expect(!queries.contains { $0.contains("\"title\"") })
    #expect(try container.freshContext().only(Author.self).books.map(\.isbn).last == "new")
  }

  @Test("Reading a to-one whose target is registered takes no statement")
  func registeredTarget() throws {
    let log = StatementLog()
    let container = try log.observe(makeLibrary)
    try fill(container, authors: 5)
    let context = ModelContext(container)
    let authors = try context.fetch(FetchDescriptor<Author>())
    let books = try context.fetch(FetchDescriptor<Book>())
    let queries = log.queries { for book in books { #expect(book.author != nil) } }
    #expect(queries.isEmpty)
    withExtendedLifetime(authors) {}
  }
}
