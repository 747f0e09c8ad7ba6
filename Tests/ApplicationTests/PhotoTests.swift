import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A photo catalogue")
struct PhotoTests {
  private typealias Asset = PhotoLibrary.Asset
  private typealias Video = PhotoLibrary.Video
  private typealias Album = PhotoLibrary.Album
  private typealias Face = PhotoLibrary.Face

  private let folder: TemporaryFolder
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    context = ModelContext(
      try ModelContainer(
        for: Asset.self, Video.self, Album.self, Face.self,
        configurations: ModelConfiguration(url: folder.file("photos.store"))))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let imported = Timeline.date(2024, 8, 1)
    let ada = Face("Ada")
    let ben = Face("Ben")
    let sea = Asset("sea.jpg", width: 4000, height: 3000, takenAt: Timeline.date(2023, 7, 1), importedAt: imported)
    sea.people = [ada, ben]
    sea.keywords = ["beach", "summer"]
    sea.place = .init(latitude: 54.1, longitude: 12.1)
    sea.exposure = .init(camera: "X100", iso: 200, aperture: 5.6)
    sea.rating = 5
    sea.original = Data(repeating: 7, count: 200_000)
    let hill = Asset(
      "hill.jpg", width: 3000, height: 4000, takenAt: Timeline.date(2023, 12, 31, 23), importedAt: imported)
    hill.people = [ada]
    hill.keywords = ["Winter"]
    hill.exposure = .init(camera: "X100", iso: 800, aperture: nil)
    hill.isFavorite = true
    let twin = Asset(
      "hill 2.jpg", width: 3000, height: 4000, takenAt: Timeline.date(2023, 12, 31, 23), importedAt: imported)
    let scan = Asset("oma.png", width: 1000, height: 1000, takenAt: nil, importedAt: imported, origin: .scan)
    scan.keywords = ["family", "summer"]
    scan.rating = 3
    let party = Video("party.mov", seconds: 95, takenAt: Timeline.date(2024, 1, 1), importedAt: imported)
    party.people = [ben]
    party.place = .init(latitude: 52.5, longitude: 13.4)
    let clip = Video("clip.mov", seconds: 4, takenAt: Timeline.date(2024, 2, 1), importedAt: imported)
    clip.hasSound = false
    for asset in [sea, hill, twin, scan, party, clip] { context.insert(asset) }
    let travel = Album("Travel")
    let baltic = Album("Baltic", parent: travel)
    let best = Album("Best of")
    for album in [travel, baltic, best, Album("Empty")] { context.insert(album) }
    baltic.assets = [sea]
    best.assets = [party, sea, hill]
    best.cover = hill
    try context.save()
  }

  private func names(_ predicate: Predicate<Asset>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.fileName)])).map(\.fileName)
  }

  private func albums(_ predicate: Predicate<Album>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
  }

  @Test("Photos without an album, in one, and in a nested album are found")
  func albums() throws {
    #expect(try names(#Predicate { $0.albums.isEmpty }) == ["clip.mov", "hill 2.jpg", "oma.png"])
    #expect(try names(#Predicate { $0.albums.count > 1 }) == ["sea.jpg"])
    let title = "Travel"
    #expect(
      try names(
        #Predicate { asset in asset.albums.contains { $0.title == title || $0.parent?.title == title } })
        == ["sea.jpg"])
    #expect(try albums(#Predicate { $0.assets.isEmpty && $0.children.isEmpty }) == ["Empty"])
    #expect(
      try albums(#Predicate { album in album.assets.allSatisfy { $0.rating > 4 } && !album.assets.isEmpty })
        == ["Baltic"])
    #expect(try albums(#Predicate { album in album.children.contains { !$0.assets.isEmpty } }) == ["Travel"])
    #expect(try albums(#Predicate { album in album.assets.contains { $0 is PhotoLibrary.Video } }) == ["Best of"])
    #expect(try albums(#Predicate { $0.cover?.isFavorite == true }) == ["Best of"])
  }

  @Test("Predicates of smart albums are combined")
  func smartAlbums() throws {
    let summer = Asset.keyworded(anyOf: ["summer", "beach"])
    let year = Asset.taken(in: Timeline.date(2023, 1, 1)..<Timeline.date(2024, 1, 1))
    let people = Asset.showing(allOf: ["Ada"])
    #expect(try names(summer) == ["oma.png", "sea.jpg"])
    #expect(try names(year) == ["hill 2.jpg", "hill.jpg", "sea.jpg"])
    #expect(try names(Predicate(all: [year, people])) == ["hill.jpg", "sea.jpg"])
    #expect(try names(Predicate(all: [year, people, summer])) == ["sea.jpg"])
    #expect(
      try names(Predicate(any: [summer, Predicate(all: [year, people])])) == ["hill.jpg", "oma.png", "sea.jpg"])
    #expect(try names(Asset.showing(allOf: ["Ada", "Ben"])) == ["sea.jpg"])
    #expect(try names(Asset.showing(allOf: ["Ben", "Unknown"])) == [])
    let neither = Predicate<Asset> { asset in
      PredicateExpressions.build_Negation(
        PredicateExpressions.build_evaluate(
          PredicateExpressions.build_Arg(Predicate(any: [summer, year])), asset))
    }
    #expect(try names(neither) == ["clip.mov", "party.mov"])
  }

  @Test("Photos are found by several keywords, without regard to case")
  func keywords() throws {
    let words = ["family", "summer"]
    #expect(
      try names(#Predicate { asset in words.allSatisfy { asset.keywords.contains($0) } }) == ["oma.png"])
    let text = "WINT"
    #expect(
      try names(#Predicate { asset in asset.keywords.contains { $0.localizedStandardContains(text) } })
        == ["hill.jpg"])
    let two = 2
    #expect(
      try names(#Predicate { asset in asset.keywords.filter { words.contains($0) }.count == two }) == ["oma.png"])
    #expect(try names(#Predicate { $0.keywords.isEmpty && $0.rating == 0 }) == ["clip.mov", "hill 2.jpg", "party.mov"])
  }

  @Test("Photos are found by shape, camera and place")
  func shapes() throws {
    #expect(try names(#Predicate { $0.width > $0.height }) == ["clip.mov", "party.mov", "sea.jpg"])
    #expect(try names(#Predicate { $0.width == $0.height && $0.takenAt == nil }) == ["oma.png"])
    #expect(try names(#Predicate { $0.width * $0.height >= 12_000_000 }) == ["hill 2.jpg", "hill.jpg", "sea.jpg"])
    #expect(
      try names(
        #Predicate { asset in
          if let exposure = asset.exposure { exposure.camera == "X100" && (exposure.iso ?? 0) > 400 } else { false }
        }) == ["hill.jpg"])
    #expect(try names(#Predicate { $0.exposure != nil && $0.exposure?.aperture == nil }) == ["hill.jpg"])
    #expect(try names(Asset.near(.init(latitude: 54, longitude: 12), within: 0.5)) == ["sea.jpg"])
    #expect(try names(Asset.near(.init(latitude: 53, longitude: 13), within: 2)) == ["party.mov", "sea.jpg"])
    let origins: Set<PhotoLibrary.Origin> = [.scan, .screenshot]
    #expect(try names(#Predicate { origins.contains($0.origin) }) == ["oma.png"])
    let checksum = Data("hi".utf8)
    #expect(try names(#Predicate { $0.checksum == checksum }) == ["hill 2.jpg", "hill.jpg"])
  }

  @Test("Videos and photos are distinguished")
  func videos() throws {
    #expect(try names(#Predicate { !($0 is PhotoLibrary.Video) && $0.isFavorite }) == ["hill.jpg"])
    #expect(
      try names(
        #Predicate { asset in
          if let video = asset as? PhotoLibrary.Video { video.seconds > 60 && video.hasSound } else { false }
        }) == ["party.mov"])
    let clips = FetchDescriptor<Video>(
      predicate: #Predicate { $0.people.isEmpty && $0.albums.isEmpty && $0.seconds < 10 })
    #expect(try context.fetch(clips).map(\.fileName) == ["clip.mov"])
    #expect(try context.fetchAggregates(.sum(of: \Video.seconds)) == 99)
    #expect(
      try albums(#Predicate { album in album.assets.contains { ($0 as? PhotoLibrary.Video)?.hasSound == true } })
        == ["Best of"])
    #expect(try albums(#Predicate { $0.cover != nil && !($0.cover is PhotoLibrary.Video) }) == ["Best of"])
  }

  @Test("Likely duplicates are found")
  func duplicates() throws {
    let doubles = try context.fetchGroups(
      by: \Asset.takenAt, \Asset.width, \Asset.height, computing: .count,
      matching: FetchDescriptor(predicate: #Predicate { !($0 is PhotoLibrary.Video) }),
      having: #Predicate { $0 > 1 })
    #expect(doubles.map(\.key.0) == [Timeline.date(2023, 12, 31, 23)])
    #expect(doubles.map(\.value) == [2])
  }

  @Test("Years and people are listed with their number of photos")
  func overview() throws {
    let years = try context.fetchGroups(
      by: .component(.year, from: \Asset.takenAt, in: Timeline.calendar), computing: .count)
    #expect(years.map(\.key) == [nil, 2023, 2024])
    #expect(years.map(\.value) == [1, 3, 2])
    let people = FetchDescriptor<Face>(
      predicate: #Predicate { face in face.assets.filter { $0.rating > 0 || $0.isFavorite }.count == face.assets.count }
    )
    #expect(try context.fetch(people).map(\.name) == ["Ada"])
    let together = FetchDescriptor<Face>(
      predicate: #Predicate { face in
        face.assets.contains { asset in asset.people.contains { $0 != face && $0.name == "Ada" } }
      })
    #expect(try context.fetch(together).map(\.name) == ["Ben"])
  }

  @Test("Photos are sorted and paged by date, with undated ones first or last")
  func order() throws {
    var newest = FetchDescriptor<Asset>(
      sortBy: [SortDescriptor(\.takenAt, order: .reverse), SortDescriptor(\.fileName, order: .reverse)])
    newest.propertiesToFetch = [\.fileName, \.takenAt]
    #expect(
      try context.fetch(newest).map(\.fileName)
        == ["clip.mov", "party.mov", "hill.jpg", "hill 2.jpg", "sea.jpg", "oma.png"])
    newest.fetchLimit = 2
    newest.fetchOffset = 3
    #expect(try context.fetch(newest).map(\.fileName) == ["hill 2.jpg", "sea.jpg"])
    #expect(try context.fetch(newest, batchSize: 1).map(\.fileName) == ["hill 2.jpg", "sea.jpg"])
    let identifiers = try context.fetchIdentifiers(newest)
    #expect(identifiers.compactMap { context.model(for: $0) as? Asset }.map(\.rating) == [0, 5])
  }

  @Test("Photos are kept when their album is deleted, and originals are deleted with their photo")
  func deleting() throws {
    try context.delete(model: Album.self, where: #Predicate { $0.title == "Travel" })
    try context.save()
    #expect(try albums(#Predicate { _ in true }) == ["Best of", "Empty"])
    #expect(try names(#Predicate { $0.albums.count == 1 }) == ["hill.jpg", "party.mov", "sea.jpg"])
    let other = ModelContext(context.container)
    let sea = try #require(
      try other.fetch(FetchDescriptor<Asset>(predicate: #Predicate { $0.original != nil })).first)
    #expect(sea.original?.count == 200_000)
    try other.delete(model: Asset.self, where: #Predicate { $0.isFavorite })
    try other.save()
    #expect(try other.fetchCount(FetchDescriptor<Album>(predicate: #Predicate { $0.cover == nil })) == 2)
    #expect(try other.fetchCount(FetchDescriptor<Asset>()) == 5)
  }

  @Test("An unsaved album is filled")
  func pending() throws {
    let album = Album("New")
    context.insert(album)
    album.assets = try context.fetch(FetchDescriptor<Asset>(predicate: #Predicate { $0.albums.isEmpty }))
    context.allowsInMemoryEvaluation = true
    #expect(try names(#Predicate { $0.albums.isEmpty }) == [])
    let identifier = album.persistentModelID
    #expect(
      try names(#Predicate { asset in asset.albums.contains { $0.persistentModelID == identifier } })
        == ["clip.mov", "hill 2.jpg", "oma.png"])
    try context.save()
    context.allowsInMemoryEvaluation = false
    let saved = album.persistentModelID
    #expect(
      try names(#Predicate { asset in asset.albums.contains { $0.persistentModelID == saved } })
        == ["clip.mov", "hill 2.jpg", "oma.png"])
    #expect(try albums(#Predicate { $0.assets.count == 3 }) == ["Best of", "New"])
  }
}
