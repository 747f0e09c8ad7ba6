import Observation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("Observation of models")
struct ObservationTests {
  /// Counts the changes that an observer of `body` is notified of: at most one, as in Observation.
  private final class Observer: Sendable {
    private let changes = Mutex(0)

    var count: Int { changes.withLock { $0 } }

    init(_ body: () -> Void) {
      withObservationTracking(body) { [self] in changes.withLock { $0 += 1 } }
    }
  }

  enum Origin: CaseIterable {
    case plain, inserted, saved, fetched, unread
  }

  /// An author with one book, and the objects to retain for it.
  private func author(_ origin: Origin) throws -> (author: Author, kept: [AnyObject]) {
    let author = Author(name: "A", born: 1)
    author.books = [Book(isbn: "1", title: "One")]
    if origin == .plain { return (author, []) }
    let container = try makeLibrary()
    let context = ModelContext(container)
    context.insert(author)
    if origin == .inserted { return (author, [context]) }
    try context.save()
    if origin == .saved { return (author, [context]) }
    let other = ModelContext(container)
    if origin == .fetched { return (try other.only(Author.self), [other]) }
    let unread = try #require(other.model(for: author.persistentModelID) as? Author)
    return (unread, [other])
  }

  @Test("An observer is notified of a change of a property it read", arguments: Origin.allCases)
  func change(origin: Origin) throws {
    let (author, kept) = try author(origin)
    let observer = Observer { _ = author.name }
    let other = Observer { _ = author.born }
    #expect(observer.count == 0)
    author.name = "B"
    #expect(observer.count == 1)
    #expect(other.count == 0)
    withExtendedLifetime(kept) {}
  }

  @Test(
    "An observer is notified of changes to a model that was read before the observation began",
    arguments: Origin.allCases)
  func laterObserver(origin: Origin) throws {
    let (author, kept) = try author(origin)
    #expect(author.name == "A")
    #expect(author.books.count == 1)
    for name in ["B", "C"] {
      let observer = Observer { _ = author.name }
      author.name = name
      #expect(observer.count == 1)
    }
    withExtendedLifetime(kept) {}
  }

  @Test("An observer is notified when the other side of a relationship changes", arguments: Origin.allCases)
  func otherSide(origin: Origin) throws {
    let (author, kept) = try author(origin)
    let book = try #require(author.books.first)
    let books = Observer { _ = author.books.count }
    let owner = Observer { _ = book.author }
    book.author = nil
    #expect(books.count == 1)
    #expect(owner.count == 1)
    let again = Observer { _ = book.author }
    author.books.append(book)
    #expect(again.count == 1)
    withExtendedLifetime(kept) {}
  }

  @Test("An observer is notified of a rollback")
  func rollback() throws {
    let (author, kept) = try author(.fetched)
    author.name = "B"
    let observer = Observer { _ = author.name }
    try #require(author.modelContext).rollback()
    #expect(observer.count == 1)
    #expect(author.name == "A")
    withExtendedLifetime(kept) {}
  }

  @Test("A change that an observer makes during a rollback stays as a change")
  func changeDuringRollback() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    for name in ["A", "B"] { context.insert(Author(name: name, born: 1)) }
    try context.save()
    let authors = try context.all(Author.self, by: \.name)
    authors[0].born = 2
    nonisolated(unsafe) let other = authors[1]
    withObservationTracking {
      _ = authors[0].born
    } onChange: {
      other.born = 3
    }
    context.rollback()
    #expect(authors.map(\.born) == [1, 3])
    #expect(context.changedModelsArray.count == 1)
    try context.save()
    #expect(try container.freshContext().all(Author.self, by: \.name).map(\.born) == [1, 3])
    context.delete(other)
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test("An observer is notified only of properties that another context's save changed")
  func refresh() throws {
    let container = try makeLibrary()
    let theirs = ModelContext(container)
    theirs.insert(Author(name: "A", born: 1))
    try theirs.save()
    let mine = ModelContext(container)
    let author = try mine.only(Author.self)
    let name = Observer { _ = author.name }
    let born = Observer { _ = author.born }
    try theirs.only(Author.self).name = "B"
    try theirs.save()
    mine.processPendingChanges()
    #expect(name.count == 1)
    #expect(born.count == 0)
  }

  @Test("An observer is notified of another context's save to a model with unsaved changes")
  func refreshBesideChange() throws {
    let container = try makeLibrary()
    let theirs = ModelContext(container)
    theirs.insert(Author(name: "A", born: 1))
    try theirs.save()
    let mine = ModelContext(container)
    let author = try mine.only(Author.self)
    author.born = 2
    let name = Observer { _ = author.name }
    let born = Observer { _ = author.born }
    let other = try theirs.only(Author.self)
    (other.name, other.born) = ("B", 3)
    try theirs.save()
    mine.processPendingChanges()
    #expect(author.name == "B")
    #expect(author.born == 2)
    #expect(name.count == 1)
    #expect(born.count == 0)
  }

  @Test("Observers are released with the models, and the context does not retain them", arguments: [false, true])
  func lifetime(isContextHeld: Bool) throws {
    final class Token {}
    let container = try makeLibrary()
    let context = ModelContext(container)
    context.insert(Author(name: "A", born: 1))
    try context.save()
    weak var token: Token?
    do {
      let held = Token()
      token = held
      var author: Author? = try (isContextHeld ? context : ModelContext(container)).only(Author.self)
      nonisolated(unsafe) let captured = held
      withObservationTracking {
        _ = author?.name
      } onChange: {
        _ = captured
      }
      author = nil
    }
    #expect(token == nil)
  }
}
