import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A music library")
struct MusicTests {
  private typealias Artist = MusicApp.Artist
  private typealias Album = MusicApp.Album
  private typealias Song = MusicApp.Song
  private typealias Playlist = MusicApp.Playlist
  private typealias Entry = MusicApp.Entry

  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Artist.self, Album.self, Song.self, Playlist.self, Entry.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let davis = Artist("Miles Davis", sortName: "Davis, Miles")
    let coltrane = Artist("John Coltrane", sortName: "Coltrane, John")
    let bjork = Artist("Björk")
    let silent = Artist("Silent")
    for artist in [davis, coltrane, bjork, silent] { context.insert(artist) }
    let blue = Album("Kind of Blue", by: davis, year: 1959, genre: .jazz, addedAt: Timeline.date(2024, 1, 1))
    let train = Album("Blue Train", by: coltrane, year: 1957, genre: .jazz, addedAt: Timeline.date(2024, 1, 2))
    let post = Album("Post", by: bjork, year: 1995, addedAt: Timeline.date(2024, 1, 2))
    let mix = Album("Mixtape", by: nil, genre: .rock, addedAt: Timeline.date(2024, 1, 3))
    for album in [blue, train, post, mix] { context.insert(album) }
    let day = Timeline.date(2024, 1, 1)
    let soWhat = Song("So What", track: 1, seconds: 562, plays: 12, rating: 5, addedAt: day)
    let freddie = Song("Freddie Freeloader", track: 2, seconds: 586, plays: 3, rating: 4, addedAt: day)
    let flamenco = Song("Flamenco Sketches", track: 1, seconds: 566, addedAt: Timeline.date(2024, 2, 1))
    flamenco.disc = 2
    blue.songs = [freddie, flamenco, soWhat]
    soWhat.guests = [coltrane]
    freddie.guests = [coltrane]
    let moment = Song("Moment's Notice", track: 1, seconds: 550, plays: 7, rating: 4, addedAt: day)
    train.songs = [moment]
    let hyperballad = Song("Hyperballad", track: 1, seconds: 321, plays: 7, addedAt: day)
    let army = Song("Army of Me", track: 2, seconds: 224, rating: 3, addedAt: Timeline.date(2024, 3, 1))
    post.songs = [hyperballad, army]
    let cover = Song("So what", track: 1, seconds: 200, plays: 1, addedAt: day)
    mix.songs = [cover]
    cover.guests = [bjork]
    soWhat.lastPlayed = Timeline.date(2024, 5, 1)
    hyperballad.lastPlayed = Timeline.date(2024, 4, 1)
    let night = Playlist("Night")
    for (position, song) in [soWhat, hyperballad, soWhat].enumerated() {
      context.insert(Entry(song, in: night, at: position))
    }
    context.insert(Playlist("Empty"))
    try context.save()
  }

  private func titles(
    _ predicate: Predicate<Song>, sortBy: [SortDescriptor<Song>] = [.init(\.title, comparator: .lexical)]
  ) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: sortBy)).map(\.title)
  }

  @Test("Songs are sorted by artist, year, disc and track")
  func order() throws {
    let order = [
      SortDescriptor(\Song.album?.artist?.sortName), SortDescriptor(\Song.album?.year), SortDescriptor(\Song.disc),
      SortDescriptor(\Song.track),
    ]
    let expected = [
      "So what", "Hyperballad", "Army of Me", "Moment's Notice", "So What", "Freddie Freeloader", "Flamenco Sketches",
    ]
    #expect(try titles(#Predicate { _ in true }, sortBy: order) == expected)
    let backwards = [SortDescriptor(\Song.album?.artist?.sortName, order: .reverse), SortDescriptor(\Song.title)]
    #expect(
      try titles(#Predicate { $0.track == 1 }, sortBy: backwards)
        == ["Flamenco Sketches", "So What", "Moment's Notice", "Hyperballad", "So what"])
  }

  @Test("Paging loses no song when several have equal sort keys")
  func pages() throws {
    var page = FetchDescriptor<Song>(sortBy: [SortDescriptor(\.playCount, order: .reverse)])
    page.fetchLimit = 3
    var seen: [PersistentIdentifier] = []
    var counts: [Int] = []
    for offset in stride(from: 0, to: 9, by: 3) {
      page.fetchOffset = offset
      let songs = try context.fetch(page)
      seen += songs.map(\.persistentModelID)
      counts += songs.map(\.playCount)
    }
    #expect(counts == [12, 7, 7, 3, 1, 0, 0])
    #expect(Set(seen).count == 7)
  }

  @Test(
    "Smart playlists are filled by their rules",
    arguments: [
      ([.ratedAtLeast(4)], true, ["Freddie Freeloader", "Moment's Notice", "So What"]),
      ([.neverPlayed], true, ["Army of Me", "Flamenco Sketches"]),
      ([.by("Miles Davis"), .longerThan(seconds: 565)], true, ["Flamenco Sketches", "Freddie Freeloader"]),
      ([.by("Björk"), .genre(.rock)], false, ["Army of Me", "Hyperballad", "So what"]),
      ([.genre(.jazz), .ratedAtLeast(4), .neverPlayed], true, []),
      (
        [], true,
        [
          "Army of Me", "Flamenco Sketches", "Freddie Freeloader", "Hyperballad", "Moment's Notice", "So What",
          "So what",
        ]
      ),
      ([], false, []),
    ] as [([MusicApp.Rule], Bool, [String])])
  func rules(rules: [MusicApp.Rule], matchesAll: Bool, expected: [String]) throws {
    context.insert(Playlist("Smart", rules: rules, matchesAll: matchesAll))
    try context.save()
    let stored = try #require(
      try ModelContext(context.container).fetch(
        FetchDescriptor<Playlist>(predicate: #Predicate { $0.name == "Smart" })
      ).first)
    #expect(stored.rules == rules)
    #expect(try titles(stored.predicate) == expected)
  }

  @Test("Generic code searches titles and lists new models of several types")
  func protocols() throws {
    context.allowsInMemoryEvaluation = true
    #expect(try context.fetch(Album.latest(2)).map(\.title) == ["Mixtape", "Blue Train"])
    #expect(try context.fetch(Song.latest(2)).map(\.title) == ["Army of Me", "Flamenco Sketches"])
    let albums = FetchDescriptor(predicate: Album.titled("BLUE"), sortBy: [SortDescriptor(\Album.title)])
    #expect(try context.fetch(albums).map(\.title) == ["Blue Train", "Kind of Blue"])
    #expect(try context.fetchCount(FetchDescriptor(predicate: Song.titled("so what"))) == 2)
  }

  @Test("Songs with guests are found, and artists by their instruments")
  func guests() throws {
    let name = "John Coltrane"
    #expect(
      try titles(#Predicate { song in song.guests.contains { $0.name == name } || song.album?.artist?.name == name })
        == ["Freddie Freeloader", "Moment's Notice", "So What"])
    func artists(_ predicate: Predicate<Artist>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.sortName)])).map(\.name)
    }
    #expect(
      try artists(
        #Predicate { artist in
          artist.albums.contains { album in album.songs.contains { $0.playCount > 6 } }
        }) == ["Björk", "John Coltrane", "Miles Davis"])
    #expect(
      try artists(
        #Predicate { artist in
          artist.albums.contains { album in
            album.songs.contains { song in song.guests.contains { !$0.albums.isEmpty } }
          }
        }) == ["Miles Davis"])
    #expect(try artists(#Predicate { $0.albums.isEmpty && $0.appearances.isEmpty }) == ["Silent"])
    #expect(try artists(#Predicate { $0.appearances.count > $0.albums.count }) == ["John Coltrane"])
  }

  @Test("Completely played albums are found, and albums of several artists")
  func albums() throws {
    func found(_ predicate: Predicate<Album>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
    }
    #expect(
      try found(#Predicate { album in album.songs.allSatisfy { $0.playCount > 0 } }) == ["Blue Train", "Mixtape"])
    #expect(
      try found(#Predicate { album in album.songs.filter { ($0.rating ?? 0) > 3 }.count > 1 }) == ["Kind of Blue"])
    #expect(try found(#Predicate { $0.artist == nil }) == ["Mixtape"])
    let genres: Set<MusicApp.Genre> = [.rock, .classical]
    #expect(
      try found(#Predicate { album in album.genre.flatMap { genres.contains($0) } ?? true }) == ["Mixtape", "Post"])
    let decade = 1950..<1960
    #expect(
      try found(
        #Predicate { album in if let year = album.year { decade.contains(year) } else { false } })
        == ["Blue Train", "Kind of Blue"])
  }

  @Test("Artists are ranked by plays, and duplicate titles are listed")
  func ranking() throws {
    let ranks = try context.fetchGroups(
      by: \Song.album?.artist, computing: .sum(of: \.playCount), .count,
      sortBy: [.init(.sum(of: \.playCount), order: .reverse), .init(.count)], limit: 3)
    #expect(ranks.map { $0.key?.name } == ["Miles Davis", "John Coltrane", "Björk"])
    #expect(ranks.map(\.values.0) == [15, 7, 7])
    let twice = try context.fetchGroups(
      by: \Entry.song?.title, computing: .count, having: #Predicate { $0 > 1 })
    #expect(twice.map(\.key) == ["So What"])
    let years = try context.fetchGroups(
      by: .value(of: #Expression<Album, Int> { ($0.year ?? 0) / 10 * 10 }), computing: .count)
    #expect(years.map(\.key) == [0, 1950, 1990])
    #expect(years.map(\.value) == [1, 2, 1])
  }

  @Test("The length of a playlist is computed, and songs without a playlist are found")
  func playlists() throws {
    let entries = FetchDescriptor<Entry>(
      predicate: #Predicate { $0.playlist?.name == "Night" }, sortBy: [SortDescriptor(\.position)])
    #expect(try context.fetch(entries).map { $0.song?.title } == ["So What", "Hyperballad", "So What"])
    let seconds = #Expression<Entry, Double> { $0.song?.seconds ?? 0 }
    #expect(try context.fetchAggregates(.sum(of: seconds), matching: entries) == 1445)
    #expect(
      try titles(#Predicate { $0.entries.isEmpty && $0.playCount > 0 })
        == ["Freddie Freeloader", "Moment's Notice", "So what"])
    let jazz = MusicApp.Genre.jazz
    let withJazz = FetchDescriptor<Playlist>(
      predicate: #Predicate { playlist in playlist.entries.contains { $0.song?.album?.genre == jazz } })
    #expect(try context.fetch(withJazz).map(\.name) == ["Night"])
    let total = try context.fetchGroups(by: \Entry.playlist?.name, computing: .distinctCount(of: \.song))
    #expect(total.map(\.value) == [2])
  }

  @Test("An error says that a transient property has no SQL")
  func transient() throws {
    let playing = FetchDescriptor<Song>(predicate: #Predicate { $0.isPlaying })
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(playing) }
  }

  @Test("Unsaved plays are counted")
  func pending() throws {
    let songs = try context.fetch(FetchDescriptor<Song>(predicate: #Predicate { $0.playCount == 0 }))
    for song in songs { song.playCount += 20 }
    var top = FetchDescriptor<Song>(
      predicate: #Predicate { $0.playCount > 3 },
      sortBy: [SortDescriptor(\.playCount, order: .reverse), SortDescriptor(\.title)])
    top.fetchLimit = 3
    #expect(try context.fetch(top).map(\.title) == ["Army of Me", "Flamenco Sketches", "So What"])
    top.fetchOffset = 2
    #expect(try context.fetch(top).map(\.title) == ["So What", "Hyperballad", "Moment's Notice"])
    #expect(try context.fetchAggregates(.sum(of: \Song.playCount)) == 70)
    let ranks = try context.fetchGroups(
      by: \Song.album?.title, computing: .sum(of: \.playCount), sortBy: [.init(.sum(of: \.playCount), order: .reverse)],
      limit: 2)
    #expect(ranks.map(\.key) == ["Kind of Blue", "Post"])
    #expect(ranks.map(\.value) == [35, 27])
  }
}
