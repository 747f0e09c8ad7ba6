import Foundation
import Observation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("To-manys in memory follow other contexts' saves")
struct MergedListTests {
  /// Two contexts on one store: `theirs` saves, and `mine` has all lists in memory.
  private struct TwoContexts {
    let log = StatementLog()
    let folder: TemporaryFolder
    let theirs: ModelContext
    let mine: ModelContext
    let myAuthors: [Author]
    let theirAuthors: [Author]

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
      myAuthors = try mine.all(Author.self, by: \.name)
      for author in myAuthors { _ = author.books.map(\.title) }
      theirAuthors = try theirs.all(Author.self, by: \.name)
    }

    var lists: [[String]] { myAuthors.map { $0.books.map(\.isbn) } }

    /// The lists in a new context.
    func stored() throws -> [[String]] {
      try theirs.container.freshContext().all(Author.self, by: \.name).map { $0.books.map(\.isbn) }
    }

    /// Merges the other context's saves, expects the lists to match the store, and returns the queries that this took.
    @discardableResult
    func mergeAndCheck() throws -> [String] {
      let queries = log.queries {
        mine.processPendingChanges()
        _ = lists
      }
      #expect(lists == (try stored()))
      return queries.filter { $0.contains("Book") }
    }

    func myBook(_ isbn: String) throws -> Book {
      try #require(myAuthors.flatMap(\.books).first { $0.isbn == isbn })
    }

    func theirBook(_ isbn: String) throws -> Book {
      try #require(theirAuthors.flatMap(\.books).first { $0.isbn == isbn })
    }
  }

  @Test("A to-many that gains new rows at its end reads only these rows")
  func gains() throws {
    let contexts = try TwoContexts([["1", "2"], ["3"]])
    contexts.theirAuthors[0].books += [Book(isbn: "4", title: ""), Book(isbn: "5", title: "")]
    contexts.theirs.insert(Book(isbn: "6", title: "", author: contexts.theirAuthors[1]))
    try contexts.theirs.save()
    let queries = try contexts.mergeAndCheck()
    #expect(contexts.lists == [["1", "2", "4", "5"], ["3", "6"]])
    #expect(queries.count == 2, "\(queries)")
    #expect(try contexts.myBook("6").author === contexts.myAuthors[1])
    #expect(!contexts.mine.hasChanges)
  }

  @Test("A member that moves from one to-many to another stays the same object")
  func moves() throws {
    let contexts = try TwoContexts([["1", "2", "3"], ["4"], []])
    let book = try contexts.myBook("2")
    try contexts.theirBook("2").author = contexts.theirAuthors[1]
    contexts.theirAuthors[2].books.append(try contexts.theirBook("3"))
    try contexts.theirs.save()
    try contexts.mergeAndCheck()
    #expect(contexts.lists == [["1"], ["4", "2"], ["3"]])
    #expect(contexts.myAuthors[1].books[1] === book)
    #expect(book.author === contexts.myAuthors[1])
    try contexts.theirBook("2").author = nil
    try contexts.theirs.save()
    try contexts.mergeAndCheck()
    #expect(contexts.lists == [["1"], ["4"], ["3"]])
    #expect(book.author == nil)
  }

  @Test("A to-many loses members that another context deletes, and keeps its order")
  func losses() throws {
    let contexts = try TwoContexts([["1", "2", "3", "4"]])
    let (first, last) = (try contexts.myBook("1"), try contexts.myBook("4"))
    contexts.theirs.delete(try contexts.theirBook("2"))
    contexts.theirs.delete(try contexts.theirBook("3"))
    try contexts.theirs.save()
    try contexts.mergeAndCheck()
    #expect(contexts.myAuthors[0].books.count == 2)
    #expect(contexts.myAuthors[0].books[0] === first)
    #expect(contexts.myAuthors[0].books[1] === last)
  }

  @Test("A to-many that was reordered is read again as a whole, even if other saves only appended to it")
  func order() throws {
    let contexts = try TwoContexts([["1", "2", "3"], ["4"]])
    contexts.theirAuthors[0].books.append(Book(isbn: "5", title: ""))
    try contexts.theirs.save()
    contexts.theirAuthors[0].books.reverse()
    try contexts.theirs.save()
    contexts.theirAuthors[0].books.append(Book(isbn: "6", title: ""))
    try contexts.theirs.save()
    try contexts.mergeAndCheck()
    #expect(contexts.lists == [["5", "3", "2", "1", "6"], ["4"]])
  }

  @Test("Members added and removed repeatedly between two merges are at the position of the last save")
  func addedAndRemoved() throws {
    let contexts = try TwoContexts([["1", "2"], ["3"]])
    let new = Book(isbn: "4", title: "")
    contexts.theirAuthors[0].books.append(new)
    try contexts.theirs.save()
    new.author = contexts.theirAuthors[1]
    try contexts.theirs.save()
    let second = try contexts.theirBook("2")
    second.author = contexts.theirAuthors[1]
    try contexts.theirs.save()
    second.author = contexts.theirAuthors[0]
    try contexts.theirs.save()
    let gone = Book(isbn: "5", title: "", author: contexts.theirAuthors[0])
    try contexts.theirs.save()
    contexts.theirs.delete(gone)
    try contexts.theirs.save()
    try contexts.mergeAndCheck()
    #expect(contexts.lists == [["1", "2"], ["3", "4"]])
  }

  @Test("Both sides of a many-to-many follow another context's save")
  func manyToMany() throws {
    let contexts = try TwoContexts([["1", "2"]])
    let tags = ["a", "b", "c"].map(Tag.init)
    let books = try ["1", "2"].map(contexts.theirBook)
    for tag in tags { contexts.theirs.insert(tag) }
    books[0].tags = tags
    books[1].tags = [tags[1]]
    try contexts.theirs.save()
    let found = try contexts.mine.all(Tag.self, by: \.word)
    let mine = try ["1", "2"].map(contexts.myBook)
    func words() -> [[String]] { mine.map { $0.tags.map(\.word) } }
    func isbns() -> [[String]] { found.map { $0.books.map(\.isbn) } }
    #expect(words() == [["a", "b", "c"], ["b"]])
    #expect(isbns() == [["1"], ["1", "2"], ["1"]])
    books[0].tags.removeAll { $0.word == "a" }
    books[1].tags.append(tags[2])
    let new = Tag("d")
    books[1].tags.append(new)
    try contexts.theirs.save()
    contexts.mine.processPendingChanges()
    #expect(words() == [["b", "c"], ["b", "c", "d"]])
    #expect(isbns() == [[], ["1", "2"], ["1", "2"]])
    contexts.theirs.delete(tags[1])
    try contexts.theirs.save()
    contexts.mine.processPendingChanges()
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
    let contexts = try TwoContexts([["1", "2"], ["3"]])
    contexts.myAuthors[0].books.append(Book(isbn: "mine", title: ""))
    try contexts.myBook("3").author = nil
    contexts.theirAuthors[0].books.append(Book(isbn: "theirs", title: ""))
    try contexts.theirBook("3").author = contexts.theirAuthors[0]
    try contexts.theirs.save()
    contexts.mine.processPendingChanges()
    #expect(contexts.lists == [["1", "2", "theirs", "mine"], []])
    contexts.mine.rollback()
    #expect(contexts.lists == (try contexts.stored()))
    #expect(contexts.lists == [["1", "2", "theirs", "3"], []])
  }

  @Test("Observers of a to-many are notified only if its members changed", arguments: [false, true])
  func observers(inOtherContainer: Bool) throws {
    let contexts = try TwoContexts([["1", "2"], ["3"], ["4"]], inOtherContainer: inOtherContainer)
    let notified = Mutex<[Int]>([])
    for (number, author) in contexts.myAuthors.enumerated() {
      withObservationTracking {
        _ = author.books
      } onChange: {
        notified.withLock { $0.append(number) }
      }
    }
    contexts.theirAuthors[1].books.append(Book(isbn: "5", title: ""))
    try contexts.theirBook("1").title = "changed"
    try contexts.theirs.save()
    let isNotified = comesTrueHere {
      contexts.mine.processPendingChanges()
      return notified.withLock { !$0.isEmpty }
    }
    #expect(isNotified)
    #expect(notified.withLock { $0 } == [1])
    #expect(contexts.lists == [["1", "2"], ["3", "5"], ["4"]])
  }

  @Test("When a fetch finds a changed row before its notification, the to-manys at both ends follow")
  func foundByFetch() throws {
    // Without a history, one container does not see the commits of another.
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
  func membersKnownByKey() throws {
    let contexts = try TwoContexts([["1", "2"], ["3"], ["4", "5"]])
    let context = ModelContext(contexts.theirs.container)
    let authors = try context.all(Author.self, by: \.name)
    // The members of the other authors are known by their keys now.
    #expect(authors[0].books.map(\.isbn) == ["1", "2"])
    try contexts.theirBook("5").author = contexts.theirAuthors[1]
    contexts.theirs.delete(try contexts.theirBook("3"))
    try contexts.theirs.save()
    context.processPendingChanges()
    #expect(authors.map { $0.books.map(\.isbn) } == [["1", "2"], ["5"], ["4"]])
  }
}
