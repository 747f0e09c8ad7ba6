import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Properties to fetch")
struct PropertySelectionTests {
  private let log = StatementLog()
  private let container: ModelContainer

  init() throws {
    container = try log.observe(makeLibrary)
    let context = ModelContext(container)
    let author = Author(name: "a")
    for number in 0..<5 { context.insert(Book(isbn: "\(number)", title: "t\(number)", pages: number, author: author)) }
    try context.save()
  }

  private func descriptor(_ properties: [PartialKeyPath<Book>]) -> FetchDescriptor<Book> {
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])
    descriptor.propertiesToFetch = properties
    return descriptor
  }

  @Test("A fetch reads only propertiesToFetch, and the first other access reads the rest for all its models")
  func laziness() throws {
    let context = ModelContext(container)
    var books: [Book] = []
    let fetching = try log.queries { books = try context.fetch(descriptor([\.title, \.isbn])) }
    #expect(fetching.count == 1)
    #expect(!fetching[0].contains("pages") && !fetching[0].contains("author"))
    let titles = log.queries { #expect(books.map(\.title) == ["t0", "t1", "t2", "t3", "t4"]) }
    let pages = log.queries { #expect(books.map(\.pages) == [0, 1, 2, 3, 4]) }
    #expect(titles.isEmpty && pages.count == 1)
    #expect(books.allSatisfy { $0.author?.name == "a" })
  }

  @Test("Batches and enumerations read only propertiesToFetch", arguments: [1, 2, 100])
  func batches(size: Int) throws {
    let context = ModelContext(container)
    let found = try context.fetch(descriptor([\.title, \.isbn]), batchSize: size)
    var books: [Book] = []
    let reading = log.queries { books = Array(found) }
    #expect(!reading.isEmpty && reading.allSatisfy { $0.contains("title") && !$0.contains("pages") })
    let titles = log.queries { #expect(books.map(\.title) == ["t0", "t1", "t2", "t3", "t4"]) }
    #expect(titles.isEmpty)
    let rest = log.queries { #expect(books.map(\.pages) == [0, 1, 2, 3, 4]) }
    #expect(rest.count == (5 + size - 1) / size)
    for isSorted in [true, false] {
      let other = ModelContext(container)
      var descriptor = descriptor([\.title])
      if !isSorted { descriptor.sortBy = [] }
      var titles: [String] = []
      let visiting = try log.queries {
        try other.enumerate(descriptor, batchSize: size) { book in
          titles.append(book.title)
          if titles.count == 2 { #expect(book.pages == 1) }
        }
      }
      #expect(titles == ["t0", "t1", "t2", "t3", "t4"])
      #expect(visiting.count { $0.contains("pages") } == 1)
    }
  }

  @Test("An enumeration with propertiesToFetch skips rows that were deleted meanwhile")
  func deletedRows() throws {
    let context = ModelContext(container)
    let other = ModelContext(container)
    var titles: [String] = []
    try context.enumerate(descriptor([\.title]), batchSize: 2) { book in
      titles.append(book.title)
      guard titles.count == 1 else { return }
      try other.delete(model: Book.self, where: #Predicate { $0.isbn == "3" })
      try other.save()
    }
    #expect(titles == ["t0", "t1", "t2", "t4"])
  }

  @Test("A change made before the rest of the row is read is kept, and can be rolled back")
  func changes() throws {
    let context = ModelContext(container)
    let books = try context.fetch(descriptor([\.title]))
    books[1].title = "changed"
    books[2].pages = 20
    #expect(books.map(\.pages) == [0, 1, 20, 3, 4])
    #expect(books[1].title == "changed")
    try context.save()
    let saved = try container.freshContext().all(Book.self, by: \.isbn)
    #expect(saved.map(\.title) == ["t0", "changed", "t2", "t3", "t4"])
    #expect(saved.map(\.pages) == [0, 1, 20, 3, 4])
    let again = ModelContext(container)
    let others = try again.fetch(descriptor([\.title]))
    others[0].pages = 7
    again.rollback()
    #expect(others[0].pages == 0 && others[0].title == "t0")
  }

  @Test("A registered model keeps its other values until a full row is read")
  func registered() throws {
    let context = ModelContext(container)
    let books = try context.all(Book.self, by: \.isbn)
    let author = books[0].author
    let writer = ModelContext(container)
    for book in try writer.all(Book.self, by: \.isbn) {
      book.title += "!"
      book.pages += 10
    }
    try writer.save()
    _ = try context.fetch(descriptor([\.title]))
    #expect(books.map(\.title) == ["t0!", "t1!", "t2!", "t3!", "t4!"])
    #expect(books[0].author === author)
    _ = try context.fetch(FetchDescriptor<Book>())
    #expect(books.map(\.pages) == [10, 11, 12, 13, 14])
  }

  @Test("`propertiesToFetch` accepts relationships, and the predicate may use other properties")
  func relationships() throws {
    let context = ModelContext(container)
    var descriptor = descriptor([\.author, \.tags])
    descriptor.predicate = #Predicate { $0.pages > 1 && $0.title.count == 2 }
    let books = try context.fetch(descriptor)
    #expect(books.map(\.isbn) == ["2", "3", "4"])
    #expect(books.allSatisfy { $0.author?.name == "a" })
  }

  @Test("A deleted model still has the values that were not read before its deletion")
  func deletion() throws {
    let context = ModelContext(container)
    let books = try context.fetch(descriptor([\.title]))
    context.delete(books[3])
    try context.save()
    #expect(books[3].pages == 3 && books[3].title == "t3")
  }

  @Test("A key path that is not persisted is refused with its name")
  func badPath() throws {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContext(container).fetch(descriptor([\.isbn.count]))
    }
    #expect(error == .unsupportedKeyPath)
  }
}

@Suite("The handler for lazily read relationships")
struct RelationshipLoadTests {
  /// Three authors with a book each.
  private let container: ModelContainer

  init() throws {
    container = try makeLibrary()
    let filling = ModelContext(container)
    for number in 0..<3 { filling.insert(Book(isbn: "\(number)", title: "t", author: Author(name: "\(number)"))) }
    try filling.save()
  }

  @Test("The handler is called for each query of a traversal, and for none that was prefetched")
  func handler() throws {
    let context = ModelContext(container)
    var loads: [ModelContext.RelationshipLoad] = []
    context.relationshipLoadHandler = { loads.append($0) }
    let books = try context.all(Book.self, by: \.isbn)
    #expect(books.compactMap(\.author?.name).count == 3)
    #expect(loads.map(\.propertyName) == ["author"])
    #expect(loads.first?.persistentModelID == books[0].persistentModelID)
    let other = ModelContext(container)
    other.relationshipLoadHandler = { loads.append($0) }
    var descriptor = FetchDescriptor<Book>()
    descriptor.relationshipKeyPathsForPrefetching = [\.author]
    #expect(try other.fetch(descriptor).compactMap(\.author?.name).count == 3)
    #expect(loads.count == 1)
  }

  @Test("The handler is called once for the to-manys of all owners of one fetch")
  func toMany() throws {
    let context = ModelContext(container)
    var loads: [String] = []
    context.relationshipLoadHandler = { loads.append("\($0.persistentModelID.entityName).\($0.propertyName)") }
    let authors = try context.all(Author.self, by: \.name)
    #expect(authors.map(\.books.count) == [1, 1, 1])
    #expect(loads == ["Author.books"])
    #expect(authors.flatMap(\.books).map(\.tags.count) == [0, 0, 0])
    #expect(loads == ["Author.books", "Book.tags"])
  }
}
