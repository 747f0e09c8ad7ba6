import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Prefetched relationships")
struct PrefetchingTests {
  private let log = StatementLog()
  private let container: ModelContainer

  /// Three authors with four books each; each book has two of three shared tags.
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

  @Test("A to-many is prefetched with its members' rows, in one statement for all owners")
  func toMany() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)])
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    var authors: [Author] = []
    let fetching = try log.queries { authors = try context.fetch(descriptor) }
    #expect(fetching.count == 2)
    let walking = log.queries {
      #expect(titles(authors) == Array(repeating: (0..<4).map { "title \($0)" }, count: 3))
      #expect(authors.allSatisfy { author in author.books.allSatisfy { $0.author === author } })
    }
    #expect(walking.isEmpty)
  }

  @Test("A many-to-many is prefetched with members that several owners share")
  func manyToMany() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])
    descriptor.relationshipKeyPathsForPrefetching = [\.tags]
    var books: [Book] = []
    let fetching = try log.queries { books = try context.fetch(descriptor) }
    #expect(fetching.count == 2)
    let walking = log.queries {
      #expect(books[0].tags.map(\.word) == ["0", "1"])
      #expect(books[11].tags.map(\.word) == ["2", "0"])
      #expect(books[0].tags[0] === books[11].tags[1])
    }
    #expect(walking.isEmpty)
  }

  @Test("A to-one is prefetched, and relationships beyond it")
  func nestedToOne() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Book>()
    descriptor.relationshipKeyPathsForPrefetching = [\.author, \.author?.books]
    var books: [Book] = []
    let fetching = try log.queries { books = try context.fetch(descriptor) }
    #expect(fetching.count == 3)
    let walking = log.queries {
      #expect(books.allSatisfy { $0.author?.books.count == 4 })
      #expect(books.allSatisfy { $0.author?.born ?? 0 >= 1900 })
    }
    #expect(walking.isEmpty)
  }

  @Test("Prefetching keeps registered members and their changes")
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

  @Test("Prefetched members have their order in the list, not that of their rows")
  func order() throws {
    let context = ModelContext(container)
    let authors = try context.all(Author.self, by: \.name)
    authors[1].books.reverse()
    authors[2].books.insert(authors[0].books.removeLast(), at: 1)
    let book = try #require(authors[1].books.first)
    book.tags.reverse()
    try context.save()
    let expected = [
      ["title 0", "title 1", "title 2"], ["title 3", "title 2", "title 1", "title 0"],
      ["title 0", "title 3", "title 1", "title 2", "title 3"],
    ]
    #expect(titles(authors) == expected)

    let reader = ModelContext(container)
    var descriptor = FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)])
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    let read = try reader.fetch(descriptor)
    let walking = log.queries { #expect(titles(read) == expected) }
    #expect(walking.isEmpty)
    var books = FetchDescriptor<Book>(predicate: #Predicate { $0.isbn == "1-3" })
    books.relationshipKeyPathsForPrefetching = [\.tags]
    #expect(try reader.fetch(books).first?.tags.map(\.word) == ["2", "1"])
  }

  @Test("Prefetching applies pending changes of members")
  func pendingMembers() throws {
    let context = ModelContext(container)
    let books = try context.all(Book.self, by: \.isbn)
    let second = try #require(
      try context.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == "1" })).first)
    books[0].author = second
    context.delete(books[1])
    try context.delete(model: Book.self, where: #Predicate { $0.isbn == "2-3" })
    let added = Book(isbn: "new", title: "new", author: second)
    var descriptor = FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)])
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    let authors = try context.fetch(descriptor)
    #expect(
      authors.map { $0.books.map(\.isbn) } == [
        ["0-2", "0-3"], ["1-0", "1-1", "1-2", "1-3", "0-0", "new"], ["2-0", "2-1", "2-2"],
      ])
    #expect(added.author === second)
    context.rollback()
    #expect(try context.fetch(descriptor).map(\.books.count) == [4, 4, 4])
  }

  /// Authors with two books each, the second books written after all first ones.
  private func makeManyAuthors(_ count: Int) throws -> (ModelContainer, StatementLog) {
    let log = StatementLog()
    let container = try log.observe(makeLibrary)
    let context = ModelContext(container)
    let authors = (0..<count).map { Author(name: "\($0)", born: $0) }
    for part in 0..<2 {
      for (number, author) in authors.enumerated() {
        context.insert(Book(isbn: "\(number)-\(part)", title: "\(part)", pages: number, author: author))
      }
    }
    try context.save()
    return (container, log)
  }

  @Test(
    "Prefetching scans a table for most of its rows and looks up a few by key", arguments: [(0, true), (1_000, false)])
  func ways(first: Int, scans: Bool) throws {
    let (container, log) = try makeManyAuthors(1_300)
    var descriptor = FetchDescriptor<Author>(
      predicate: #Predicate { $0.born! >= first }, sortBy: [SortDescriptor(\.born, order: .reverse)])
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    let context = ModelContext(container)
    var authors: [Author] = []
    let statements = try log.queries { authors = try context.fetch(descriptor) }
    #expect(statements.filter { $0.contains("\"Book\"") }.count == 1)
    #expect(statements.contains { $0.contains("NOT INDEXED") } == scans)
    let walking = log.queries {
      #expect(authors.count == 1_300 - first)
      for (author, number) in zip(authors, (first..<1_300).reversed()) {
        #expect(author.books.map(\.isbn) == ["\(number)-0", "\(number)-1"])
      }
    }
    #expect(walking.isEmpty)
  }

  @Test("Reading relationships of prefetched members reads ahead")
  func walkingOn() throws {
    let (container, log) = try makeManyAuthors(1_000)
    var descriptor = FetchDescriptor<Author>(sortBy: [SortDescriptor(\.born)])
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    let context = ModelContext(container)
    let authors = try context.fetch(descriptor)
    let walking = log.queries {
      #expect(authors.allSatisfy { $0.books.allSatisfy { $0.tags.isEmpty } })
    }
    #expect(walking.count == 2)
  }

  @Test("Prefetching fires no fault of properties that the fetch left out")
  func partialOwners() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])
    descriptor.propertiesToFetch = [\.title]
    descriptor.relationshipKeyPathsForPrefetching = [\.tags, \.author]
    var books: [Book] = []
    let fetching = try log.queries { books = try context.fetch(descriptor) }
    #expect(fetching.count == 3 && !fetching.contains { $0.contains("pages") })
    let walking = log.queries {
      #expect(books.map(\.title) == (0..<3).flatMap { _ in (0..<4).map { "title \($0)" } })
      #expect(books.map { $0.author?.name } == (0..<3).flatMap { Array(repeating: "\($0)", count: 4) })
      #expect(books.allSatisfy { $0.tags.count == 2 })
    }
    #expect(walking.isEmpty)
    let reading = log.queries { #expect(books.map(\.pages) == (0..<3).flatMap { _ in Array(0..<4) }) }
    #expect(reading.count == 1)
  }

  @Test("Prefetching fires faults of registered targets")
  func unreadTargets() throws {
    let context = ModelContext(container)
    let identifiers = try context.fetchIdentifiers(FetchDescriptor<Author>())
    let unread = identifiers.map { context.model(for: $0) }
    var descriptor = FetchDescriptor<Book>()
    descriptor.relationshipKeyPathsForPrefetching = [\.author]
    var books: [Book] = []
    let fetching = try log.queries { books = try context.fetch(descriptor) }
    #expect(fetching.count == 2)
    let walking = log.queries { #expect(Set(books.map { $0.author?.name }) == ["0", "1", "2"]) }
    #expect(walking.isEmpty && unread.count == 3)
  }

  @Test("Enumerations prefetch relationships batch by batch")
  func enumeration() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Book>()
    descriptor.relationshipKeyPathsForPrefetching = [\.tags, \.author]
    var words: [[String]] = []
    let statements = try log.queries {
      try context.enumerate(descriptor, batchSize: 6) { book in
        words.append(book.tags.map(\.word))
        #expect(book.author != nil)
      }
    }
    #expect(words.count == 12 && words.allSatisfy { $0.count == 2 })
    #expect(statements.filter { $0.contains("FROM \"Book\"") }.count <= 5)
    #expect(statements.filter { $0.contains("Tag") }.count == 2)
    #expect(statements.filter { $0.contains("FROM \"Author\"") }.count == 2)
  }

  @Test("A to-one whose key is in the target's table is prefetched in one statement")
  func inverseReference() throws {
    let container = try log.observe {
      try ModelContainer(
        for: Citizen.self, Passport.self, Letter.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    let writer = ModelContext(container)
    for number in 0..<4 {
      writer.insert(Citizen("\(number)", passport: number == 2 ? nil : Passport(number)))
    }
    try writer.save()
    func check<T: PersistentModel>(_ keyPath: PartialKeyPath<T>, _ numbers: ([T]) -> [Int?], _ expected: [Int?]) throws
    {
      let context = ModelContext(container)
      var descriptor = FetchDescriptor<T>()
      descriptor.relationshipKeyPathsForPrefetching = [keyPath]
      var found: [T] = []
      let fetching = try log.queries { found = try context.fetch(descriptor) }
      #expect(fetching.count == 2)
      let walking = log.queries { #expect(numbers(found) == expected) }
      #expect(walking.isEmpty)
    }
    try check(\Citizen.passport, { $0.map { $0.passport?.number } }, [0, 1, nil, 3])
    try check(\Passport.holder, { $0.map { $0.holder.flatMap { Int($0.name) } } }, [0, 1, 3])
  }

  @Test("Owners and members of several classes are prefetched")
  func inheritance() throws {
    let container = try log.observe(makeTrips)
    let writer = ModelContext(container)
    let ada = Traveller("Ada")
    let business = BusinessTrip(destination: "Bonn", purpose: "sale")
    business.expenses = [Expense(1), Expense(2)]
    let conference = ConferenceTrip(destination: "Cork", talks: ["a", "b"])
    conference.expenses = [Expense(3)]
    ada.trips = [HolidayTrip(destination: "Delft", days: 7), conference, Trip(destination: "Aachen"), business]
    writer.insert(ada)
    try writer.save()

    let context = ModelContext(container)
    var travellers = FetchDescriptor<Traveller>()
    travellers.relationshipKeyPathsForPrefetching = [\.trips]
    var found: [Traveller] = []
    let fetching = try log.queries { found = try context.fetch(travellers) }
    #expect(fetching.count == 2)
    let walking = log.queries {
      let trips = found.flatMap(\.trips)
      #expect(trips.map { "\(type(of: $0))" } == ["HolidayTrip", "ConferenceTrip", "Trip", "BusinessTrip"])
      #expect((trips[1] as? ConferenceTrip)?.talks == ["a", "b"] && (trips[3] as? BusinessTrip)?.purpose == "sale")
    }
    #expect(walking.isEmpty)

    let other = ModelContext(container)
    var trips = FetchDescriptor<BusinessTrip>(sortBy: [SortDescriptor(\.destination)])
    trips.relationshipKeyPathsForPrefetching = [\.expenses, \.traveller]
    var business2: [BusinessTrip] = []
    let fetchingTrips = try log.queries { business2 = try other.fetch(trips) }
    #expect(fetchingTrips.count == 3)
    let walkingTrips = log.queries {
      #expect(business2.map { $0.expenses.map(\.amount) } == [[1, 2], [3]])
      #expect(business2.allSatisfy { $0.traveller?.name == "Ada" })
    }
    #expect(walkingTrips.isEmpty)
  }

  @Test("Prefetching a path that is no relationship fails, and the error names it")
  func attribute() throws {
    var descriptor = FetchDescriptor<Book>()
    descriptor.relationshipKeyPathsForPrefetching = [\.title]
    let error = #expect(throws: SwiftDataError.self) { try ModelContext(container).fetch(descriptor) }
    #expect(error == .unsupportedKeyPath)
    #expect(error.map { "\($0)" }?.contains("title") == true)
  }
}
