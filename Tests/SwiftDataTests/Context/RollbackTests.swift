import SwiftData
import Testing

@testable import TestSupport

@Suite("Rollback")
struct RollbackTests {
  private func expectClean(_ context: ModelContext, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(!context.hasChanges, sourceLocation: sourceLocation)
    #expect(context.insertedModelsArray.isEmpty, sourceLocation: sourceLocation)
    #expect(context.changedModelsArray.isEmpty, sourceLocation: sourceLocation)
    #expect(context.deletedModelsArray.isEmpty, sourceLocation: sourceLocation)
  }

  /// An author with two books, the first of which has a tag, and an author without books; in a fresh context, or in the one
  /// that saved them.
  private func fill(isFresh: Bool) throws -> ModelContext {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let author = Author(name: "A", born: 1)
    author.books = [Book(isbn: "1", title: "One", pages: 10), Book(isbn: "2", title: "Two")]
    author.books[0].tags = [Tag("red")]
    context.insert(author)
    context.insert(Author(name: "B"))
    try context.save()
    return isFresh ? ModelContext(container) : context
  }

  @Test("Rollback restores attributes", arguments: [true, false])
  func attributes(isFresh: Bool) throws {
    let context = try fill(isFresh: isFresh)
    let author = try context.all(Author.self, by: \.name)[0]
    author.name = "changed"
    author.born = nil
    author.born = 3
    #expect(author.hasChanges)
    #expect(context.changedModelsArray.count == 1)
    context.rollback()
    #expect(author.name == "A")
    #expect(author.born == 1)
    #expect(!author.hasChanges)
    expectClean(context)
    #expect(try context.all(Author.self, by: \.name).map(\.name) == ["A", "B"])
  }

  @Test("Rollback restores an attribute that was set before its row was read", arguments: [true, false])
  func unread(readsAnother: Bool) throws {
    let context = try fill(isFresh: true)
    let author = try context.all(Author.self, by: \.name)[0]
    let book = author.books[0]
    book.title = "changed"
    if readsAnother { #expect(book.pages == 10) }
    #expect(book.title == "changed")
    context.rollback()
    #expect(book.title == "One")
    #expect(book.pages == 10)
    #expect(book.author === author)
  }

  @Test("Rollback restores a to-one that was set before its row was read")
  func unreadToOne() throws {
    let context = try fill(isFresh: true)
    let authors = try context.all(Author.self, by: \.name)
    let book = authors[0].books[1]
    authors[1].books.append(book)
    context.rollback()
    #expect(book.author === authors[0])
    #expect(authors.map(\.books.count) == [2, 0])
    #expect(book.title == "Two")
  }

  @Test("Rollback restores both sides of links", arguments: [true, false], [true, false])
  func links(isFresh: Bool, fromTheChild: Bool) throws {
    let context = try fill(isFresh: isFresh)
    let authors = try context.all(Author.self, by: \.name)
    let books = try context.all(Book.self, by: \.isbn)
    let tag = try context.only(Tag.self)
    if fromTheChild {
      books[0].author = authors[1]
      tag.books = [books[1]]
    } else {
      authors[1].books = [books[0]]
      books[0].tags = []
      books[1].tags.append(tag)
    }
    context.rollback()
    expectClean(context)
    #expect(authors.map { $0.books.map(\.isbn) } == [["1", "2"], []])
    #expect(books.allSatisfy { $0.author === authors[0] })
    #expect(books.map(\.tags.count) == [1, 0])
    #expect(tag.books.map(\.isbn) == ["1"])
  }

  @Test("Rollback restores an owner that was first read while a change was pending")
  func ownerReadLate() throws {
    let context = try fill(isFresh: true)
    let books = try context.all(Book.self, by: \.isbn)
    books[0].author = nil
    let author = try context.all(Author.self, by: \.name)[0]
    #expect(author.books.map(\.isbn) == ["2"])
    context.rollback()
    #expect(author.books.map(\.isbn) == ["1", "2"])
    #expect(books[0].author === author)
  }

  @Test("Rollback restores deleted models with their links", arguments: [true, false])
  func deletions(isFresh: Bool) throws {
    let context = try fill(isFresh: isFresh)
    let author = try context.all(Author.self, by: \.name)[0]
    let books = author.books
    context.delete(author)
    context.delete(try context.only(Tag.self))
    #expect(context.deletedModelsArray.count == 4)
    context.rollback()
    expectClean(context)
    #expect(!author.isDeleted)
    #expect(books.allSatisfy { !$0.isDeleted && $0.author === author })
    #expect(author.books.map(\.isbn) == ["1", "2"])
    #expect(books[0].tags.map(\.word) == ["red"])
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 2)
  }

  @Test("Rollback detaches inserted models and removes them from relationships of persistent ones")
  func insertions() throws {
    let context = try fill(isFresh: true)
    let author = try context.all(Author.self, by: \.name)[1]
    let book = Book(isbn: "3", title: "Three")
    author.books.append(book)
    context.insert(Author(name: "C"))
    context.rollback()
    expectClean(context)
    #expect(book.modelContext == nil)
    #expect(author.books.isEmpty)
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 2)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 2)
  }

  @Test("A detached insertion can be inserted again with its links", arguments: [true, false])
  func insertAgain(byDeletion: Bool) throws {
    let context = try fill(isFresh: true)
    let author = try context.all(Author.self, by: \.name)[1]
    let book = Book(isbn: "3", title: "Three", author: author)
    book.tags = [Tag("blue")]
    context.insert(book)
    if byDeletion { context.delete(book) } else { context.rollback() }
    #expect(author.books.isEmpty)
    context.insert(book)
    #expect(author.books.map(\.isbn) == ["3"])
    try context.save()
    let stored = try context.container.freshContext().all(Author.self, by: \.name)[1]
    #expect(stored.books.map(\.title) == ["Three"])
    #expect(stored.books.first?.tags.first?.books.map(\.isbn) == ["3"])
  }

  @Test("Rollback restores what another context saved in the meantime")
  func othersSaved() throws {
    let context = try fill(isFresh: true)
    let author = try context.all(Author.self, by: \.name)[0]
    author.name = "mine"
    author.books.append(Book(isbn: "3", title: "Three"))
    let other = ModelContext(context.container)
    let theirs = try other.all(Author.self, by: \.name)[0]
    theirs.name = "theirs"
    theirs.books.append(Book(isbn: "4", title: "Four"))
    try other.save()
    context.processPendingChanges()
    #expect(author.name == "mine")
    context.rollback()
    #expect(author.name == "theirs")
    #expect(author.books.map(\.isbn) == ["1", "2", "4"])
  }

  @Test("Rollback restores stored values of which only a part was read since the change")
  func partlyRead() throws {
    let context = try fill(isFresh: true)
    let book = try context.all(Book.self, by: \.isbn)[0]
    book.title = "changed"
    book.author = nil
    // After this save, fetches have to read rows again.
    let other = ModelContext(context.container)
    other.insert(Author(name: "C"))
    try other.save()
    var descriptor = FetchDescriptor<Book>()
    descriptor.propertiesToFetch = [\.pages]
    _ = try context.fetch(descriptor)
    #expect(book.title == "changed")
    context.rollback()
    #expect(book.title == "One")
    #expect(book.author?.name == "A")
    expectClean(context)
  }
}
