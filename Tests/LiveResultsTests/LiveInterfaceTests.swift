import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// Uses the declarations of `ResultsObserver`, `SectionedResults`, `ResultsSection` and `Query` that no other test uses.
@Suite("The interface of live results")
@MainActor
struct LiveInterfaceTests {
  private let container: ModelContainer
  private let context: ModelContext

  /// Four songs that the tests select, and one that they do not.
  init() throws {
    container = try makeContainer(Song.self)
    context = container.mainContext
    context.autosaveEnabled = false
    for song in [
      Song("Echo", artist: "Ibis", album: "Reef", year: 2010),
      Song("Dew", artist: "Heron", year: 2001),
      Song("Aqua", artist: "Kite", album: "Lagoon", year: 2003),
      Song("Cloud", artist: "Heron", album: "Lagoon", year: 1999),
      Song("Breeze", artist: "Kite"),
    ] {
      context.insert(song)
    }
    try context.save()
  }

  static let selected = #Predicate<Song> { $0.title != "Echo" }

  static var latestThree: FetchDescriptor<Song> {
    var descriptor = FetchDescriptor(predicate: selected, sortBy: [SortDescriptor(\.year, order: .reverse)])
    descriptor.fetchLimit = 3
    return descriptor
  }

  // MARK: Observers

  private func expect(
    _ observer: ResultsObserver<Song, Never>, _ titles: String, hasNewContext: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(observer.results.map(\.title).joined(separator: " ") == titles, sourceLocation: location)
    #expect(observer.sections == nil, sourceLocation: location)
    #expect(observer.sectionBy == nil, sourceLocation: location)
    expectContext(of: observer, isNew: hasNewContext, at: location)
  }

  private func expect(
    _ observer: ResultsObserver<Song, String>, _ sections: String, by key: PartialKeyPath<Song>,
    hasNewContext: Bool = false, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(observer.sections?.summary == sections, sourceLocation: location)
    #expect(observer.sectionBy == key, sourceLocation: location)
    expectContext(of: observer, isNew: hasNewContext, at: location)
  }

  private func expectContext<Title>(
    of observer: ResultsObserver<Song, Title>, isNew: Bool, at location: SourceLocation
  ) {
    #expect(observer.modelContext.container === container, sourceLocation: location)
    #expect((observer.modelContext !== context) == isNew, sourceLocation: location)
  }

  @Test("An observer without sections fetches in a context, or in a new one of a container")
  func observesWithoutSections() throws {
    let latest = [SortDescriptor(\Song.year, order: .reverse)]
    expect(try ResultsObserver(fetchDescriptor: Self.latestThree, modelContainer: container), "Aqua Dew Cloud")
    expect(
      try ResultsObserver(filterBy: Self.selected, sortBy: latest, modelContainer: container), "Aqua Dew Cloud Breeze")
    expect(
      try ResultsObserver(sortBy: latest, modelContext: context, isolation: MainActor.shared),
      "Echo Aqua Dew Cloud Breeze", hasNewContext: false)
  }

  @Test("An observer with sections fetches in a context, or in a new one of a container")
  func observesSections() throws {
    let (artist, album) = (\Song.artist, \Song.album)
    let byTitle = [SortDescriptor(\Song.title)]
    let selected = Self.selected
    let latest = Self.latestThree

    let (titledByArtist, latestByArtist) = ("Heron: Cloud Dew, Kite: Aqua Breeze", "Heron: Dew Cloud, Kite: Aqua")
    expect(
      try ResultsObserver(fetchDescriptor: latest, sectionBy: artist, modelContext: context), latestByArtist, by: artist
    )
    expect(
      try ResultsObserver(fetchDescriptor: latest, sectionBy: artist, modelContainer: container), latestByArtist,
      by: artist, hasNewContext: true)
    expect(
      try ResultsObserver(filterBy: selected, sortBy: byTitle, sectionBy: artist, modelContainer: container),
      titledByArtist, by: artist, hasNewContext: true)

    let (titledByAlbum, latestByAlbum) = (": Breeze Dew, Lagoon: Aqua Cloud", ": Dew Breeze, Lagoon: Aqua")
    expect(
      try ResultsObserver(fetchDescriptor: latest, sectionBy: album, modelContext: context), latestByAlbum, by: album)
    expect(
      try ResultsObserver(fetchDescriptor: latest, sectionBy: album, modelContainer: container), latestByAlbum,
      by: album, hasNewContext: true)
    expect(
      try ResultsObserver(filterBy: selected, sortBy: byTitle, sectionBy: album, modelContext: context),
      titledByAlbum, by: album)
    expect(
      try ResultsObserver(filterBy: selected, sortBy: byTitle, sectionBy: album, modelContainer: container),
      titledByAlbum, by: album, hasNewContext: true)
  }

  @Test("An observer's fetch descriptor can be read, and reflects a new condition and order")
  func readsFetch() throws {
    let observer = try ResultsObserver(fetchDescriptor: Self.latestThree, sectionBy: \.artist, modelContext: context)
    let order = [SortDescriptor(\Song.artist), SortDescriptor(\Song.year, order: .reverse)]
    #expect(observer.fetchDescriptor.fetchLimit == 3)
    #expect(observer.fetchDescriptor.sortBy == order)
    #expect(observer.sortBy == order)
    let songs = try context.fetch(FetchDescriptor<Song>(sortBy: [SortDescriptor(\.title)]))
    #expect(try songs.map { try #require(observer.filterBy).evaluate($0) } == [true, true, true, true, false])

    let counter = Counter()
    withObservationTracking {
      _ = (observer.filterBy, observer.sortBy, observer.fetchDescriptor)
    } onChange: {
      counter.add()
    }
    observer.filterBy = #Predicate { $0.title == "Echo" }
    #expect(counter.count == 1)
    #expect(try songs.map { try #require(observer.filterBy).evaluate($0) } == [false, false, false, false, true])
    observer.sortBy = []
    #expect(observer.fetchDescriptor.sortBy == [SortDescriptor(\Song.artist)])
    #expect(observer.fetchDescriptor.fetchLimit == 3)
  }

  @Test("Results and sections that are set are shown until the next change, and observed")
  func showsSetResults() throws {
    let observer = try ResultsObserver(
      filterBy: Self.selected, sortBy: [SortDescriptor(\.title)], sectionBy: \.artist, modelContext: context)
    let other = try ResultsObserver(
      filterBy: #Predicate { $0.title == "Echo" }, sectionBy: \Song.artist, modelContext: context)
    let observed: any Observable = observer
    #expect(observed is ResultsObserver<Song, String>)
    let (results, sections) = (Counter(), Counter())
    withObservationTracking {
      _ = observer.results
    } onChange: {
      results.add()
    }
    withObservationTracking {
      _ = observer.sections
    } onChange: {
      sections.add()
    }

    observer.results = other.results
    #expect((results.count, sections.count) == (1, 0))
    #expect(observer.results.map(\.title) == ["Echo"])
    #expect(observer.debugDescription == "ResultsObserver<Song>(1 results)")
    observer.sections = other.sections
    #expect((results.count, sections.count) == (1, 1))
    #expect(observer.sections?.summary == "Ibis: Echo")

    context.insert(Song("Fog", artist: "Heron"))
    #expect(observer.results.map(\.title) == ["Cloud", "Dew", "Fog", "Aqua", "Breeze"])
    #expect(observer.sections?.summary == "Heron: Cloud Dew Fog, Kite: Aqua Breeze")
    #expect(observer.debugDescription == "ResultsObserver<Song>(5 results)")
  }

  // MARK: Sections

  private func observeSections() throws -> SectionedResults<Song, String> {
    try #require(
      ResultsObserver(
        filterBy: Self.selected, sortBy: [SortDescriptor(\.title)], sectionBy: \.artist, modelContext: context
      ).sections)
  }

  @Test("Sectioned results are a collection of sections")
  func sectionedResults() throws {
    typealias Results = SectionedResults<Song, String>
    let results = try observeSections()
    let (start, end): (Results.Index, Results.Index) = (results.startIndex, results.endIndex)
    #expect((start, end) == (0, 2))
    let indices: Results.Indices = results.indices
    #expect(indices == 0..<2)
    #expect(Results.Indices.self == Range<Int>.self)
    var iterator: Results.Iterator = results.makeIterator()
    #expect(iterator.next()?.title == "Heron")
    #expect(iterator.next()?.title == "Kite")
    #expect(iterator.next() == nil)
    #expect(Results.Iterator.self == IndexingIterator<Results>.self)
    let last: Results.SubSequence = results.dropFirst()
    #expect(last.map(\.title) == ["Kite"])
    #expect(last[1] == results[1])
    #expect(Results.SubSequence.self == Slice<Results>.self)
    #expect(results.reversed().map(\.title) == ["Kite", "Heron"])

    #expect(results.contains(sectionTitle: "Kite"))
    #expect(!results.contains(sectionTitle: "Ibis"))
    #expect(results[sectionTitle: "Kite"] == results[1])
    #expect(results.index(ofSectionTitled: "Kite") == 1)
    #expect(results.index(ofSectionTitled: "Ibis") == nil)
  }

  @Test("A section is a collection of models")
  func section() throws {
    typealias Section = ResultsSection<Song, String>
    let section: Section = try observeSections()[1]
    let id: Section.ID = section.id
    #expect((id, section.title) == ("Kite", "Kite"))
    let (start, end): (Section.Index, Section.Index) = (section.startIndex, section.endIndex)
    #expect((start, end) == (0, 2))
    #expect((section[0].title, section[1].title) == ("Aqua", "Breeze"))
    let indices: Section.Indices = section.indices
    #expect(indices == 0..<2)
    #expect(Section.Indices.self == Range<Int>.self)
    var iterator: Section.Iterator = section.makeIterator()
    #expect(iterator.next() === section[0])
    #expect(iterator.next() === section[1])
    #expect(iterator.next() == nil)
    #expect(Section.Iterator.self == IndexingIterator<Section>.self)
    let last: Section.SubSequence = section.suffix(1)
    #expect(last[1] === section[1])
    #expect(Section.SubSequence.self == Slice<Section>.self)
    #expect(section.reversed().map(\.title) == ["Breeze", "Aqua"])
  }

  // MARK: Queries

  private func expect(
    _ titles: String, sections: String? = nil, _ queries: Query<Song, [Song]>...,
    at location: SourceLocation = #_sourceLocation
  ) {
    for query in queries {
      #expect(query.wrappedValue.map(\.title).joined(separator: " ") == titles, sourceLocation: location)
      if let sections { #expect(query.sections.summary == sections, sourceLocation: location) }
    }
  }

  private func expect(
    sections: String, _ queries: Query<Song, SectionedResults<Song, String>>...,
    at location: SourceLocation = #_sourceLocation
  ) {
    for query in queries {
      #expect(query.wrappedValue.summary == sections, sourceLocation: location)
      #expect(query.sections == query.wrappedValue, sourceLocation: location)
    }
  }

  @Test("A query without sections has its models in order")
  func queries() {
    let selected = Self.selected
    let oldest = [SortDescriptor(\Song.year)]
    withModelContainer(container) {
      expect(
        "Dew Cloud Breeze Aqua",
        Query(filter: selected, sort: \.title, order: .reverse, animation: .default),
        Query(filter: selected, sort: \.title, order: .reverse, transaction: .init()))
      expect(
        "Aqua Dew Cloud Breeze",
        Query(filter: selected, sort: \.year, order: .reverse, animation: .default),
        Query(filter: selected, sort: \.year, order: .reverse, transaction: .init()))
      expect(
        "Breeze Cloud Dew Aqua",
        Query(filter: selected, sort: oldest, animation: .default),
        Query(filter: selected, sort: oldest, transaction: .init()))
      expect(
        "Aqua Dew Cloud",
        Query(Self.latestThree, animation: .default),
        Query(Self.latestThree, transaction: .init()))
    }
  }

  @Test("A query with sections has its sections in order")
  func queriesWithSections() {
    let selected = Self.selected
    let oldest = [SortDescriptor(\Song.year)]
    withModelContainer(container) {
      expect(
        sections: "Heron: Dew Cloud, Kite: Breeze Aqua",
        Query(filter: selected, sort: \.title, order: .reverse, animation: .default, sectionBy: \.artist),
        Query(filter: selected, sort: \.title, order: .reverse, transaction: .init(), sectionBy: \.artist))
      expect(
        sections: "Heron: Dew Cloud, Kite: Aqua Breeze",
        Query(filter: selected, sort: \.year, order: .reverse, animation: .default, sectionBy: \.artist),
        Query(filter: selected, sort: \.year, order: .reverse, transaction: .init(), sectionBy: \.artist))
      expect(
        sections: "Heron: Cloud Dew, Kite: Breeze Aqua",
        Query(filter: selected, sort: oldest, animation: .default, sectionBy: \.artist),
        Query(filter: selected, sort: oldest, transaction: .init(), sectionBy: \.artist))
      expect(
        sections: "Heron: Dew Cloud, Kite: Aqua",
        Query(Self.latestThree, animation: .default, sectionBy: \.artist),
        Query(Self.latestThree, transaction: .init(), sectionBy: \.artist))

      expect(
        sections: ": Dew Breeze, Lagoon: Cloud Aqua",
        Query(filter: selected, sort: \.title, order: .reverse, animation: .default, sectionBy: \.album),
        Query(filter: selected, sort: \.title, order: .reverse, transaction: .init(), sectionBy: \.album))
      expect(
        sections: ": Dew Breeze, Lagoon: Aqua Cloud",
        Query(filter: selected, sort: \.year, order: .reverse, animation: .default, sectionBy: \.album),
        Query(filter: selected, sort: \.year, order: .reverse, transaction: .init(), sectionBy: \.album))
      expect(
        sections: ": Breeze Dew, Lagoon: Cloud Aqua",
        Query(filter: selected, sort: oldest, animation: .default, sectionBy: \.album),
        Query(filter: selected, sort: oldest, transaction: .init(), sectionBy: \.album))
      expect(
        sections: ": Dew Breeze, Lagoon: Aqua",
        Query(Self.latestThree, animation: .default, sectionBy: \.album),
        Query(Self.latestThree, transaction: .init(), sectionBy: \.album))
    }
  }

  /// The forms with sections that no other test has.
  @MainActor
  final class Sections {
    @Query(filter: selected, sort: \Song.title, order: .reverse, animation: .default, sectionBy: \.album)
    var titledAnimated: SectionedResults<Song, String>
    @Query(filter: selected, sort: \Song.title, order: .reverse, transaction: .init(), sectionBy: \.album)
    var titled: SectionedResults<Song, String>
    @Query(filter: selected, sort: \Song.year, animation: .default, sectionBy: \.artist)
    var datedAnimated: SectionedResults<Song, String>
    @Query(filter: selected, sort: \Song.year, transaction: .init(), sectionBy: \.artist)
    var dated: SectionedResults<Song, String>
    @Query(filter: selected, sort: \Song.year, order: .reverse, animation: .default, sectionBy: \.album)
    var datedAlbumsAnimated: SectionedResults<Song, String>
    @Query(filter: selected, sort: \Song.year, order: .reverse, transaction: .init(), sectionBy: \.album)
    var datedAlbums: SectionedResults<Song, String>
    @Query(filter: selected, sort: [SortDescriptor(\.year)], animation: .default, sectionBy: \.artist)
    var sortedAnimated: SectionedResults<Song, String>
    @Query(filter: selected, sort: [SortDescriptor(\.year)], animation: .default, sectionBy: \.album)
    var sortedAlbumsAnimated: SectionedResults<Song, String>
    @Query(filter: selected, sort: [SortDescriptor(\.year)], transaction: .init(), sectionBy: \.album)
    var sortedAlbums: SectionedResults<Song, String>
    @Query(latestThree, transaction: .init(), sectionBy: \.artist)
    var latest: SectionedResults<Song, String>
    @Query(latestThree, animation: .default, sectionBy: \.album)
    var latestAlbumsAnimated: SectionedResults<Song, String>
    @Query(latestThree, transaction: .init(), sectionBy: \.album)
    var latestAlbums: SectionedResults<Song, String>
  }

  @Test("Every form of the macro with sections has its sections in order")
  func macros() {
    let songs = withModelContainer(container) { Sections() }
    #expect(songs.titledAnimated.summary == ": Dew Breeze, Lagoon: Cloud Aqua")
    #expect(songs.titled.summary == ": Dew Breeze, Lagoon: Cloud Aqua")
    #expect(songs.datedAnimated.summary == "Heron: Cloud Dew, Kite: Breeze Aqua")
    #expect(songs.dated.summary == "Heron: Cloud Dew, Kite: Breeze Aqua")
    #expect(songs.datedAlbumsAnimated.summary == ": Dew Breeze, Lagoon: Aqua Cloud")
    #expect(songs.datedAlbums.summary == ": Dew Breeze, Lagoon: Aqua Cloud")
    #expect(songs.sortedAnimated.summary == "Heron: Cloud Dew, Kite: Breeze Aqua")
    #expect(songs.sortedAlbumsAnimated.summary == ": Breeze Dew, Lagoon: Cloud Aqua")
    #expect(songs.sortedAlbums.summary == ": Breeze Dew, Lagoon: Cloud Aqua")
    #expect(songs.latest.summary == "Heron: Dew Cloud, Kite: Aqua")
    #expect(songs.latestAlbumsAnimated.summary == ": Dew Breeze, Lagoon: Aqua")
    #expect(songs.latestAlbums.summary == ": Dew Breeze, Lagoon: Aqua")
  }

  // An addition of OpenSwiftData: Apple's initializers with sections make a query of sections only.
  @Test("A query of models with sections has the models in the order of the sections")
  func queriesModelsWithSections() {
    let selected = Self.selected
    let oldest = [SortDescriptor(\Song.year)]
    withModelContainer(container) {
      expect(
        "Dew Cloud Breeze Aqua", sections: "Heron: Dew Cloud, Kite: Breeze Aqua",
        Query(filter: selected, sort: \.title, order: .reverse, animation: .default, sectionBy: \.artist),
        Query(filter: selected, sort: \.title, order: .reverse, transaction: .init(), sectionBy: \.artist))
      expect(
        "Dew Cloud Aqua Breeze", sections: "Heron: Dew Cloud, Kite: Aqua Breeze",
        Query(filter: selected, sort: \.year, order: .reverse, animation: .default, sectionBy: \.artist),
        Query(filter: selected, sort: \.year, order: .reverse, transaction: .init(), sectionBy: \.artist))
      expect(
        "Cloud Dew Breeze Aqua", sections: "Heron: Cloud Dew, Kite: Breeze Aqua",
        Query(filter: selected, sort: oldest, animation: .default, sectionBy: \.artist),
        Query(filter: selected, sort: oldest, transaction: .init(), sectionBy: \.artist))
      expect(
        "Dew Cloud Aqua", sections: "Heron: Dew Cloud, Kite: Aqua",
        Query(Self.latestThree, animation: .default, sectionBy: \.artist),
        Query(Self.latestThree, transaction: .init(), sectionBy: \.artist))

      expect(
        "Dew Breeze Cloud Aqua", sections: ": Dew Breeze, Lagoon: Cloud Aqua",
        Query(filter: selected, sort: \.title, order: .reverse, animation: .default, sectionBy: \.album),
        Query(filter: selected, sort: \.title, order: .reverse, transaction: .init(), sectionBy: \.album))
      expect(
        "Dew Breeze Aqua Cloud", sections: ": Dew Breeze, Lagoon: Aqua Cloud",
        Query(filter: selected, sort: \.year, order: .reverse, animation: .default, sectionBy: \.album),
        Query(filter: selected, sort: \.year, order: .reverse, transaction: .init(), sectionBy: \.album))
      expect(
        "Breeze Dew Cloud Aqua", sections: ": Breeze Dew, Lagoon: Cloud Aqua",
        Query(filter: selected, sort: oldest, animation: .default, sectionBy: \.album),
        Query(filter: selected, sort: oldest, transaction: .init(), sectionBy: \.album))
      expect(
        "Dew Breeze Aqua", sections: ": Dew Breeze, Lagoon: Aqua",
        Query(Self.latestThree, animation: .default, sectionBy: \.album),
        Query(Self.latestThree, transaction: .init(), sectionBy: \.album))
    }
  }

  @Test("Updating a query notifies its observers of changes")
  func updates() {
    let query = withModelContainer(container) { Query<Song, [Song]>(filter: Self.selected, sort: \.title) }
    #expect(query.modelContext === context)
    let counter = Counter()
    withObservationTracking {
      #expect(query.wrappedValue.count == 4)
    } onChange: {
      counter.add()
    }
    context.insert(Song("Fog", artist: "Heron"))
    #expect(counter.count == 0)
    query.update()
    #expect(counter.count == 1)
    #expect(query.wrappedValue.count == 5)
  }

  @Test("A query can be sent to a task, including its fetch error")
  func isSent() async {
    let (query, failing) = withModelContainer(container) {
      (Query<Song, [Song]>(sort: \.title, sectionBy: \.artist), Query<Book, [Book]>(sort: \.title, sectionBy: \.isbn))
    }
    let titles = await Task.detached { await MainActor.run { query.sections.sectionTitles } }.value
    #expect(titles == ["Heron", "Ibis", "Kite"])
    let error = await Task.detached { await MainActor.run { failing.fetchError } }.value
    #expect(error is SwiftDataError)
    #expect(failing.wrappedValue.isEmpty)
    #expect(failing.sections.isEmpty)
  }
}

@Model
final class Song {
  var title: String
  var artist: String
  var album: String?
  var year: Int?

  init(_ title: String, artist: String, album: String? = nil, year: Int? = nil) {
    self.title = title
    self.artist = artist
    self.album = album
    self.year = year
  }
}

extension SectionedResults<Song, String> {
  /// The title of each section and the titles of its songs.
  fileprivate var summary: String {
    map { "\($0.title): \($0.map(\.title).joined(separator: " "))" }.joined(separator: ", ")
  }
}
