import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("ResultsObserver")
@MainActor
struct ResultsObserverTests {
  private let library: ModelContainer
  private let context: ModelContext
  private let turns = Turns()

  init() throws {
    library = try makeLibrary()
    context = library.mainContext
    context.autosaveEnabled = false
  }

  /// Observes the books of at least 100 pages, by title.
  private func observeThickBooks() throws -> ResultsObserver<Book, Never> {
    try ResultsObserver(
      filterBy: #Predicate { $0.pages >= 100 }, sortBy: [SortDescriptor(\.title)], modelContext: context)
  }

  private func insert(_ titles: String..., pages: Int = 100) {
    for title in titles { context.insert(Book(isbn: UUID().uuidString, title: title, pages: pages)) }
  }

  @Test("The results follow insertions, changes and deletions before they are saved")
  func followsUnsavedChanges() throws {
    let observer = try observeThickBooks()
    #expect(observer.results.isEmpty)
    insert("Emma", "Dubliners")
    #expect(observer.results.map(\.title) == ["Dubliners", "Emma"])
    observer.results[1].title = "Austen"
    #expect(observer.results.map(\.title) == ["Austen", "Dubliners"])
    observer.results[0].pages = 20
    #expect(observer.results.map(\.title) == ["Dubliners"])
    context.delete(observer.results[0])
    #expect(observer.results.isEmpty)
  }

  @Test("The results have the same models after a save")
  func keepsModelsOverSave() throws {
    let observer = try observeThickBooks()
    insert("Emma", "Dubliners")
    let before = Array(observer.results)
    try context.save()
    #expect(observer.results.elementsEqual(before, by: ===))
  }

  @Test("The results follow a rollback and undo")
  func followsGoingBack() throws {
    insert("Emma")
    try context.save()
    let observer = try observeThickBooks()
    observer.results[0].pages = 1
    insert("Dubliners")
    #expect(observer.results.map(\.title) == ["Dubliners"])
    context.rollback()
    #expect(observer.results.map(\.title) == ["Emma"])

    let undoManager = UndoManager()
    context.undoManager = undoManager
    undoManager.beginUndoGrouping()
    context.delete(observer.results[0])
    undoManager.endUndoGrouping()
    #expect(observer.results.isEmpty)
    undoManager.undo()
    #expect(observer.results.map(\.title) == ["Emma"])
  }

  @Test("The results follow another context's save")
  func followsOtherContexts() throws {
    let observer = try observeThickBooks()
    let other = ModelContext(library)
    let book = Book(isbn: "1", title: "Emma", pages: 400)
    other.insert(book)
    try other.save()
    #expect(observer.results.map(\.title) == ["Emma"])
    book.title = "Persuasion"
    try other.save()
    #expect(observer.results.map(\.title) == ["Persuasion"])
    other.delete(book)
    try other.save()
    #expect(observer.results.isEmpty)
  }

  @Test("The results follow a batch update and a deletion by predicate")
  func followsBatches() throws {
    insert("Emma", "Dubliners")
    try context.save()
    let observer = try observeThickBooks()
    try context.delete(model: Book.self, where: #Predicate { $0.title == "Emma" })
    #expect(observer.results.map(\.title) == ["Dubliners"])
    try context.save()
    #expect(observer.results.map(\.title) == ["Dubliners"])
  }

  @Test("A limit and an offset apply to the current results")
  func followsLimits() throws {
    insert("A", "B", "C", "D", "E")
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    descriptor.fetchLimit = 2
    descriptor.fetchOffset = 1
    let observer = try ResultsObserver(fetchDescriptor: descriptor, modelContext: context)
    #expect(observer.results.map(\.title) == ["B", "C"])
    context.delete(observer.results[0])
    #expect(observer.results.map(\.title) == ["C", "D"])
  }

  @Test("A predicate with related models follows their changes")
  func followsRelatedModels() throws {
    let author = Author(name: "Austen")
    context.insert(author)
    author.books = [Book(isbn: "1", title: "Emma")]
    try context.save()
    let byAuthor = try ResultsObserver(
      filterBy: #Predicate<Book> { $0.author?.name == "Austen" }, modelContext: context)
    let writers = try ResultsObserver(
      filterBy: #Predicate<Author> { $0.books.contains { $0.title == "Emma" } }, modelContext: context)
    #expect(byAuthor.results.count == 1)
    #expect(writers.results.count == 1)
    author.name = "Joyce"
    author.books[0].title = "Ulysses"
    #expect(byAuthor.results.isEmpty)
    #expect(writers.results.isEmpty)
    author.name = "Austen"
    #expect(byAuthor.results.count == 1)
    author.books = []
    #expect(byAuthor.results.isEmpty)
  }

  // MARK: Notifications

  /// Counts the notifications of an observer, up to one.
  private func countChanges(of observer: ResultsObserver<Book, Never>, _ counter: Counter) {
    withObservationTracking {
      _ = observer.results
    } onChange: {
      counter.add()
    }
  }

  @Test("A turn with many changes makes one notification")
  func notifiesOnce() throws {
    let observer = try observeThickBooks()
    let counter = Counter()
    turns.during {
      countChanges(of: observer, counter)
      insert("Emma", "Dubliners", "Ulysses")
    }
    #expect(counter.count == 0)
    turns.end()
    #expect(counter.count == 1)
    #expect(observer.results.count == 3)
  }

  @Test("Another context's save notifies without a use of this context")
  func notifiesOfOthers() throws {
    let observer = try observeThickBooks()
    let counter = Counter()
    countChanges(of: observer, counter)
    let other = ModelContext(library)
    other.insert(Book(isbn: "1", title: "Emma", pages: 400))
    try turns.during { try other.save() }
    turns.end()
    #expect(counter.count == 1)
  }

  @Test(
    "Changes that do not affect the results make no notification",
    arguments: [
      { (context: ModelContext, book: Book) in book.isbn = "7" },
      { context, book in context.insert(Tag("novel")) },
      { context, book in book.pages = 300 },
      { context, book in context.insert(Book(isbn: "8", title: "Leaflet", pages: 4)) },
    ] as [@MainActor @Sendable (ModelContext, Book) -> Void])
  func ignoresOthers(change: @MainActor @Sendable (ModelContext, Book) -> Void) throws {
    insert("Emma")
    try context.save()
    let observer = try observeThickBooks()
    let counter = Counter()
    try turns.during {
      countChanges(of: observer, counter)
      change(context, observer.results[0])
      try context.save()
    }
    turns.end()
    #expect(counter.count == 0)
  }

  @Test("A change of a property that no observer uses causes no work at the end of the turn")
  func staysQuiet() throws {
    insert("Emma")
    try context.save()
    let observer = try observeThickBooks()
    let book = observer.results[0]
    turns.during { book.isbn = "7" }
    #expect(turns.count == 0)
    turns.during { book.title = "Persuasion" }
    #expect(turns.count == 1)
  }

  @Test("A released observer is not retained, and its context stops following changes")
  func endsWhenReleased() throws {
    var observer: ResultsObserver<Book, Never>? = try observeThickBooks()
    weak let released = observer
    observer = nil
    #expect(released == nil)
    turns.during { insert("Emma") }
    turns.end()
    turns.during { insert("Dubliners") }
    #expect(turns.count == 0)
  }

  @Test("A context is released with its observers, even if they have changes to follow")
  func releasesContext() throws {
    func makeAndRelease() throws -> Released {
      let context = ModelContext(library)
      let observer = try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.title)], modelContext: context)
      context.insert(Book(isbn: "1", title: "Emma"))
      #expect(observer.results.count == 1)
      context.insert(Book(isbn: "2", title: "Dubliners"))
      return Released(context: context, graph: context.graph)
    }
    let released = try makeAndRelease()
    #expect(released.context == nil)
    #expect(released.graph == nil)
  }

  // MARK: New conditions and invalid fetches

  @Test("A new condition and a new order apply at once")
  func followsNewCondition() throws {
    insert("Emma", "Dubliners")
    insert("Leaflet", pages: 4)
    let observer = try observeThickBooks()
    observer.filterBy = nil
    #expect(observer.results.map(\.title) == ["Dubliners", "Emma", "Leaflet"])
    observer.sortBy = [SortDescriptor(\.title, order: .reverse)]
    #expect(observer.results.map(\.title) == ["Leaflet", "Emma", "Dubliners"])
    insert("Flyer", pages: 1)
    #expect(observer.results.map(\.title) == ["Leaflet", "Flyer", "Emma", "Dubliners"])
    #expect(observer.fetchDescriptor.predicate == nil)
  }

  @Test("An invalid fetch throws, and setting an invalid condition keeps the results")
  func refusesImpossibleFetches() throws {
    insert("Emma")
    var descriptor = FetchDescriptor<Book>()
    descriptor.fetchLimit = -1
    #expect(throws: SwiftDataError.invalidFetchDescriptor) {
      try ResultsObserver(fetchDescriptor: descriptor, modelContext: context)
    }
    context.allowsInMemoryEvaluation = false
    let observer = try observeThickBooks()
    observer.filterBy = #Predicate { $0.isLeaflet }
    #expect(observer.results.map(\.title) == ["Emma"])
  }

  @Test("Without sections an observer has no index paths")
  func hasNoPlacesWithoutSections() throws {
    insert("Emma", "Dubliners")
    let observer = try observeThickBooks()
    for place in [[], [0], [0, 0]] as [IndexPath] { #expect(observer.element(at: place) == nil) }
    #expect(observer.indexPath(for: observer.results[1]) == nil)
  }
}

/// The context and graph that must be released.
private struct Released {
  weak var context: ModelContext?
  weak var graph: ObjectGraph?
}

extension Book {
  /// Computed, so that no store can evaluate it.
  var isLeaflet: Bool { pages < 10 }
}

/// Counts on any thread.
final class Counter: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }

  func add() {
    number.withLock { $0 += 1 }
  }
}
