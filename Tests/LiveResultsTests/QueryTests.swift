import Foundation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("Query")
@MainActor
struct QueryTests {
  /// Every form without sections.
  @MainActor
  final class Shelf {
    @Query var all: [Book]
    @Query(animation: .default) var animated: [Book]
    @Query(transaction: .init()) var inTransaction: [Book]
    @Query(filter: #Predicate<Book> { $0.pages > 100 }) var thick: [Book]
    @Query(sort: \Book.title) var byTitle: [Book]
    @Query(sort: \Book.title, order: .reverse, animation: .easeInOut(duration: 0.2)) var byTitleBackwards: [Book]
    @Query(sort: \Author.born) var byBirth: [Author]
    @Query(sort: \Author.born, order: .reverse, animation: .spring) var byBirthBackwards: [Author]
    @Query(sort: [SortDescriptor(\Book.pages), SortDescriptor(\Book.title)]) var sorted: [Book]
    @Query(sort: [SortDescriptor(\Book.pages)], animation: .snappy) var sortedAnimated: [Book]
    @Query(Shelf.firstTwo) var firstTwo: [Book]
    @Query(Shelf.firstTwo, animation: .bouncy) var firstTwoAnimated: [Book]

    static var firstTwo: FetchDescriptor<Book> {
      var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
      descriptor.fetchLimit = 2
      return descriptor
    }
  }

  private func makeFullLibrary() throws -> ModelContainer {
    let library = try makeLibrary()
    library.mainContext.autosaveEnabled = false
    for (title, pages) in [("Emma", 400), ("Dubliners", 150), ("Leaflet", 4)] {
      library.mainContext.insert(Book(isbn: title, title: title, pages: pages))
    }
    for (name, born) in [("Joyce", 1882), ("Austen", 1775), ("Anonymous", nil)] as [(String, Int?)] {
      library.mainContext.insert(Author(name: name, born: born))
    }
    return library
  }

  @Test("Every form has the results of a fetch")
  func finds() throws {
    let library = try makeFullLibrary()
    let shelf = withModelContainer(library) { Shelf() }
    for books in [shelf.all, shelf.animated, shelf.inTransaction] {
      #expect(books.map(\.title) == ["Emma", "Dubliners", "Leaflet"])
    }
    #expect(shelf.thick.map(\.title) == ["Emma", "Dubliners"])
    #expect(shelf.byTitle.map(\.title) == ["Dubliners", "Emma", "Leaflet"])
    #expect(shelf.byTitleBackwards.map(\.title) == ["Leaflet", "Emma", "Dubliners"])
    #expect(shelf.byBirth.map(\.name) == ["Anonymous", "Austen", "Joyce"])
    #expect(shelf.byBirthBackwards.map(\.name) == ["Joyce", "Austen", "Anonymous"])
    #expect(shelf.sorted.map(\.pages) == [4, 150, 400])
    #expect(shelf.sortedAnimated.map(\.pages) == [4, 150, 400])
    #expect(shelf.firstTwo.map(\.title) == ["Dubliners", "Emma"])
    #expect(shelf.firstTwoAnimated.map(\.title) == ["Dubliners", "Emma"])
    #expect(shelf._all.modelContext === library.mainContext)
    #expect(shelf._all.fetchError == nil)
  }

  @Test("A query follows changes, and notifies its observers")
  func follows() throws {
    let library = try makeFullLibrary()
    let shelf = withModelContainer(library) { Shelf() }
    let counter = Counter()
    withObservationTracking {
      _ = shelf.thick
    } onChange: {
      counter.add()
    }
    library.mainContext.insert(Book(isbn: "1", title: "Ulysses", pages: 700))
    #expect(shelf.thick.map(\.title) == ["Emma", "Dubliners", "Ulysses"])
    #expect(counter.count == 1)
  }

  /// Every form with sections.
  @MainActor
  final class Sections {
    @Query(sectionBy: \Trip.destination) var all: SectionedResults<Trip, String>
    @Query(sort: \Trip.days, sectionBy: \Trip.destination) var byDays: SectionedResults<Trip, String>
    @Query(sort: \Trip.days, order: .reverse, animation: .default, sectionBy: \Trip.destination)
    var byDaysBackwards: SectionedResults<Trip, String>
    @Query(filter: #Predicate<Trip> { $0.days > 1 }, sort: [SortDescriptor(\.days)], sectionBy: \.destination)
    var long: SectionedResults<Trip, String>
    @Query(FetchDescriptor<Trip>(), animation: .default, sectionBy: \.destination)
    var described: SwiftData.SectionedResults<Trip, String>
    @Query(sort: \Trip.days, sectionBy: \.destination) var plain: [Trip]
    @Query(sort: \OptionallyTitled.title, sectionBy: \.title) var titled: SectionedResults<OptionallyTitled, String>
  }

  @Test("Every form with sections has its sections")
  func findsSections() throws {
    let container = try makeTrips()
    container.mainContext.autosaveEnabled = false
    for (destination, days) in [("Rome", 3), ("Oslo", 2), ("Rome", 1)] {
      container.mainContext.insert(Trip(destination: destination, days: days))
    }
    let trips = withModelContainer(container) { Sections() }
    #expect(trips.all.sectionTitles == ["Oslo", "Rome"])
    #expect(trips.byDays.map { $0.map(\.days) } == [[2], [1, 3]])
    #expect(trips.byDaysBackwards.map { $0.map(\.days) } == [[2], [3, 1]])
    #expect(trips.long.map { $0.map(\.days) } == [[2], [3]])
    #expect(trips.described.sectionTitles == ["Oslo", "Rome"])
    #expect(trips.plain.map(\.days) == [2, 1, 3])
    #expect(trips._plain.sections.sectionTitles == ["Oslo", "Rome"])
    #expect(trips.titled.isEmpty)
    #expect(trips._titled.fetchError as? SwiftDataError == .unknownSchema)
  }

  /// An initializer that makes its query.
  struct Filtered {
    @Query var books: [Book]

    init(atLeast pages: Int, _ context: ModelContext) {
      _books = Query(filter: #Predicate { $0.pages >= pages }, sort: \.title, context: context)
    }
  }

  @Test("An initializer can set the query with a context")
  func isSet() throws {
    let library = try makeFullLibrary()
    #expect(Filtered(atLeast: 150, library.mainContext).books.map(\.title) == ["Dubliners", "Emma"])
  }

  @Test("Without a container a query has no models, and inserted ones cannot be saved")
  func findsNothingWithoutContainer() throws {
    let shelf = Shelf()
    #expect(shelf.all.isEmpty)
    #expect(shelf._all.fetchError as? SwiftDataError == .unknownSchema)
    let context = shelf._all.modelContext
    context.autosaveEnabled = false
    context.insert(Book(isbn: "1", title: "Emma"))
    #expect(throws: SwiftDataError.self) { try context.save() }
    context.rollback()
  }

  actor Librarian {
    @Query(sort: \Book.title) var books: [Book]

    var titles: [String] { books.map(\.title) }
  }

  @Test("An actor's query has a context of its own, and tasks inherit the container")
  func belongsToActor() async throws {
    let library = try makeFullLibrary()
    try library.mainContext.save()
    let librarian = await withModelContainer(library) { await Task { Librarian() }.value }
    #expect(await librarian.titles == ["Dubliners", "Emma", "Leaflet"])
    library.mainContext.insert(Book(isbn: "1", title: "Ulysses"))
    try library.mainContext.save()
    #expect(await librarian.titles == ["Dubliners", "Emma", "Leaflet", "Ulysses"])
  }

  @Test("An actor is released with its queries")
  func releasesActor() async throws {
    let library = try makeFullLibrary()
    weak var released: Librarian?
    do {
      let librarian = withModelContainer(library) { Librarian() }
      released = librarian
      _ = await librarian.titles
    }
    #expect(released == nil)
  }

  @Test("A query is released with its owner")
  func isReleased() throws {
    let library = try makeFullLibrary()
    weak var released: Book?
    do {
      let shelf = withModelContainer(library) { Shelf() }
      released = shelf.all.first
      #expect(released != nil)
    }
    library.mainContext.rollback()
    #expect(released == nil)
  }
}
