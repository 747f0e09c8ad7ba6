import Foundation
import SwiftData
import Testing

@Suite("Prefetched relationships")
struct PrefetchingTests {
  private let log = StatementLog()
  private let container: ModelContainer

  /// Three authors with four books each, of which each has two tags; the tags are shared.
  init() throws {
    container = try log.observe(makeLibrary)
    let context = ModelContext(container)
    let tags = (0..<3).map { Tag("\($0)") }
    for number in 0..<3 {
      let author = Author(name: "\(number)", born: 1900 + number)
      context.insert(author)
      for part in 0..<4 {
        let book = Book(isbn: "\(number)-\(part)", title: "title \(part)", pages: part, author: author)
        book.tags = [tags[number], tags[(number + 1) % 3]]
      }
    }
    try context.save()
  }

  private func titles(_ authors: [Author]) -> [[String]] {
    authors.map { $0.books.map(\.title) }
  }

  @Test("A to-many comes with its members' rows, in two statements for all owners")
  func toMany() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)])
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    var authors: [Author] = []
    let fetching = try log.queries { authors = try context.fetch(descriptor) }
    #expect(fetching.count == 3)
    let walking = log.queries {
      #expect(titles(authors) == Array(repeating: (0..<4).map { "title \($0)" }, count: 3))
      #expect(authors.allSatisfy { author in author.books.allSatisfy { $0.author === author } })
    }
    #expect(walking.isEmpty)
  }

  @Test("A many-to-many comes with members that several owners share")
  func manyToMany() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])
    descriptor.relationshipKeyPathsForPrefetching = [\.tags]
    let books = try context.fetch(descriptor)
    let walking = log.queries {
      #expect(books[0].tags.map(\.word) == ["0", "1"])
      #expect(books[11].tags.map(\.word) == ["2", "0"])
      #expect(books[0].tags[0] === books[11].tags[1])
    }
    #expect(walking.isEmpty)
  }

  @Test("A to-one and what lies behind it come along")
  func nestedToOne() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Book>()
    descriptor.relationshipKeyPathsForPrefetching = [\.author, \.author?.books]
    let books = try context.fetch(descriptor)
    let walking = log.queries {
      #expect(books.allSatisfy { $0.author?.books.count == 4 })
      #expect(books.allSatisfy { $0.author?.born ?? 0 >= 1900 })
    }
    #expect(walking.isEmpty)
  }

  @Test("Members that are there already, and changed, stay as they are")
  func registeredMembers() throws {
    let context = ModelContext(container)
    let book = try #require(try context.all(Book.self, by: \.isbn).first)
    book.title = "changed"
    var descriptor = FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)])
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    let authors = try context.fetch(descriptor)
    #expect(authors[0].books[0] === book)
    #expect(titles(authors)[0] == ["changed", "title 1", "title 2", "title 3"])
  }

  @Test("A path that is no relationship is refused by its name")
  func attribute() throws {
    var descriptor = FetchDescriptor<Book>()
    descriptor.relationshipKeyPathsForPrefetching = [\.title]
    let error = #expect(throws: SwiftDataError.self) { try ModelContext(container).fetch(descriptor) }
    #expect(error == .unsupportedKeyPath)
    #expect(error.map { "\($0)" }?.contains("title") == true)
  }
}
