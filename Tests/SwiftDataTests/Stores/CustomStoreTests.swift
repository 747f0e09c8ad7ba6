import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Porter {
  var name: String
  @Relationship(inverse: nil) var burden: Burden

  init(_ name: String, _ burden: Burden) {
    self.name = name
    self.burden = burden
  }
}

@Model
final class Burden {
  var label = ""

  init(_ label: String) {
    self.label = label
  }
}

@Suite("Custom stores")
struct CustomStoreTests {
  private let folder: TemporaryFolder
  private let configuration: ArchiveConfiguration

  init() throws {
    folder = try TemporaryFolder()
    configuration = ArchiveConfiguration(url: folder.file("library.json"))
  }

  private func library() throws -> ModelContainer {
    try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
  }

  private func fill(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    let hesse = Author(name: "Hesse", born: 1877)
    let woolf = Author(name: "Woolf", born: 1882)
    context.insert(hesse)
    context.insert(woolf)
    for (index, title) in ["Demian", "Siddhartha", "Steppenwolf"].enumerated() {
      hesse.books.append(Book(isbn: "h\(index)", title: title, pages: 100 + index))
    }
    let waves = Book(isbn: "w0", title: "The Waves", pages: 300, author: woolf)
    let novel = Tag("novel")
    waves.tags = [novel, Tag("modern")]
    hesse.books[1].tags = [novel]
    try context.save()
  }

  @Test("A custom store saves a graph, and another container reads it")
  func roundTrip() throws {
    try fill(library())
    let context = ModelContext(try library())
    let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
    #expect(authors.map(\.name) == ["Hesse", "Woolf"])
    #expect(authors.map(\.born) == [1877, 1882])
    #expect(authors[0].books.map(\.title) == ["Demian", "Siddhartha", "Steppenwolf"])
    #expect(authors[0].books[1].tags.map(\.word) == ["novel"])
    #expect(authors[1].books[0].tags.map(\.word) == ["novel", "modern"])
    #expect(authors[0].books[0].author === authors[0])
    #expect(Set(authors[0].books[1].tags[0].books.map(\.isbn)) == ["h1", "w0"])
    #expect(!context.hasChanges)
  }

  @Test("A custom store saves models with their inherited properties")
  func inheritance() throws {
    func open() throws -> ModelContext {
      ModelContext(
        try ModelContainer(
          for: Trip.self, BusinessTrip.self, ConferenceTrip.self, HolidayTrip.self, Traveller.self, Expense.self,
          FavouriteTrip.self, configurations: configuration))
    }
    let context = try open()
    let ada = Traveller("Ada")
    context.insert(ada)
    let trips = [
      Trip(destination: "Oslo", days: 3), BusinessTrip(destination: "Bern", purpose: "sale"),
      ConferenceTrip(destination: "Rome", talks: ["a", "b"]),
    ]
    for trip in trips { trip.traveller = ada }
    try context.save()
    let again = try open()
    let found = try again.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.destination, comparator: .lexical)]))
    #expect(found.map(\.destination) == ["Bern", "Oslo", "Rome"])
    #expect(found.map(\.days) == [1, 3, 1])
    #expect((found[0] as? BusinessTrip)?.purpose == "sale")
    #expect((found[2] as? ConferenceTrip)?.talks == ["a", "b"])
    #expect(found.allSatisfy { $0.traveller?.name == "Ada" })
    found[2].days = 9
    try again.save()
    #expect(try open().fetch(FetchDescriptor<ConferenceTrip>()).map(\.days) == [9])
  }

  @Test("Batched fetches and enumerations work with a custom store that neither filters nor sorts")
  func batches() throws {
    let container = try library()
    try fill(container)
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Book>(
      predicate: #Predicate { $0.pages > 100 }, sortBy: [SortDescriptor(\.pages, order: .reverse)])
    #expect(try context.fetch(descriptor, batchSize: 2).map(\.pages) == [300, 102, 101])
    #expect(try context.fetchIdentifiers(descriptor, batchSize: 2).count == 3)
    var pages: [Int] = []
    try context.enumerate(descriptor, batchSize: 2) { pages.append($0.pages) }
    descriptor.sortBy = []
    try context.enumerate(descriptor, batchSize: 1) { pages.append($0.pages) }
    #expect(pages.prefix(3) == [300, 102, 101] && pages.dropFirst(3).sorted() == [101, 102, 300])
  }

  @Test("Prefetching works with a custom store")
  func prefetching() throws {
    let container = try library()
    try fill(container)
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)])
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    var loads = 0
    context.relationshipLoadHandler = { _ in loads += 1 }
    let authors = try context.fetch(descriptor)
    #expect(authors.map { $0.books.map(\.title) }.first == ["Demian", "Siddhartha", "Steppenwolf"])
    #expect(authors.last?.books.map(\.isbn) == ["w0"])
    var books = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])
    books.relationshipKeyPathsForPrefetching = [\.tags, \.author]
    #expect(try context.fetch(books).map { $0.tags.map(\.word) }.last == ["novel", "modern"])
    #expect(loads == 0)
  }

  @Test("A custom store has permanent identifiers with keys of its own")
  func identifiers() throws {
    let container = try library()
    try fill(container)
    let context = ModelContext(container)
    let identifier = try #require(try context.fetchIdentifiers(FetchDescriptor<Tag>()).first)
    #expect(identifier.storeIdentifier == "library.json")
    #expect(!identifier.isTemporary)
    let data = try JSONEncoder().encode(identifier)
    #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: data) == identifier)
    #expect(String(decoding: data, as: UTF8.self).contains("isTemporary\":false"))
    let tag = try #require(context.model(for: identifier) as? Tag)
    #expect(["novel", "modern"].contains(tag.word))
    #expect(tag.persistentModelID == identifier)
    let isOneOfThem = FetchDescriptor<Tag>(predicate: #Predicate { $0.persistentModelID == identifier })
    #expect(try ModelContext(container).fetch(isOneOfThem).map(\.word) == [tag.word])
    #expect(try context.fetch(FetchDescriptor<Tag>()).contains { $0 === tag })
  }

  @Test("The context filters and sorts for a custom store that refuses to")
  func inMemory() throws {
    let container = try library()
    try fill(container)
    let context = ModelContext(container)
    _ = configuration.log.take()
    var descriptor = FetchDescriptor<Book>(
      predicate: #Predicate { $0.author?.name == "Hesse" && $0.pages > 100 },
      sortBy: [SortDescriptor(\.title, order: .reverse)])
    #expect(try context.fetch(descriptor).map(\.title) == ["Steppenwolf", "Siddhartha"])
    descriptor.fetchLimit = 1
    descriptor.fetchOffset = 1
    #expect(try context.fetch(descriptor).map(\.title) == ["Siddhartha"])
    #expect(try context.fetchCount(descriptor) == 1)
    #expect(try context.fetchIdentifiers(descriptor).count == 1)
    #expect(configuration.log.take().prefix(3) == ["fetch Book", "fetch Book", "fetch Book"])
    context.insert(Book(isbn: "h9", title: "Unsaved", pages: 900))
    #expect(try context.fetchCount(FetchDescriptor<Book>(predicate: #Predicate { $0.pages > 200 })) == 2)
  }

  @Test("A custom store that filters and sorts gets the descriptor's limit and offset")
  func limits() throws {
    var configuration = configuration
    configuration.abilities = .all
    let container = try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    try fill(container)
    var descriptor = FetchDescriptor<Book>()
    descriptor.fetchLimit = 2
    descriptor.fetchOffset = 1
    #expect(try ModelContext(container).fetch(descriptor).count == 2)
    #expect(try ModelContext(container).fetchCount(descriptor) == 2)
  }

  @Test("A custom store gets both sides of a changed relationship")
  func bothSides() throws {
    try fill(library())
    do {
      let context = ModelContext(try library())
      let book = try context.one(Book.self) { $0.isbn == "h1" }
      // The books of both authors are not read.
      book.author = try context.one(Author.self) { $0.name == "Woolf" }
      context.author = "mover"
      _ = configuration.log.take()
      try context.save()
      #expect(configuration.log.take().contains("save +0 ~3 -0 by mover"))
      #expect(!context.hasChanges)
    }
    let context = ModelContext(try library())
    #expect(try context.one(Author.self) { $0.name == "Hesse" }.books.map(\.isbn) == ["h0", "h2"])
    #expect(try context.one(Author.self) { $0.name == "Woolf" }.books.map(\.isbn) == ["w0", "h1"])
  }

  @Test("The context applies delete rules for a custom store")
  func deletion() throws {
    try fill(library())
    do {
      let context = ModelContext(try library())
      context.delete(try context.one(Author.self) { $0.name == "Hesse" })
      context.delete(try context.one(Tag.self) { $0.word == "modern" })
      try context.save()
    }
    let context = ModelContext(try library())
    #expect(try context.fetch(FetchDescriptor<Book>()).map(\.isbn) == ["w0"])
    #expect(try context.one(Book.self) { $0.isbn == "w0" }.tags.map(\.word) == ["novel"])
    #expect(try context.one(Tag.self) { $0.word == "novel" }.books.map(\.isbn) == ["w0"])
  }

  @Test("A custom store is not asked for deleted members")
  func oneWay() throws {
    let url = folder.file("music.json")
    func container() throws -> ModelContainer {
      try ModelContainer(for: Playlist.self, Track.self, configurations: ArchiveConfiguration(url: url))
    }
    do {
      let context = ModelContext(try container())
      let playlist = Playlist("p")
      context.insert(playlist)
      playlist.tracks = [Track("a"), Track("b")]
      playlist.favourite = playlist.tracks[0]
      try context.save()
      let other = ModelContext(context.container)
      other.delete(try other.one(Track.self) { $0.title == "a" })
      try other.save()
      context.processPendingChanges()
      #expect(playlist.tracks.map(\.title) == ["b"])
    }
    let context = ModelContext(try container())
    let playlist = try context.one(Playlist.self) { _ in true }
    #expect(playlist.tracks.map(\.title) == ["b"])
    #expect(playlist.favourite == nil)
  }

  @Test("A custom store saves values of every type")
  func everyType() throws {
    let url = folder.file("everything.json")
    func container() throws -> ModelContainer {
      try ModelContainer(for: Everything.self, Group.self, configurations: ArchiveConfiguration(url: url))
    }
    let context = ModelContext(try container())
    let saved = Everything("one", group: Group("g"))
    context.insert(saved)
    let friend = Everything("two", group: saved.group)
    friend.writeAll()
    friend.real = 0.1 + 0.2
    friend.followers = [saved]
    try context.save()
    let other = ModelContext(try container())
    let read = try other.one(Everything.self) { $0.text == "one" }
    #expect(read.large == .max)
    #expect(read.decimal == 2)
    #expect(read.date == saved.date)
    #expect(read.identifier == saved.identifier)
    #expect(read.data == saved.data)
    #expect(read.url == saved.url)
    #expect(read.colour == .red)
    #expect(read.shape == .circle(radius: 1))
    #expect(read.address == Place(street: "s", zip: 1))
    #expect(read.list == ["a"] && read.set == [1] && read.table == ["a": 1])
    #expect(read.optional == nil)
    #expect(read.group.name == "g")
    #expect(read.friends.map(\.text) == ["x"])
    #expect(read.friends[0].real == 0.1 + 0.2)
    #expect(read.friends[0].optional == friend.date)
    #expect(read.note == "n")
  }

  @Test("Saves to a custom store send change notifications to other contexts")
  func otherContexts() throws {
    let container = try library()
    try fill(container)
    let (left, right) = (ModelContext(container), ModelContext(container))
    let seen = try left.one(Author.self) { $0.name == "Woolf" }
    #expect(seen.books.count == 1)
    let changed = try right.one(Author.self) { $0.name == "Woolf" }
    changed.name = "Virginia Woolf"
    changed.books.append(Book(isbn: "w1", title: "Orlando"))
    try right.save()
    left.processPendingChanges()
    #expect(seen.name == "Virginia Woolf")
    #expect(seen.books.map(\.isbn) == ["w0", "w1"])
  }

  @Test("A failed save of a custom store leaves all changes pending")
  func failure() throws {
    let container = try library()
    let context = ModelContext(container)
    let tag = Tag("a")
    context.insert(tag)
    ArchiveStore.isFull.withLock { _ = $0.insert(configuration.url) }
    #expect(throws: ArchiveError.full) { try context.save() }
    #expect(context.insertedModelsArray.count == 1)
    #expect(tag.persistentModelID.isTemporary)
    ArchiveStore.isFull.withLock { _ = $0.remove(configuration.url) }
    try context.save()
    #expect(!tag.persistentModelID.isTemporary)
    tag.word = "b"
    context.rollback()
    #expect(tag.word == "a")
    try container.erase()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tag>()) == 0)
  }

  @Test("A custom store gets no identifier of a target that was deleted before its first save")
  func deletedTarget() throws {
    func open() throws -> ModelContainer {
      try ModelContainer(for: Playlist.self, Track.self, Porter.self, Burden.self, configurations: configuration)
    }
    let context = ModelContext(try open())
    let list = Playlist("p")
    context.insert(list)
    let (kept, dropped) = (Track("kept"), Track("dropped"))
    list.tracks = [dropped, kept]
    list.favourite = dropped
    context.delete(dropped)
    try context.save()
    #expect(list.favourite == nil)
    #expect(list.tracks.map(\.title) == ["kept"])
    let stored = try ModelContext(open()).only(Playlist.self)
    #expect(stored.favourite == nil)
    #expect(stored.tracks.map(\.title) == ["kept"])
    let burden = Burden("light")
    context.insert(Porter("Pat", burden))
    context.delete(burden)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details?.issues.map(\.property) == ["burden"])
  }

  @Test("A custom store gets no placeholder identifier of a missing target")
  func missingTarget() throws {
    func open() throws -> ModelContainer {
      try ModelContainer(for: Porter.self, Burden.self, configurations: configuration)
    }
    let filling = ModelContext(try open())
    let porter = Porter("Pat", Burden("heavy"))
    filling.insert(porter)
    try filling.save()
    let context = ModelContext(try open())
    let held = try context.only(Porter.self)
    let other = ModelContext(try open())
    other.delete(try other.only(Burden.self))
    try other.save()
    #expect(held.burden.label == "")
    held.name = "Pit"
    try context.save()
    let reading = ModelContext(try open())
    let read = try reading.only(Porter.self)
    #expect(read.name == "Pit")
    #expect(read.burden.label == "")
    read.name = "Pot"
    try reading.save()
    #expect(try ModelContext(open()).only(Porter.self).name == "Pot")
  }

  @Test("A custom store is notified of new and released contexts")
  func lifecycle() throws {
    let container = try library()
    _ = configuration.log.take()
    do {
      let context = ModelContext(container)
      #expect(configuration.log.take() == ["initialize"])
      _ = context
    }
    #expect(configuration.log.take() == ["invalidate"])
  }

  @Test("A custom store and a SQLite store can be used in one container")
  func mixed() throws {
    let sqlite = ModelConfiguration(schema: Schema([Track.self]), url: folder.file())
    var archive = configuration
    archive.schema = Schema([Author.self])
    let container = try ModelContainer(
      for: Schema([Author.self, Track.self]), configurations: [sqlite, archive])
    let context = ModelContext(container)
    context.insert(Track("t"))
    context.insert(Author(name: "a"))
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Track>()).count == 1)
    #expect(try context.fetch(FetchDescriptor<Author>()).count == 1)
    #expect(container.configurations.map(\.name) == ["test"])
    #expect(container.configurationName(forStoreIdentifier: "library.json") == "archive")
  }

  @Test("A container reports why a custom store cannot be opened")
  func opening() throws {
    #expect(throws: ArchiveError.notJSON) {
      try ModelContainer(for: Tag.self, configurations: ArchiveConfiguration(url: folder.file("tags.xml")))
    }
    try Data("[{}]".utf8).write(to: configuration.url)
    let error = #expect(throws: SwiftDataError.self) { try library() }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.details?.underlyingError is DecodingError)
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(
        for: Tag.self, configurations: configuration, ArchiveConfiguration(url: folder.file("other.json")))
    }
  }

  @Test("A custom store may have its own type of snapshots")
  func ownSnapshots() throws {
    let container = try ModelContainer(for: Track.self, Tag.self, configurations: CardIndexConfiguration())
    let context = ModelContext(container)
    context.insert(Track("a"))
    context.insert(Track("b"))
    try context.save()
    let tracks = try ModelContext(container).fetch(FetchDescriptor<Track>(sortBy: [SortDescriptor(\.title)]))
    // The store capitalizes titles, and the saving context refreshes them.
    #expect(tracks.map(\.title) == ["A", "B"])
    #expect(tracks.map { $0.persistentModelID.entityName } == ["Track", "Track"])
    #expect(try context.fetch(FetchDescriptor<Track>(sortBy: [SortDescriptor(\.title)])).map(\.title) == ["A", "B"])
  }

  @Test(
    "Invalid results of a custom store are reported with the entity",
    arguments: CardIndexConfiguration.Fault.allCases)
  func invalidResults(fault: CardIndexConfiguration.Fault) throws {
    let container = try ModelContainer(for: Track.self, Tag.self, configurations: CardIndexConfiguration(fault: fault))
    let context = ModelContext(container)
    context.insert(Track("a"))
    let error = #expect(throws: SwiftDataError.self) {
      try context.save()
      _ = try ModelContext(container).fetch(FetchDescriptor<Track>())
    }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.entity == (fault == .wrongEntity ? "Tag" : "Track"))
  }
}

extension ModelContext {
  /// The only model that satisfies `isWanted`.
  fileprivate func one<Model: PersistentModel>(_ type: Model.Type, _ isWanted: (Model) -> Bool) throws -> Model {
    let found = try fetch(FetchDescriptor<Model>()).filter(isWanted)
    try #require(found.count == 1)
    return found[0]
  }
}

// MARK: A store with its own type of snapshots

struct CardIndexConfiguration: DataStoreConfiguration {
  typealias Store = CardIndex

  enum Fault: CaseIterable {
    case wrongType, wrongEntity, foreignIdentifier, noPermanentIdentifier
  }

  var name = "cards"
  var schema: Schema?
  var fault: Fault?
}

struct Card: DataStoreSnapshot {
  var persistentIdentifier: PersistentIdentifier
  var title: String
  var number: Int?

  init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]) {
    guard let identifier = backingData.persistentModelID, let backingData = backingData as? any BackingData<Track>
    else { fatalError("A card is of a track that a context knows") }
    persistentIdentifier = identifier
    title = backingData.getValue(forKey: \.title)
  }

  func copy(
    persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Card {
    var copy = self
    copy.persistentIdentifier = persistentIdentifier
    return copy
  }

  enum CodingKeys: String, CodingKey {
    case persistentIdentifier, title
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    if let number {
      try container.encode(number, forKey: .modeledProperty("title"))
    } else {
      try container.encode(title, forKey: .modeledProperty("title"))
    }
  }
}

final class CardIndex: DataStore {
  let configuration: CardIndexConfiguration
  let schema: Schema
  let identifier = "cards"
  private var cards: [Card] = []

  init(_ configuration: CardIndexConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = try #require(configuration.schema)
  }

  func fetch<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Card> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: cards)
  }

  func save(_ request: DataStoreSaveChangesRequest<Card>) throws -> DataStoreSaveChangesResult<Card> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    var changed: [PersistentIdentifier: Card] = [:]
    for card in request.inserted {
      let identifier = try PersistentIdentifier.identifier(
        for: configuration.fault == .foreignIdentifier ? "others" : identifier,
        entityName: configuration.fault == .wrongEntity ? "Tag" : "Track", primaryKey: cards.count + 1)
      if configuration.fault != .noPermanentIdentifier { remapped[card.persistentIdentifier] = identifier }
      var copy = card.copy(persistentIdentifier: identifier, remappedIdentifiers: nil)
      copy.title = card.title.uppercased()
      if configuration.fault == .wrongType { copy.number = 1 }
      cards.append(copy)
      changed[identifier] = copy
    }
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped,
      snapshotsToReregister: configuration.fault == nil ? changed : [:])
  }
}
