import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Three contexts change, save and roll back at random. Observers of one of them must equal a fetch, both when they follow
/// changed rows and when they fetch each time; and each difference must lead from the earlier results to the later ones.
@Suite("Live results of random changes")
@MainActor
struct RandomResultsTests {
  private final class Run {
    var random: SeededGenerator
    let contexts: [ModelContext]
    var observers: [(ResultsObserver<Book, Never>, FetchDescriptor<Book>)] = []
    var authors: [(ResultsObserver<Author, Never>, FetchDescriptor<Author>)] = []
    var sections: [ResultsObserver<Book, String>] = []
    /// Live queries that fetch each time.
    var references: [LiveQuery<Book>] = []
    var lists: [(list: FakeList<Book>, connection: ResultsConnection)] = []

    @MainActor
    init(seed: UInt64, _ library: ModelContainer, _ other: ModelContainer) throws {
      random = SeededGenerator(seed: seed)
      contexts = [library.mainContext, ModelContext(library), ModelContext(other)]
      contexts[0].autosaveEnabled = false
      for descriptor in Self.bookDescriptors {
        observers.append((try ResultsObserver(fetchDescriptor: descriptor, modelContext: contexts[0]), descriptor))
        references.append(try LiveQueries.query(descriptor, contexts[0], in: MainActor.shared, isFollowing: false))
        let list = FakeList()
        let shown = try ResultsObserver<Book, Never>(fetchDescriptor: descriptor, modelContext: contexts[0])
        lists.append((list, shown.connect(list)))
      }
      for descriptor in Self.authorDescriptors {
        authors.append((try ResultsObserver(fetchDescriptor: descriptor, modelContext: contexts[0]), descriptor))
      }
      sections.append(try ResultsObserver(sectionBy: \.title, modelContext: contexts[0]))
    }

    private static var bookDescriptors: [FetchDescriptor<Book>] {
      var page = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages, order: .reverse), SortDescriptor(\.title)])
      page.fetchLimit = 3
      page.fetchOffset = 2
      var first = FetchDescriptor<Book>(predicate: #Predicate { $0.pages < 7 }, sortBy: [SortDescriptor(\.title)])
      first.fetchLimit = 4
      var saved = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
      saved.includePendingChanges = false
      return [
        FetchDescriptor(), page, first, saved,
        FetchDescriptor(predicate: #Predicate { $0.pages > 4 }, sortBy: [SortDescriptor(\.title)]),
        FetchDescriptor(predicate: #Predicate { $0.author?.name == "b" }),
        FetchDescriptor(sortBy: [SortDescriptor(\.author?.name), SortDescriptor(\.pages)]),
        FetchDescriptor(predicate: #Predicate { $0.tags.isEmpty }),
        FetchDescriptor(predicate: #Predicate { $0.author == nil }),
        FetchDescriptor(predicate: #Predicate { $0.pages == 4 }),
        FetchDescriptor(
          predicate: #Predicate { $0.title == "b" && $0.pages > 2 }, sortBy: [SortDescriptor(\.pages)]),
      ]
    }

    private static var authorDescriptors: [FetchDescriptor<Author>] {
      [
        FetchDescriptor(predicate: #Predicate { $0.books.contains { $0.pages > 5 } }),
        FetchDescriptor(predicate: #Predicate { $0.books.count > 1 }, sortBy: [SortDescriptor(\.name)]),
        FetchDescriptor(predicate: #Predicate { $0.born == 2 }, sortBy: [SortDescriptor(\.name)]),
        FetchDescriptor(predicate: #Predicate { $0.born == nil }),
      ]
    }

    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    func text() -> String { ["a", "b", "c", "d"][number(4)] }

    func step() throws {
      let context = contexts[number(3)]
      let books = try context.fetch(FetchDescriptor<Book>())
      let authors = try context.fetch(FetchDescriptor<Author>())
      let book = books.isEmpty ? nil : books[number(books.count)]
      let author = authors.isEmpty ? nil : authors[number(authors.count)]
      switch number(14) {
      case 0, 1: context.insert(Book(isbn: "\(number(60))", title: text(), pages: number(9), author: author))
      case 2: context.insert(Author(name: text()))
      case 3: book?.title = text()
      case 4: book?.pages = number(9)
      case 5: book?.author = author
      case 6: if number(2) == 0 { author?.name = text() } else { author?.born = number(3) == 0 ? nil : number(3) }
      case 7: if let book { author?.books.append(book) }
      case 8: if let book { context.delete(book) }
      case 9: if number(3) == 0, let author { context.delete(author) }
      case 10:
        guard let book else { break }
        if book.tags.isEmpty { book.tags = [Tag(text())] } else { book.tags.removeLast() }
      case 11: if number(4) == 0 { context.rollback() }
      default:
        // A context may reference a model that another one has deleted.
        do { try context.save() } catch SwiftDataError.modelValidationFailure { context.rollback() }
      }
    }

    /// Whether the results equal a fetch already.
    @MainActor
    func isRight() throws -> Bool {
      let areBooksRight = try observers.indices.allSatisfy { number in
        let expected = try contexts[0].fetch(observers[number].1)
        lists[number].connection.update()
        return observers[number].0.results.elementsEqual(expected, by: ===)
          && lists[number].list.titles == expected.map(\.title)
      }
      return try areBooksRight
        && authors.allSatisfy { observer, descriptor in
          try observer.results.elementsEqual(contexts[0].fetch(descriptor), by: ===)
        }
    }

    @MainActor
    func check(_ place: String) throws {
      for (number, (observer, descriptor)) in observers.enumerated() {
        let expected = try contexts[0].fetch(descriptor)
        #expect(observer.results.elementsEqual(expected, by: ===), "books of descriptor \(number), \(place)")
        references[number].update()
        #expect(references[number].shown == observer.rows, "reference of descriptor \(number), \(place)")
        lists[number].connection.update()
        #expect(lists[number].list.rows.elementsEqual(expected, by: ===), "list of descriptor \(number), \(place)")
        #expect(lists[number].list.titles == expected.map(\.title), "titles of descriptor \(number), \(place)")
      }
      for (number, (observer, descriptor)) in authors.enumerated() {
        let expected = try contexts[0].fetch(descriptor)
        #expect(observer.results.elementsEqual(expected, by: ===), "authors of descriptor \(number), \(place)")
      }
      for observer in sections {
        let expected = SectionedResults(grouping: try contexts[0].fetch(observer.fetchDescriptor)) { $0.title }
        #expect(observer.sections == expected, "sections, \(place)")
      }
    }
  }

  @Test("After every change the results equal a fetch")
  func followsAnything() async throws {
    let seed = TestOptions.seed
    let library = try makeLibrary()
    let run = try Run(seed: seed, library, library)
    for step in 0..<TestOptions.randomOperations {
      try run.step()
      // Some changes come together.
      if run.number(3) > 0 { continue }
      try run.check("seed \(seed), step \(step)")
      // Other tests need the main actor too.
      await Task.yield()
    }
  }

  @Test("Results follow another container of the same file, as they follow another process")
  func followsOtherContainers() async throws {
    let seed = TestOptions.seed
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: folder.file())
    func open() throws -> ModelContainer {
      try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    }
    let run = try Run(seed: seed, try open(), try open())
    for step in 0..<TestOptions.randomOperations / 10 {
      for _ in 0..<1 + run.number(4) { try run.step() }
      for context in run.contexts[1...] where run.number(2) == 0 { context.rollback() }
      let isTrue = try await comesTrue { try run.isRight() }
      #expect(isTrue, "seed \(seed), step \(step)")
      try run.check("seed \(seed), step \(step)")
    }
  }

  @Test("Results of subclasses equal a fetch")
  func followsInheritance() async throws {
    let seed = TestOptions.seed
    var random = SeededGenerator(seed: seed)
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let trips = try makeTrips()
    let contexts = [trips.mainContext, ModelContext(trips)]
    contexts[0].autosaveEnabled = false
    let all = try ResultsObserver<Trip, Never>(
      filterBy: #Predicate { $0.days > 2 }, sortBy: [SortDescriptor(\.destination)], modelContext: contexts[0])
    let business = try ResultsObserver<BusinessTrip, Never>(
      sortBy: [SortDescriptor(\.days), SortDescriptor(\.purpose)], modelContext: contexts[0])
    let holidays = try ResultsObserver<HolidayTrip, Never>(
      filterBy: #Predicate { $0.budget > 2 || $0.traveller == nil }, modelContext: contexts[0])
    for step in 0..<TestOptions.randomOperations / 4 {
      let context = contexts[number(2)]
      let known = try context.fetch(FetchDescriptor<Trip>())
      let trip = known.isEmpty ? nil : known[number(known.count)]
      switch number(9) {
      case 0: context.insert(BusinessTrip(destination: "\(number(4))", purpose: "\(number(4))"))
      case 1: context.insert(HolidayTrip(destination: "\(number(4))", days: number(5)))
      case 2: context.insert(ConferenceTrip(destination: "\(number(4))", talks: []))
      case 3: trip?.days = number(5)
      case 4: trip?.destination = "\(number(4))"
      case 5: (trip as? HolidayTrip)?.budget = Double(number(5))
      case 6: trip?.traveller = trip?.traveller == nil ? Traveller("\(step)") : nil
      case 7: if let trip, number(2) == 0 { context.delete(trip) }
      default: do { try context.save() } catch SwiftDataError.modelValidationFailure { context.rollback() }
      }
      let place = "seed \(seed), step \(step)"
      #expect(try all.results.elementsEqual(contexts[0].fetch(all.fetchDescriptor), by: ===), "all, \(place)")
      let fetched = try contexts[0].fetch(business.fetchDescriptor)
      #expect(business.results.elementsEqual(fetched, by: ===), "business, \(place)")
      #expect(try holidays.results.elementsEqual(contexts[0].fetch(holidays.fetchDescriptor), by: ===), "\(place)")
      await Task.yield()
    }
  }
}
