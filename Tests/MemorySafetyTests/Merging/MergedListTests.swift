import Foundation
import Observation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("To-manys in memory follow other contexts' saves")
struct MergedListTests {
  /// Two contexts; the second one has read what the first has saved.
  private struct Desk {
    let log = StatementLog()
    let folder: TemporaryFolder
    let theirs: ModelContext
    let mine: ModelContext
    let authors: [Author]
    let others: [Author]

    init(_ lists: [[String]], inOtherContainer: Bool = false) throws {
      folder = try TemporaryFolder()
      let url = folder.url.appendingPathComponent("library.store")
      func makeContainer() throws -> ModelContainer {
        try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(url: url))
      }
      let container = try log.observe(makeContainer)
      theirs = ModelContext(inOtherContainer ? try makeContainer() : container)
      for (number, isbns) in lists.enumerated() {
        let author = Author(name: "\(number)")
        author.books = isbns.map { Book(isbn: $0, title: $0) }
        theirs.insert(author)
      }
      try theirs.save()
      mine = ModelContext(container)
      authors = try mine.all(Author.self, by: \.name)
      for author in authors { _ = author.books.map(\.title) }
      others = try theirs.all(Author.self, by: \.name)
    }

    var lists: [[String]] { authors.map { $0.books.map(\.isbn) } }

    /// The lists in a new context.
    func stored() throws -> [[String]] {
      try theirs.container.freshContext().all(Author.self, by: \.name).map { $0.books.map(\.isbn) }
    }

    /// Merges the saves, and returns the queries of the merge and of reading the lists.
    func queries() throws -> [String] {
      let queries = log.queries {
        mine.processPendingChanges()
        _ = lists
      }
      #expect(lists == (try stored()))
      return queries.filter { $0.contains("Book") }
    }

    func book(_ isbn: String) throws -> Book {
      try #require(authors.flatMap(\.books).first { $0.isbn == isbn })
    }

    func otherBook(_ isbn: String) throws -> Book {
      try #require(others.flatMap(\.books).first { $0.isbn == isbn })
    }
  }

  @Test("A to-many that gains new rows at its end reads only these rows")
  func gains() throws {
    let desk = try Desk([["1", "2"], ["3"]])
    desk.others[0].books += [Book(isbn: "4", title: ""), Book(isbn: "5", title: "")]
    desk.theirs.insert(Book(isbn: "6", title: "", author: desk.others[1]))
    try desk.theirs.save()
    let queries = try desk.queries()
    #expect(desk.lists == [["1", "2", "4", "5"], ["3", "6"]])
    #expect(queries.count == 2, "\(queries)")
    #expect(try desk.book("6").author === desk.authors[1])
    #expect(!desk.mine.hasChanges)
  }

  @Test("A member that moves from one to-many to another stays the same object")
  func moves() throws {
    let desk = try Desk([["1", "2", "3"], ["4"], []])
    let book = try desk.book("2")
    try desk.otherBook("2").author = desk.others[1]
    desk.others[2].books.append(try desk.otherBook("3"))
    try desk.theirs.save()
    _ = try desk.queries()
    #expect(desk.lists == [["1"], ["4", "2"], ["3"]])
    #expect(desk.authors[1].books[1] === book)
    #expect(book.author === desk.authors[1])
    try desk.otherBook("2").author = nil
    try desk.theirs.save()
    _ = try desk.queries()
    #expect(desk.lists == [["1"], ["4"], ["3"]])
    #expect(book.author == nil)
  }

  @Test("A to-many loses members that another context deletes, and keeps its order")
  func losses() throws {
    let desk = try Desk([["1", "2", "3", "4"]])
    let (first, last) = (try desk.book("1"), try desk.book("4"))
    desk.theirs.delete(try desk.otherBook("2"))
    desk.theirs.delete(try desk.otherBook("3"))
    try desk.theirs.save()
    _ = try desk.queries()
    #expect(desk.authors[0].books.count == 2)
    #expect(desk.authors[0].books[0] === first)
    #expect(desk.authors[0].books[1] === last)
  }

  @Test("A changed order is read again, with all saves before and after it")
  func order() throws {
    let desk = try Desk([["1", "2", "3"], ["4"]])
    desk.others[0].books.append(Book(isbn: "5", title: ""))
    try desk.theirs.save()
    desk.others[0].books.reverse()
    try desk.theirs.save()
    desk.others[0].books.append(Book(isbn: "6", title: ""))
    try desk.theirs.save()
    _ = try desk.queries()
    #expect(desk.lists == [["5", "3", "2", "1", "6"], ["4"]])
  }

  @Test("Members added and removed repeatedly between two merges are at the position of the last save")
  func addedAndRemoved() throws {
    let desk = try Desk([["1", "2"], ["3"]])
    let new = Book(isbn: "4", title: "")
    desk.others[0].books.append(new)
    try desk.theirs.save()
    new.author = desk.others[1]
    try desk.theirs.save()
    let second = try desk.otherBook("2")
    second.author = desk.others[1]
    try desk.theirs.save()
    second.author = desk.others[0]
    try desk.theirs.save()
    let gone = Book(isbn: "5", title: "", author: desk.others[0])
    try desk.theirs.save()
    desk.theirs.delete(gone)
    try desk.theirs.save()
    _ = try desk.queries()
    #expect(desk.lists == [["1", "2"], ["3", "4"]])
  }

  @Test("Both sides of a many-to-many follow another context's save")
  func manyToMany() throws {
    let desk = try Desk([["1", "2"]])
    let tags = ["a", "b", "c"].map(Tag.init)
    let books = try ["1", "2"].map(desk.otherBook)
    for tag in tags { desk.theirs.insert(tag) }
    books[0].tags = tags
    books[1].tags = [tags[1]]
    try desk.theirs.save()
    let found = try desk.mine.all(Tag.self, by: \.word)
    let mine = try ["1", "2"].map(desk.book)
    func words() -> [[String]] { mine.map { $0.tags.map(\.word) } }
    func isbns() -> [[String]] { found.map { $0.books.map(\.isbn) } }
    #expect(words() == [["a", "b", "c"], ["b"]])
    #expect(isbns() == [["1"], ["1", "2"], ["1"]])
    books[0].tags.removeAll { $0.word == "a" }
    books[1].tags.append(tags[2])
    let new = Tag("d")
    books[1].tags.append(new)
    try desk.theirs.save()
    desk.mine.processPendingChanges()
    #expect(words() == [["b", "c"], ["b", "c", "d"]])
    #expect(isbns() == [[], ["1", "2"], ["1", "2"]])
    desk.theirs.delete(tags[1])
    try desk.theirs.save()
    desk.mine.processPendingChanges()
    #expect(words() == [["c"], ["c", "d"]])
  }

  @Test("A one-way to-many follows another context's save, and its members stay the same objects")
  func oneWay() throws {
    let container = try makeRelations()
    let theirs = ModelContext(container)
    let list = Playlist("p")
    let tracks = ["a", "b", "c", "d"].map(Track.init)
    for track in tracks { theirs.insert(track) }
    list.tracks = [tracks[0], tracks[1]]
    theirs.insert(list)
    try theirs.save()
    let mine = ModelContext(container)
    let found = try mine.only(Playlist.self)
    #expect(found.tracks.map(\.title) == ["a", "b"])
    let first = found.tracks[0]
    list.tracks.append(tracks[2])
    try theirs.save()
    list.tracks.removeAll { $0.title == "b" }
    list.tracks.append(tracks[3])
    try theirs.save()
    mine.processPendingChanges()
    #expect(found.tracks.map(\.title) == ["a", "c", "d"])
    #expect(found.tracks[0] === first)
    theirs.delete(tracks[2])
    try theirs.save()
    mine.processPendingChanges()
    #expect(found.tracks.map(\.title) == ["a", "d"])
  }

  @Test("A to-many with unsaved changes merges other changes, and keeps its own")
  func pending() throws {
    let desk = try Desk([["1", "2"], ["3"]])
    desk.authors[0].books.append(Book(isbn: "mine", title: ""))
    try desk.book("3").author = nil
    desk.others[0].books.append(Book(isbn: "theirs", title: ""))
    try desk.otherBook("3").author = desk.others[0]
    try desk.theirs.save()
    desk.mine.processPendingChanges()
    #expect(desk.lists == [["1", "2", "theirs", "mine"], []])
    desk.mine.rollback()
    #expect(desk.lists == (try desk.stored()))
    #expect(desk.lists == [["1", "2", "theirs", "3"], []])
  }

  @Test("Observers of a to-many are notified only if its members changed", arguments: [false, true])
  func observers(inOtherContainer: Bool) throws {
    let desk = try Desk([["1", "2"], ["3"], ["4"]], inOtherContainer: inOtherContainer)
    let notified = Mutex<[Int]>([])
    for (number, author) in desk.authors.enumerated() {
      withObservationTracking {
        _ = author.books
      } onChange: {
        notified.withLock { $0.append(number) }
      }
    }
    desk.others[1].books.append(Book(isbn: "5", title: ""))
    try desk.otherBook("1").title = "changed"
    try desk.theirs.save()
    let isNotified = comesTrueHere {
      desk.mine.processPendingChanges()
      return notified.withLock { !$0.isEmpty }
    }
    #expect(isNotified)
    #expect(notified.withLock { $0 } == [1])
    #expect(desk.lists == [["1", "2"], ["3", "5"], ["4"]])
  }

  @Test("When a fetch finds a changed row before its notification, the to-manys at both ends follow")
  func foundByFetch() throws {
    // Without a history there are no change notifications.
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("library.store")
    let configuration = ModelConfiguration(url: url, options: .init(history: .none))
    func makeContext() throws -> ModelContext {
      ModelContext(
        try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration))
    }
    let theirs = try makeContext()
    let others = ["0", "1"].map { Author(name: $0) }
    others[0].books = ["1", "2"].map { Book(isbn: $0, title: "") }
    for author in others { theirs.insert(author) }
    try theirs.save()
    let mine = try makeContext()
    let authors = try mine.all(Author.self, by: \.name)
    #expect(authors.map { $0.books.map(\.isbn) } == [["1", "2"], []])
    others[1].books = [others[0].books[0]]
    try theirs.save()
    let books = try mine.all(Book.self, by: \.isbn)
    #expect(books[0].author === authors[1])
    #expect(authors.map { $0.books.map(\.isbn) } == [["2"], ["1"]])
    withExtendedLifetime(folder) {}
  }

  @Test("Members that are still keys are read again when another context changes them")
  func awaited() throws {
    let desk = try Desk([["1", "2"], ["3"], ["4", "5"]])
    let context = ModelContext(desk.theirs.container)
    let authors = try context.all(Author.self, by: \.name)
    // The members of the other authors are known by their keys now.
    #expect(authors[0].books.map(\.isbn) == ["1", "2"])
    try desk.otherBook("5").author = desk.others[1]
    desk.theirs.delete(try desk.otherBook("3"))
    try desk.theirs.save()
    context.processPendingChanges()
    #expect(authors.map { $0.books.map(\.isbn) } == [["1", "2"], ["5"], ["4"]])
  }
}
