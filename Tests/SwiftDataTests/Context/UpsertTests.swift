import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Seat {
  #Unique<Seat>([\.row, \.number])
  var row: String
  var number: Int
  var guest: String

  init(_ row: String, _ number: Int, guest: String) {
    self.row = row
    self.number = number
    self.guest = guest
  }
}

@Suite("Inserting an existing unique value updates its row")
struct UpsertTests {
  @Test("Before the save both objects are fetched, after it one")
  func beforeAndAfter() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    context.insert(Book(isbn: "1", title: "old", pages: 1))
    try context.save()
    context.insert(Book(isbn: "1", title: "new", pages: 2))
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 2)
    try context.save()
    let book = try context.only(Book.self)
    #expect(book.title == "new")
    #expect(book.pages == 2)
    #expect(try container.freshContext().only(Book.self).title == "new")
  }

  @Test(
    "Changing the object that an upsert detached fails the next save, and the error names the property"
  )
  func changeAfterwards() throws {
    let context = ModelContext(try makeLibrary())
    let first = Book(isbn: "1", title: "old")
    context.insert(first)
    try context.save()
    let second = Book(isbn: "1", title: "new")
    context.insert(second)
    try context.save()
    second.title = "later"
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details?.property == "title")
    #expect(error?.details?.persistentIdentifiers == [first.persistentModelID])
    #expect(error?.description.contains("deleted") == false)
    first.title = "later"
    try context.save()
    #expect(try context.container.freshContext().only(Book.self).title == "later")
  }

  @Test("The inserted object represents the row when the context had no object for it")
  func onlyObjectAfterwards() throws {
    let container = try makeLibrary()
    let writer = ModelContext(container)
    writer.insert(Book(isbn: "1", title: "old"))
    try writer.save()
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "new")
    context.insert(book)
    try context.save()
    book.title = "later"
    try context.save()
    #expect(try container.freshContext().only(Book.self).title == "later")
  }

  @Test("The object registered for the row survives, and the inserted one is detached")
  func survivor() throws {
    let context = ModelContext(try makeLibrary())
    let first = Book(isbn: "1", title: "old")
    context.insert(first)
    try context.save()
    let identifier = first.persistentModelID
    let second = Book(isbn: "1", title: "new")
    context.insert(second)
    try context.save()
    #expect(first.title == "new")
    #expect(first.persistentModelID == identifier)
    #expect(first.modelContext === context)
    #expect(second.modelContext == nil)
    #expect(second.title == "new")
    #expect(second.persistentModelID == identifier)
    #expect(!context.hasChanges)
  }

  @Test("A row that the context has not read is represented by the inserted object")
  func unreadRow() throws {
    let container = try makeLibrary()
    let other = ModelContext(container)
    other.insert(Book(isbn: "1", title: "old"))
    try other.save()
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "new")
    context.insert(book)
    try context.save()
    #expect(book.modelContext === context)
    #expect(try context.only(Book.self) === book)
    #expect(try other.only(Book.self).title == "new")
  }

  @Test("Members read ahead for other owners include the additions of an upsert")
  func membersReadAhead() throws {
    let container = try makeLibrary()
    let setup = ModelContext(container)
    let (old, new) = (Tag("old"), Tag("new"))
    setup.insert(old)
    setup.insert(new)
    for number in 0..<300 {
      let book = Book(isbn: "\(number)", title: "")
      setup.insert(book)
      book.tags = [old]
    }
    try setup.save()
    for number in stride(from: 1, to: 300, by: 13) {
      let context = container.freshContext()
      let tags = try context.fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.word)]))
      let books = tags[1].books
      #expect(books[0].tags.count == 1)
      let book = Book(isbn: "\(number)", title: "again")
      context.insert(book)
      book.tags = [tags[0]]
      try context.save()
      #expect(books[number].tags.map(\.word).sorted() == ["new", "old"], "\(number)")
    }
  }

  @Test("Several properties can be unique together")
  func compound() throws {
    let container = try makeContainer(Seat.self)
    let context = ModelContext(container)
    for seat in [Seat("A", 1, guest: "x"), Seat("A", 2, guest: "y"), Seat("B", 1, guest: "z")] { context.insert(seat) }
    try context.save()
    context.insert(Seat("A", 2, guest: "new"))
    try context.save()
    let guests = try container.freshContext().fetch(FetchDescriptor<Seat>()).map(\.guest)
    #expect(guests == ["x", "new", "z"])
  }

  @Test("Duplicates within one save become one row with the last values")
  func duplicates() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    for title in ["a", "b", "c"] { context.insert(Book(isbn: "1", title: title)) }
    try context.save()
    #expect(try context.only(Book.self).title == "c")
    #expect(try container.freshContext().only(Book.self).title == "c")
  }

  @Test("An upsert merges relationships of both objects")
  func relationships() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let first = Book(isbn: "1", title: "old", author: Author(name: "A"))
    first.tags = [Tag("red")]
    context.insert(first)
    try context.save()
    let second = Book(isbn: "1", title: "new")
    second.tags = [Tag("blue")]
    context.insert(second)
    try context.save()
    for book in [first, try container.freshContext().only(Book.self)] {
      #expect(book.author?.name == "A")
      #expect(book.tags.map(\.word) == ["red", "blue"])
      #expect(book.tags.allSatisfy { $0.books.count == 1 && $0.books.first === book })
    }
  }

  @Test("Models that reference the inserted object reference the survivor after the save")
  func referrers() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let author = Author(name: "A")
    author.books = [Book(isbn: "1", title: "old")]
    context.insert(author)
    try context.save()
    let survivor = author.books[0]
    let other = Author(name: "B")
    other.books = [Book(isbn: "1", title: "new")]
    context.insert(other)
    try context.save()
    #expect(other.books.count == 1)
    #expect(other.books.first === survivor)
    #expect(survivor.author === other)
    #expect(author.books.isEmpty)
  }

  @Test("An update that repeats a unique value fails, and the error names the models")
  func repeated() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let first = Book(isbn: "1", title: "One")
    context.insert(first)
    context.insert(Book(isbn: "2", title: "Two"))
    try context.save()
    first.isbn = "2"
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.persistentIdentifiers.isEmpty == false)
    #expect(first.isbn == "2")
    #expect(context.changedModelsArray.count == 1)
    first.isbn = "3"
    try context.save()
    #expect(try container.freshContext().all(Book.self, by: \.title).map(\.isbn) == ["3", "2"])
  }

  @Test("Saved models exchange their unique values in one save", arguments: [2, 3, 7])
  func rotated(count: Int) throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let books = (0..<count).map { Book(isbn: "\($0)", title: "\($0)") }
    for book in books { context.insert(book) }
    try context.save()
    for (index, book) in books.enumerated() { book.isbn = "\((index + 1) % count)" }
    try context.save()
    let expected = (0..<count).map { "\(($0 + 1) % count)" }
    #expect(try container.freshContext().all(Book.self, by: \.title).map(\.isbn) == expected)
    #expect(books.map(\.isbn) == expected)
  }

  @Test("A rotation of unique values fails as a whole when another row has one of them")
  func blockedRotation() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let books = (0..<3).map { Book(isbn: "\($0)", title: "\($0)") }
    for book in books { context.insert(book) }
    try context.save()
    books[0].isbn = "1"
    books[1].isbn = "2"
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(try container.freshContext().all(Book.self, by: \.title).map(\.isbn) == ["0", "1", "2"])
    books[2].isbn = "0"
    try context.save()
    #expect(try container.freshContext().all(Book.self, by: \.title).map(\.isbn) == ["1", "2", "0"])
  }
}
