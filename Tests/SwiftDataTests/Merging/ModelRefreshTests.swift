import Foundation
import Testing

@testable import SwiftData

@Suite("Single models read anew, and what the store has of them")
struct ModelRefreshTests {
  private func library() throws -> (context: ModelContext, author: Author) {
    let context = ModelContext(try makeLibrary())
    let author = Author(name: "A", born: 1)
    author.books = [Book(isbn: "1", title: "One"), Book(isbn: "2", title: "Two")]
    context.insert(author)
    try context.save()
    return (context, author)
  }

  @Test("The changed properties of a model are those with unsaved changes")
  func changedProperties() throws {
    let (context, author) = try library()
    #expect(author.changedProperties.isEmpty)
    author.born = 2
    author.books.removeLast()
    #expect(author.changedProperties == [\.born, \.books])
    try context.save()
    #expect(author.changedProperties.isEmpty)
    let new = Author(name: "B")
    #expect(new.changedProperties.isEmpty)
    context.insert(new)
    #expect(new.changedProperties == [\.name, \.born, \.books])
  }

  @Test("The committed value of a property is what the store has")
  func committedValue() throws {
    let (context, author) = try library()
    let book = author.books[0]
    #expect(try author.committedValue(of: \.name) == "A")
    author.name = "changed"
    author.born = nil
    book.author = nil
    #expect(try author.committedValue(of: \.name) == "A")
    #expect(try author.committedValue(of: \.born) == 1)
    #expect(try book.committedValue(of: \.author)??.name == "changed")
    #expect(try author.committedValue(of: \.books)?.map(\.isbn) == ["1", "2"])
    #expect(author.books.map(\.isbn) == ["2"])
    #expect(try author.committedValue(of: \.books) == [book, author.books[0]])
    context.delete(author)
    #expect(try author.committedValue(of: \.name) == "A")
    let new = Author(name: "B")
    context.insert(new)
    #expect(try new.committedValue(of: \.name) == nil)
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try author.committedValue(of: \.books.count) }
  }

  @Test("The committed members of a list that is not changed itself include those that are deleted")
  func committedMembers() throws {
    let (context, author) = try library()
    let book = author.books[1]
    context.delete(book)
    #expect(author.books.map(\.isbn) == ["1"])
    #expect(try author.committedValue(of: \.books)?.map(\.isbn) == ["1", "2"])
  }

  @Test("The committed value of a property that was set before its row was read is read")
  func committedValueOfUnread() throws {
    let (context, author) = try library()
    let other = ModelContext(context.container)
    let model = try #require(other.model(for: author.persistentModelID) as? Author)
    model.name = "blind"
    #expect(try model.committedValue(of: \.name) == "A")
    #expect(try model.committedValue(of: \.born) == 1)
    #expect(model.name == "blind")
  }

  @Test("A refresh takes in what is in the store, and keeps unsaved changes unless it is told not to")
  func refresh() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("library.store")
    // Nobody is told of what is saved.
    let configuration = ModelConfiguration(url: url, options: .init(history: .none))
    func container() throws -> ModelContainer {
      try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    }
    let theirs = ModelContext(try container())
    let other = Author(name: "A", born: 1)
    let tag = Tag("t")
    other.books = [Book(isbn: "1", title: "One")]
    theirs.insert(other)
    theirs.insert(tag)
    try theirs.save()
    let mine = ModelContext(try container())
    let author = try mine.only(Author.self)
    let books = author.books
    author.born = 5
    author.books.append(Book(isbn: "3", title: "Three"))
    other.name = "theirs"
    other.born = 2
    other.books.append(Book(isbn: "2", title: "Two"))
    try theirs.save()
    #expect(author.name == "A")
    try mine.refresh(author)
    #expect(author.name == "theirs")
    #expect(author.born == 5)
    #expect(author.books.map(\.isbn) == ["1", "2", "3"])
    try mine.refresh(author, mergesChanges: false)
    #expect(author.born == 2)
    #expect(author.books.map(\.isbn) == ["1", "2"])
    #expect(author.changedProperties.isEmpty)
    #expect(books[0].author === author)
    theirs.delete(other)
    try theirs.save()
    try mine.refresh(author)
    #expect(author.modelContext == nil)
    #expect(author.name == "theirs")
    withExtendedLifetime(folder) {}
  }

  @Test("A refresh that discards changes tells the other sides of relationships")
  func refreshedSides() throws {
    let (context, author) = try library()
    let second = Author(name: "B")
    context.insert(second)
    try context.save()
    let (book, tag) = (author.books[0], Tag("t"))
    book.tags = [tag]
    book.author = second
    #expect(author.books.map(\.isbn) == ["2"])
    try context.refresh(book, mergesChanges: false)
    #expect(book.author === author)
    #expect(author.books.map(\.isbn) == ["1", "2"])
    #expect(second.books.isEmpty)
    #expect(book.tags.isEmpty)
    #expect(tag.books.isEmpty)
    #expect(context.changedModelsArray.isEmpty)
    try context.save()
    let fresh = try context.container.freshContext().all(Author.self, by: \.name)
    #expect(fresh.map { $0.books.map(\.isbn) } == [["1", "2"], []])
  }

  @Test("A refresh of what is not in the context's store does nothing")
  func refreshedOthers() throws {
    let (context, author) = try library()
    let new = Author(name: "B")
    context.insert(new)
    try context.refresh(new, mergesChanges: false)
    #expect(new.name == "B")
    try ModelContext(context.container).refresh(author)
    context.delete(author)
    try context.refresh(author)
    #expect(author.isDeleted)
  }
}
