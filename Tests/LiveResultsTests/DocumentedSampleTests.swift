import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// The uses of `Query`, `ResultsObserver`, sections and `withContinuousObservation` in Apple's documentation and sessions, with
/// models of the tests, and functions in place of views.
@Suite("Samples of Apple's documentation")
@MainActor
struct DocumentedSampleTests {
  private let library: ModelContainer
  private let context: ModelContext

  init() throws {
    library = try makeLibrary()
    context = library.mainContext
    context.autosaveEnabled = false
    let (austen, joyce) = (Author(name: "Austen", born: 1775), Author(name: "Joyce", born: 1882))
    for (title, pages, author) in [
      ("Emma", 400, austen), ("Dubliners", 150, joyce), ("Persuasion", 250, austen), ("Leaflet", 4, nil),
    ] as [(String, Int, Author?)] {
      context.insert(Book(isbn: title, title: title, pages: pages, author: author))
    }
  }

  /// The text of a list: a row for each element, as `List` and `ForEach` take them.
  static func rows<Data: RandomAccessCollection>(_ data: Data, _ row: (Data.Element) -> String) -> [String]
  where Data.Element: Identifiable {
    data.map(row)
  }

  // MARK: Queries

  /// A list that inserts and deletes, as in a new project.
  @MainActor
  struct ItemList {
    let modelContext: ModelContext
    @Query private var items: [Book]

    init(_ container: ModelContainer) {
      modelContext = container.mainContext
    }

    var body: [String] { rows(items) { item in "Item \(item.title)" } }

    func addItem() {
      modelContext.insert(Book(isbn: "new", title: "New"))
    }

    func deleteItems(offsets: IndexSet) {
      for index in offsets { modelContext.delete(items[index]) }
    }
  }

  @Test("A list shows what it inserts, and no longer what it deletes")
  func itemList() throws {
    try context.save()
    let list = withModelContainer(library) { ItemList(library) }
    list.addItem()
    #expect(list.body == ["Item Emma", "Item Dubliners", "Item Persuasion", "Item Leaflet", "Item New"])
    list.deleteItems(offsets: [1, 3])
    // Deleted models keep their positions while the function may go through them.
    #expect(list.body.count == 5)
    try context.save()
    #expect(list.body == ["Item Emma", "Item Persuasion", "Item New"])
  }

  @Test("A list deletes the right models even before they are saved")
  func unsavedItemList() throws {
    let library = try makeLibrary()
    let context = library.mainContext
    let list = withModelContainer(library) { ItemList(library) }
    for title in ["a", "b", "c"] { context.insert(Book(isbn: title, title: title)) }
    #expect(list.body == ["Item a", "Item b", "Item c"])
    list.deleteItems(offsets: [0, 1])
    try context.save()
    #expect(list.body == ["Item c"])
  }

  /// A list with a condition and an order in the macro.
  @MainActor
  struct LongBooks {
    @Query(
      filter: #Predicate<Book> { $0.pages >= 150 },
      sort: [SortDescriptor(\.pages, order: .reverse), SortDescriptor(\.title)]
    ) var longBooks: [Book]
    @Query(filter: #Predicate<Book> { book in book.author != nil }, sort: \.title, order: .reverse)
    private var signedBooks: [Book]
    @Query(sort: \Author.born, order: .reverse) var authors: [Author]

    var body: [[String]] { [rows(longBooks, \.title), rows(signedBooks, \.title), rows(authors, \.name)] }
  }

  @Test("A condition and an order are arguments of the macro")
  func longBooks() {
    let list = withModelContainer(library) { LongBooks() }
    #expect(
      list.body == [
        ["Emma", "Persuasion", "Dubliners"], ["Persuasion", "Emma", "Dubliners"], ["Joyce", "Austen"],
      ])
  }

  enum SortParameter {
    case title, pages
  }

  /// A list whose initializer makes the query for a search text, a smallest size and a chosen order.
  @MainActor
  struct SearchedBooks {
    @Query private var books: [Book]

    init(
      searchText: String = "", minimumPages: Int = 0, sortParameter: SortParameter, sortOrder: SortOrder = .forward
    ) {
      let predicate = Book.predicate(searchText: searchText, minimumPages: minimumPages)
      switch sortParameter {
      case .title: _books = Query(filter: predicate, sort: \.title, order: sortOrder)
      case .pages: _books = Query(filter: predicate, sort: \.pages, order: sortOrder)
      }
    }

    init(sort: SortDescriptor<Book>, searchString: String) {
      _books = Query(
        filter: #Predicate {
          if searchString.isEmpty { true } else { $0.title.localizedStandardContains(searchString) }
        }, sort: [sort])
    }

    var body: [String] { rows(books) { "\($0.title), \($0.pages)" } }
  }

  @Test("An initializer makes the query of a search and an order")
  func searchedBooks() {
    withModelContainer(library) {
      #expect(
        SearchedBooks(minimumPages: 100, sortParameter: .pages).body == [
          "Dubliners, 150", "Persuasion, 250", "Emma, 400",
        ])
      #expect(SearchedBooks(searchText: "UA", sortParameter: .title).body == ["Persuasion, 250"])
      #expect(
        SearchedBooks(searchText: "e", sortParameter: .title, sortOrder: .reverse).body
          == ["Persuasion, 250", "Leaflet, 4", "Emma, 400", "Dubliners, 150"])
      #expect(SearchedBooks(sort: SortDescriptor(\.title), searchString: "em").body == ["Emma, 400"])
      #expect(SearchedBooks(sort: SortDescriptor(\.pages), searchString: "").body.first == "Leaflet, 4")
    }
  }

  /// A list of the models of a related one, which is chosen by its name.
  @MainActor
  struct BooksOfAuthor {
    let authorName: String?
    @Query private var books: [Book]

    init(authorName: String?) {
      self.authorName = authorName
      let predicate = #Predicate<Book> { book in
        book.author?.name == authorName
      }
      let sortDescriptors = [SortDescriptor(\Book.title)]
      _books = Query(filter: predicate, sort: sortDescriptors)
    }

    var body: [String] { rows(books, \.title) }
  }

  @Test("A query finds the models of a related one, and models without one")
  func booksOfAuthor() {
    withModelContainer(library) {
      #expect(BooksOfAuthor(authorName: "Austen").body == ["Emma", "Persuasion"])
      #expect(BooksOfAuthor(authorName: "Woolf").body.isEmpty)
      #expect(BooksOfAuthor(authorName: nil).body == ["Leaflet"])
    }
  }

  /// A list that shows why it is empty.
  @MainActor
  struct FailingList {
    @Query(sort: \Trip.destination) private var trips: [Trip]

    var body: String {
      if let error = _trips.fetchError { "failed: \((error as? SwiftDataError) == .unknownSchema)" } else { "fetched" }
    }
  }

  @Test("A list shows the error of its query")
  func failingList() throws {
    #expect(withModelContainer(library) { FailingList() }.body == "failed: true")
    #expect(withModelContainer(try makeTrips()) { FailingList() }.body == "fetched")
  }

  // MARK: Queries with sections

  private func makePlannedTrips() throws -> ModelContainer {
    let container = try makeTrips()
    container.mainContext.autosaveEnabled = false
    for (destination, days) in [("Rome", 3), ("Oslo", 2), ("Rome", 1), ("Bonn", 5)] {
      container.mainContext.insert(Trip(destination: destination, days: days))
    }
    return container
  }

  /// A list whose property has the models, and whose query has the sections.
  @MainActor
  struct TripList {
    @Query(sort: \Trip.days, sectionBy: \.destination)
    var trips: [Trip]

    var body: [String] {
      rows(_trips.sections) { section in
        "\(section.id): " + rows(section) { trip in "\(trip.days)" }.joined(separator: ", ")
      }
    }
  }

  /// A list whose property has the sections.
  @MainActor
  struct SectionedTripList {
    @Query(sort: \Trip.days, sectionBy: \.destination)
    var trips: SectionedResults<Trip, String>

    var body: [String] {
      rows(trips) { section in
        "\(section.title): " + rows(section) { trip in "\(trip.days)" }.joined(separator: ", ")
      }
    }

    /// The number of trips to a destination, by its title.
    func count(of destination: String) -> Int {
      trips[sectionTitle: destination]?.count ?? 0
    }
  }

  @Test("A list shows its sections in order, with either type of property")
  func tripLists() throws {
    let container = try makePlannedTrips()
    let (list, sectioned) = withModelContainer(container) { (TripList(), SectionedTripList()) }
    #expect(list.body == ["Bonn: 5", "Oslo: 2", "Rome: 1, 3"])
    #expect(list.trips.map(\.days) == [5, 2, 1, 3])
    #expect(sectioned.body == list.body)
    #expect(sectioned.count(of: "Rome") == 2)
    #expect(sectioned.count(of: "Lima") == 0)
    #expect(sectioned.trips.contains(sectionTitle: "Bonn"))
    container.mainContext.delete(list.trips[0])
    container.mainContext.insert(Trip(destination: "Lima", days: 9))
    try container.mainContext.save()
    #expect(list.body == ["Lima: 9", "Oslo: 2", "Rome: 1, 3"])
    #expect(sectioned.body == list.body)
  }

  /// A list that puts one of its sections first.
  @MainActor
  struct HomeFirstList {
    let home: String
    @Query(
      filter: #Predicate<Trip> { $0.days < 5 }, sort: [SortDescriptor(\Trip.destination), SortDescriptor(\Trip.days)],
      animation: .easeInOut, sectionBy: \.destination) private var stack: SectionedResults<Trip, String>

    init(home: String) {
      self.home = home
    }

    var sections: [ResultsSection<Trip, String>] {
      _stack.sections.sorted { left, _ in left.title == home }
    }
  }

  @Test("Sections can be reordered by code")
  func homeFirst() throws {
    let container = try makePlannedTrips()
    let list = withModelContainer(container) { HomeFirstList(home: "Rome") }
    #expect(list.sections.map(\.title) == ["Rome", "Oslo"])
    #expect(list.sections[0].map(\.days) == [1, 3])
  }

  // MARK: Observers

  /// Caches a value that is computed from all models.
  @Observable
  @MainActor
  final class RangeController {
    private let resultsObserver: ResultsObserver<Trip, Never>
    @ObservationIgnored private var token: ObservationTracking.Token?
    private(set) var range: ClosedRange<Int>?

    init(modelContext: ModelContext) throws {
      resultsObserver = try ResultsObserver<Trip, Never>(modelContext: modelContext)
      token = withContinuousObservation(options: [.didSet]) { [weak self] event in
        guard let self else { return }
        range = calculateRange(trips: resultsObserver.results)
      }
    }

    private func calculateRange(trips: some Collection<Trip>) -> ClosedRange<Int>? {
      guard let least = trips.map(\.days).min(), let most = trips.map(\.days).max() else { return nil }
      return least...most
    }
  }

  @Test("A controller recomputes a value whenever the models change")
  func rangeController() async throws {
    let container = try makePlannedTrips()
    weak var released: RangeController?
    do {
      let controller = try RangeController(modelContext: container.mainContext)
      released = controller
      #expect(await comesTrue { controller.range == 1...5 })
      container.mainContext.insert(Trip(destination: "Lima", days: 9))
      #expect(await comesTrue { controller.range == 1...9 })
      let other = ModelContext(container)
      try container.mainContext.save()
      try other.delete(model: Trip.self, where: #Predicate { $0.days < 3 })
      try other.save()
      #expect(await comesTrue { controller.range == 3...9 })
    }
    #expect(await comesTrue { released == nil })
  }

  /// Caches totals, which changes of a model's property affect as well.
  @Observable
  @MainActor
  final class PagesSummary {
    private let observer: ResultsObserver<Book, Never>?
    @ObservationIgnored private var token: ObservationTracking.Token?
    var totalPages = 0
    var longBooks: [Book] = []

    init(modelContext: ModelContext) throws {
      observer = try ResultsObserver(modelContext: modelContext)
      token = withContinuousObservation(options: [.didSet]) { [weak self] _ in
        self?.updateSummary()
      }
    }

    private func updateSummary() {
      guard let observer else { return }
      let books = observer.results
      totalPages = books.reduce(0) { $0 + $1.pages }
      longBooks = books.filter { $0.pages > 300 }
    }
  }

  @Test("A summary follows the values of the models that it has read")
  func pagesSummary() async throws {
    let summary = try PagesSummary(modelContext: context)
    #expect(await comesTrue { summary.totalPages == 804 })
    #expect(summary.longBooks.map(\.title) == ["Emma"])
    try #require(context.fetch(FetchDescriptor<Book>()).first { $0.title == "Leaflet" }).pages = 304
    #expect(await comesTrue { summary.totalPages == 1104 })
    #expect(summary.longBooks.count == 2)
  }

  @Test("The second type of an observer says whether it has sections")
  func typedObservers() throws {
    let flat = try ResultsObserver<Book, Never>(
      filterBy: #Predicate { $0.pages > 100 },
      sortBy: [SortDescriptor(\.title)],
      modelContext: context
    )
    let sectioned = try ResultsObserver<Book, String>(
      sectionBy: \.title,
      modelContext: context
    )
    #expect(flat.results.map(\.title) == ["Dubliners", "Emma", "Persuasion"])
    #expect(flat.sections == nil)
    #expect(sectioned.sections?.sectionTitles == ["Dubliners", "Emma", "Leaflet", "Persuasion"])
  }

  @Test("The types of an observer are inferred from its arguments, including a related model's title")
  func inferredObservers() throws {
    let open = try ResultsObserver(
      filterBy: #Predicate<Book> { $0.author == nil }, sortBy: [SortDescriptor(\.title)], modelContext: context)
    #expect(open.results.map(\.title) == ["Leaflet"])
    let byAuthor = try ResultsObserver(
      sortBy: [SortDescriptor(\Book.pages)], sectionBy: \Book.author?.name, modelContext: context)
    #expect(byAuthor.sections?.map(\.title) == ["", "Austen", "Joyce"])
    #expect(byAuthor.sections?["Austen"] == ["Persuasion", "Emma"])
  }

  /// Searches while a person types.
  @Observable
  @MainActor
  final class BookSearch {
    private static let matchesNothing = #Predicate<Book> { _ in false }
    private let matches: ResultsObserver<Book, Never>?
    private(set) var error: (any Error)?
    var searchText = "" {
      didSet { applySearchText() }
    }

    var found: [String] { matches.map { $0.results.map(\.title) } ?? [] }

    init(modelContext: ModelContext) {
      do {
        matches = try ResultsObserver(
          filterBy: Self.matchesNothing, sortBy: [SortDescriptor(\.title)], modelContext: modelContext)
      } catch {
        matches = nil
        self.error = error
      }
    }

    private func applySearchText() {
      matches?.filterBy =
        searchText.count < 2 ? Self.matchesNothing : Book.predicate(searchText: searchText, minimumPages: 0)
    }
  }

  @Test("A search sets the condition of its observer")
  func bookSearch() throws {
    let search = BookSearch(modelContext: context)
    #expect(search.error == nil)
    #expect(search.found.isEmpty)
    let counter = Counter()
    withObservationTracking {
      _ = search.found
    } onChange: {
      counter.add()
    }
    search.searchText = "le"
    #expect(counter.count == 1)
    #expect(search.found == ["Leaflet"])
    search.searchText = "l"
    #expect(search.found.isEmpty)
    #expect(BookSearch(modelContext: ModelContext(try makeTrips())).error is SwiftDataError)
  }

  /// The data source of a table with sections.
  @MainActor
  final class TableSource {
    let observer: ResultsObserver<Trip, String>

    init(_ container: ModelContainer) throws {
      observer = try ResultsObserver(
        sortBy: [SortDescriptor(\.days)], sectionBy: \.destination, modelContext: container.mainContext)
    }

    var numberOfSections: Int { observer.sections?.count ?? 0 }

    func numberOfItems(inSection section: Int) -> Int { observer.sections?[section].count ?? 0 }

    func title(ofSection section: Int) -> String? { observer.sections?[section].title }

    func cell(at indexPath: IndexPath) -> String? { observer.element(at: indexPath).map { "\($0.days) days" } }
  }

  @Test("A table finds its cells by index path, and the index path of a model")
  func tableSource() throws {
    let source = try TableSource(makePlannedTrips())
    let table = (0..<source.numberOfSections).map { section in
      [source.title(ofSection: section)]
        + (0..<source.numberOfItems(inSection: section)).map { source.cell(at: IndexPath(indexes: [section, $0])) }
    }
    #expect(table == [["Bonn", "5 days"], ["Oslo", "2 days"], ["Rome", "1 days", "3 days"]])
    let trip = try #require(source.observer.element(at: [2, 0]))
    trip.days = 4
    #expect(source.observer.indexPath(for: trip) == [2, 1])
    trip.destination = "Ahlen"
    #expect(source.observer.indexPath(for: trip) == [0, 0])
  }

  // MARK: Observations

  /// Calls a closure after changes of two types of models, and not at first.
  @MainActor
  final class LibraryWatch {
    private var books: ResultsObserver<Book, Never>?
    private var authors: ResultsObserver<Author, Never>?
    private var token: ObservationTracking.Token?

    init(context: ModelContext, onChange: @escaping @MainActor () -> Void) throws {
      books = try ResultsObserver(modelContext: context)
      authors = try ResultsObserver(modelContext: context)
      token = withContinuousObservation(options: .didSet) { [weak self] event in
        guard let self else { return }
        _ = books?.results
        _ = authors?.results
        guard event.kind == .didSet else { return }
        onChange()
      }
    }

    func end() {
      token = nil
    }
  }

  @Test("A watch calls its closure after each turn with changes, until its token is released")
  func libraryWatch() async throws {
    var calls = 0
    let watch = try LibraryWatch(context: context) { calls += 1 }
    let first = try ResultsObserver<Book, Never>(modelContext: context)
    var looks = 0
    let token = withContinuousObservation(options: .didSet) { _ in looks += first.results.count > 0 ? 1 : 0 }
    #expect(await comesTrue { looks == 1 })
    #expect(calls == 0)
    context.insert(Author(name: "Woolf"))
    #expect(await comesTrue { calls == 1 })
    context.insert(Book(isbn: "1", title: "Orlando"))
    context.insert(Book(isbn: "2", title: "The Waves"))
    #expect(await comesTrue { calls == 2 })
    #expect(await comesTrue { looks == 2 })
    watch.end()
    context.insert(Book(isbn: "3", title: "Flush"))
    #expect(await comesTrue { looks == 3 })
    #expect(calls == 2)
    token.cancel()
  }

  /// Shows the results, and again after each change.
  @MainActor
  final class Screen {
    private let observer: ResultsObserver<Book, Never>
    private(set) var shown: [[String]] = []

    init(_ observer: ResultsObserver<Book, Never>) {
      self.observer = observer
      render()
    }

    private func render() {
      withObservationTracking {
        shown.append(observer.results.map(\.title))
      } onChange: { [weak self] in
        Task { @MainActor in self?.render() }
      }
    }
  }

  @Test("A screen that tracks its results again after each change shows all changes")
  func screen() async throws {
    let observer = try ResultsObserver<Book, Never>(
      filterBy: #Predicate { $0.pages > 200 }, sortBy: [SortDescriptor(\.title)], modelContext: context)
    let screen = Screen(observer)
    #expect(screen.shown == [["Emma", "Persuasion"]])
    context.insert(Book(isbn: "1", title: "Ulysses", pages: 700))
    #expect(await comesTrue { screen.shown.last == ["Emma", "Persuasion", "Ulysses"] })
    observer.sortBy = [SortDescriptor(\.title, order: .reverse)]
    #expect(await comesTrue { screen.shown.last == ["Ulysses", "Persuasion", "Emma"] })
  }

  /// A repository that publishes values of the models.
  @MainActor
  final class BookRepository {
    private let observer: ResultsObserver<Book, Never>

    init(_ context: ModelContext) throws {
      observer = try ResultsObserver(sortBy: [SortDescriptor(\Book.title)], modelContext: context)
    }

    func observeTitles() -> AsyncStream<[String]> {
      let observations = Observations { self.observer.results.map(\.title) }
      return AsyncStream { continuation in
        let task = Task {
          for await titles in observations { continuation.yield(titles) }
          continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }
  }

  @Test("A repository publishes the results as values, and again when they or their values change")
  func bookRepository() async throws {
    let repository = try BookRepository(context)
    var titles = repository.observeTitles().makeAsyncIterator()
    #expect(await titles.next() == ["Dubliners", "Emma", "Leaflet", "Persuasion"])
    context.insert(Book(isbn: "1", title: "Orlando"))
    #expect(await titles.next() == ["Dubliners", "Emma", "Leaflet", "Orlando", "Persuasion"])
    try #require(context.fetch(FetchDescriptor<Book>()).first { $0.title == "Orlando" }).title = "Flush"
    #expect(await titles.next()?.contains("Flush") == true)
  }
}

extension Book {
  /// The books with a text in their title and a minimum of pages.
  fileprivate static func predicate(searchText: String, minimumPages: Int) -> Predicate<Book> {
    #Predicate<Book> { book in
      (searchText.isEmpty || book.title.localizedStandardContains(searchText)) && book.pages >= minimumPages
    }
  }
}

extension SectionedResults<Book, String> {
  /// The titles of the books of a section.
  fileprivate subscript(_ title: String) -> [String]? { self[sectionTitle: title]?.map(\.title) }
}
