import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// Reading the first author's books reads the keys of all authors' books ahead. Changes made before the other lists are read
/// must appear in them.
@Suite("Members whose keys are read ahead")
struct ReadAheadMembersTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let authors: [Author]

  /// Two authors with three books each; the first one's books are read, the keys of the second one's are read ahead.
  init() throws {
    container = try makeLibrary()
    let filling = ModelContext(container)
    for number in 0..<2 {
      let author = Author(name: "\(number)")
      filling.insert(author)
      for part in 0..<3 { filling.insert(Book(isbn: "\(number)-\(part)", title: "t", author: author)) }
    }
    try filling.save()
    context = ModelContext(container)
    authors = try context.all(Author.self, by: \.name)
    #expect(authors[0].books.count == 3)
  }

  private func isbns(_ author: Int) -> [String] {
    authors[author].books.map(\.isbn)
  }

  private func book(_ isbn: String, in context: ModelContext? = nil) throws -> Book {
    let context = context ?? self.context
    return try #require(
      try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.isbn == isbn })).first)
  }

  @Test("Reading ahead makes no objects for members of other owners")
  func laziness() throws {
    let identifiers = try context.fetchIdentifiers(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    let registered = identifiers.map { (context.registeredModel(for: $0) as Book?) != nil }
    #expect(registered == [true, true, true, false, false, false])
  }

  @Test("A member that was moved is not in a list read ahead, and a rollback restores it")
  func movedAway() throws {
    try book("1-1").author = authors[0]
    #expect(isbns(1) == ["1-0", "1-2"])
    #expect(isbns(0) == ["0-0", "0-1", "0-2", "1-1"])
    context.rollback()
    #expect(isbns(1) == ["1-0", "1-1", "1-2"])
  }

  @Test("A member that was moved is not in a list read ahead after the save either")
  func movedAwayAndSaved() throws {
    try book("1-1").author = authors[0]
    try context.save()
    #expect(isbns(1) == ["1-0", "1-2"])
    try book("1-1").author = authors[1]
    try context.save()
    #expect(isbns(1).sorted() == ["1-0", "1-1", "1-2"])
  }

  @Test("A member that is added is in a list read ahead, before and after the save", arguments: [true, false])
  func added(saves: Bool) throws {
    authors[1].books.append(Book(isbn: "new", title: "t"))
    if saves { try context.save() }
    #expect(isbns(1) == ["1-0", "1-1", "1-2", "new"])
  }

  @Test("A member that is deleted is not in a list read ahead, before and after the save", arguments: [true, false])
  func deleted(saves: Bool) throws {
    context.delete(try book("1-0"))
    if saves { try context.save() }
    #expect(isbns(1) == ["1-1", "1-2"])
  }

  @Test("Members that another context adds and moves appear in lists read ahead")
  func anotherContext() throws {
    let other = ModelContext(container)
    try book("1-2", in: other).author = try other.all(Author.self, by: \.name).first
    other.insert(Book(isbn: "new", title: "t", author: try other.all(Author.self, by: \.name)[1]))
    try other.save()
    try context.save()
    context.processPendingChanges()
    #expect(isbns(1) == ["1-0", "1-1", "new"])
    #expect(isbns(0) == ["0-0", "0-1", "0-2", "1-2"])
  }

  @Test("A change pending since before the keys were read ahead counts after its save")
  func changedBefore() throws {
    let context = ModelContext(container)
    let book = try book("1-1", in: context)
    book.author = nil
    let authors = try context.all(Author.self, by: \.name)
    #expect(authors[0].books.count == 3)
    try context.save()
    #expect(authors[1].books.map(\.isbn) == ["1-0", "1-2"])
  }

  @Test("Deleting an owner deletes members that were only read ahead")
  func cascade() throws {
    context.delete(authors[1])
    try context.save()
    #expect(try container.freshContext().all(Book.self, by: \.isbn).map(\.isbn) == ["0-0", "0-1", "0-2"])
  }

  @Test("A one-way relationship read ahead omits deleted members")
  func oneWay() throws {
    let container = try makeRelations()
    let filling = ModelContext(container)
    for number in 0..<2 {
      let playlist = Playlist("\(number)")
      filling.insert(playlist)
      playlist.tracks = (0..<3).map { Track("\(number)-\($0)") }
    }
    try filling.save()
    let context = ModelContext(container)
    let playlists = try context.all(Playlist.self, by: \.name)
    #expect(playlists[0].tracks.count == 3)
    context.delete(try context.all(Track.self, by: \.title)[4])
    try context.save()
    #expect(playlists[1].tracks.map(\.title) == ["1-0", "1-2"])
  }

  @Test("Reading ahead gives each owner its own members")
  func readingAhead() throws {
    let log = StatementLog()
    let container = try log.observe(makeLibrary)
    let filling = ModelContext(container)
    for number in 0..<400 {
      let author = Author(name: "\(number)", born: number)
      filling.insert(author)
      for part in 0..<(number % 9) { filling.insert(Book(isbn: "\(number)-\(part)", title: "t", author: author)) }
    }
    try filling.save()
    let context = ModelContext(container)
    let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.born)]))
    var loads = 0
    context.relationshipLoadHandler = { loads += $0.propertyName == "books" ? 1 : 0 }
    let queries = log.queries {
      for (number, author) in authors.enumerated() {
        #expect(author.books.map(\.isbn) == (0..<(number % 9)).map { "\(number)-\($0)" })
        #expect(author.books.allSatisfy { $0.author === author })
      }
    }
    // One query for all keys and one for the first thousand rows; then the books of 64 authors, and those of all others.
    #expect(queries.count == 4)
    #expect(loads == 3)
  }

  @Test("Walking from owner to owner reads members along with their keys and applies pending changes")
  func readingThrough() throws {
    let container = try makeLibrary()
    let filling = ModelContext(container)
    for number in 0..<300 {
      let author = Author(name: "\(number)", born: number)
      filling.insert(author)
      for part in 0..<8 { filling.insert(Book(isbn: "\(number)-\(part)", title: "t", author: author)) }
    }
    try filling.save()
    let context = ModelContext(container)
    let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.born)]))
    let books = try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.isbn.starts(with: "29") }))
    let moved = try #require(books.first { $0.isbn == "290-3" })
    let gone = try #require(books.first { $0.isbn == "291-5" })
    moved.author = authors[292]
    context.delete(gone)
    for (number, author) in authors.enumerated() {
      var expected = (0..<8).map { "\(number)-\($0)" }
      if number == 290 { expected.remove(at: 3) }
      if number == 291 { expected.remove(at: 5) }
      if number == 292 { expected.append("290-3") }
      #expect(author.books.map(\.isbn) == expected)
    }
    context.rollback()
    #expect(authors[290].books.map(\.isbn) == (0..<8).map { "290-\($0)" })
    #expect(authors[291].books.count == 8)
    #expect(authors[292].books.count == 8)
  }

  @Test("Reading ahead covers fewer owners once they are known to have many members")
  func manyMembers() throws {
    let log = StatementLog()
    let container = try log.observe(makeLibrary)
    let filling = ModelContext(container)
    for number in 0..<200 {
      let author = Author(name: "\(number)", born: number)
      filling.insert(author)
      guard number < 20 else { continue }
      for part in 0..<200 { filling.insert(Book(isbn: "\(number)-\(part)", title: "t", author: author)) }
    }
    try filling.save()
    func walk() throws -> Int {
      let context = ModelContext(container)
      let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.born)]))
      return log.queries { #expect(authors.map(\.books.count).reduce(0, +) == 4000) }.count
    }
    #expect(try walk() == 1)
    // 81 owners, then all others.
    #expect(try walk() == 2)
  }
}
