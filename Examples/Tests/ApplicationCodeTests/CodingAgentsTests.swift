import Foundation
import SwiftData
import Testing

// The code of the page for coding agents, compiled and run.

enum CodingAgents {
  enum Format: String, Codable, CaseIterable {
    case vinyl, disc, file
  }

  @Model
  final class Album {
    #Index<Album>([\.title])

    @Attribute(.unique) var code: String
    var title: String
    var format = Format.vinyl
    var released: Date?
    var tags: [String] = []
    @Relationship(deleteRule: .cascade, inverse: \Track.album) var tracks: [Track] = []

    init(code: String, title: String) {
      self.code = code
      self.title = title
    }
  }

  @Model
  final class Track {
    var name: String
    var seconds: Int
    var plays = 0
    var album: Album?

    init(name: String, seconds: Int) {
      self.name = name
      self.seconds = seconds
    }
  }

  enum LibraryError: Error { case noSuchAlbum(code: String) }

  struct AlbumContent: Sendable {
    var code: String
    var title: String
    var tracks: [String]

    init(_ album: Album) {
      code = album.code
      title = album.title
      tracks = album.tracks.map(\.name)
    }
  }

  @ModelActor
  actor Library {
    func content(ofAlbum code: String) throws -> AlbumContent {
      AlbumContent(try album(code))
    }

    func play(_ code: String) throws {
      try change {
        for track in try album(code).tracks { track.plays += 1 }
      }
    }

    private func album(_ code: String) throws -> Album {
      var descriptor = FetchDescriptor<Album>(predicate: #Predicate { $0.code == code })
      descriptor.fetchLimit = 1
      guard let album = try modelContext.fetch(descriptor).first else { throw LibraryError.noSuchAlbum(code: code) }
      return album
    }

    /// Runs a change as one transaction. Nothing of a failed change stays.
    private func change(_ work: () throws -> Void) throws {
      do {
        try modelContext.transaction(block: work)
      } catch {
        modelContext.rollback()
        throw error
      }
    }
  }

  static func emptyContainer() throws -> ModelContainer {
    try ModelContainer(for: Album.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  static func container(in file: URL) throws -> ModelContainer {
    try ModelContainer(for: Album.self, configurations: ModelConfiguration(url: file))
  }

  @Suite("A library of albums, as the page for coding agents tests it")
  struct LibraryTests {
    let container: ModelContainer

    init() throws {
      container = try emptyContainer()
      let context = ModelContext(container)
      let album = Album(code: "B-1", title: "Blue")
      context.insert(album)
      album.tracks = [Track(name: "Carey", seconds: 182), Track(name: "River", seconds: 244)]
      try context.save()
    }

    @Test("Playing an album counts a play of each track")
    func playing() async throws {
      let library = Library(modelContainer: container)
      try await library.play("B-1")
      // A second context has only the saved values.
      let plays = try ModelContext(container).fetch(FetchDescriptor<Track>()).map(\.plays)
      #expect(plays == [1, 1])
    }

    @Test("Playing an unknown album throws, and changes nothing")
    func playingUnknownAlbum() async throws {
      let library = Library(modelContainer: container)
      await #expect(throws: LibraryError.self) { try await library.play("B-2") }
      #expect(try await library.content(ofAlbum: "B-1").tracks == ["Carey", "River"])
      #expect(try ModelContext(container).fetch(FetchDescriptor<Track>()).allSatisfy { $0.plays == 0 })
    }
  }

  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self] }

    @Model
    final class Person {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self] }

    @Model
    final class Person {
      @Attribute(originalName: "name") var fullName: String
      var initials = ""
      init(fullName: String) { self.fullName = fullName }
    }
  }

  enum PeoplePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [addInitials] }

    static let addInitials = MigrationStage.custom(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil,
      didMigrate: { context in
        for person in try context.fetch(FetchDescriptor<SchemaV2.Person>()) {
          person.initials = String(person.fullName.split(separator: " ").compactMap(\.first))
        }
        try context.save()
      })
  }

  @Suite("The code of the page for coding agents")
  struct PageTests {
    @Test("Albums are inserted, fetched, changed and deleted")
    func fetching() throws {
      let container = try emptyContainer()
      let context = ModelContext(container)
      let album = Album(code: "B-1", title: "Blue")
      context.insert(album)
      album.tracks.append(Track(name: "Carey", seconds: 182))  // inserts the track as well
      try context.save()

      let text = "blue"
      let vinyl = Format.vinyl
      var descriptor = FetchDescriptor<Album>(
        predicate: #Predicate { album in
          album.title.localizedStandardContains(text) && album.format == vinyl
            && album.tracks.contains { track in track.seconds > 180 }
        },
        sortBy: [SortDescriptor(\.title), SortDescriptor(\.code)])
      descriptor.fetchLimit = 20
      descriptor.relationshipKeyPathsForPrefetching = [\.tracks]
      for album in try context.fetch(descriptor) {
        album.tags.append("seen")
      }
      try context.save()
      #expect(album.tags == ["seen"])

      let count = try context.fetchCount(FetchDescriptor<Track>(predicate: #Predicate { $0.album?.code == "B-1" }))
      context.delete(album)  // deletes its tracks as well: .cascade
      try context.save()
      #expect(count == 1)
      #expect(try context.fetchCount(FetchDescriptor<Track>()) == 0)
    }

    @Test("A closure reads with a context of its own")
    func performing() async throws {
      let container = try LibraryTests().container
      let titles = try await container.perform { context in
        try context.fetch(FetchDescriptor<Album>(sortBy: [SortDescriptor(\.title)])).map(\.title)
      }
      #expect(titles == ["Blue"])
    }

    @Test("A model of another context is found by its identifier")
    func identifiers() throws {
      let container = try LibraryTests().container
      let context = ModelContext(container)
      let identifier = try #require(try context.fetchIdentifiers(FetchDescriptor<Album>()).first)
      let other = ModelContext(container)
      if let album = other.model(for: identifier) as? Album { album.title = "Blue (2021)" }
      try other.save()
      #expect(try context.fetch(FetchDescriptor<Album>()).map(\.title) == ["Blue (2021)"])
    }

    @Test("A refused save names the model and the property")
    func errors() throws {
      let container = try ModelContainer(
        for: Label.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      let context = ModelContext(container)
      let label = Label()
      context.insert(label)
      label.artists.append(Artist())
      try context.save()
      context.delete(label)
      let refusal = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(
        refusal?.description == """
          SwiftDataError.modelValidationFailure
            Label/p1 cannot be deleted while it has artists (1 of Artist): the delete rule of Label.artists is .deny.
            in: Label.artists
            hint: Change or delete the named models and save again, or roll back; until then the changes stay unsaved.
            model: PersistentIdentifier(Label/p1)
          """)
      var messages: [String] = []
      do {
        try context.save()
      } catch let error as SwiftDataError where error == .modelValidationFailure {
        for issue in error.details?.issues ?? [] {
          messages.append(issue.description)
        }
        context.rollback()  // or correct the models, and save again
      }
      #expect(messages.count == 1)
      #expect(messages.first?.contains("Label.artists") == true)
      #expect(!context.hasChanges)
    }

    @Test("Results follow what another context saves")
    func liveResults() throws {
      let container = try LibraryTests().container
      let context = ModelContext(container)
      let observer = try ResultsObserver(
        filterBy: #Predicate<Album> { $0.title != "" }, sortBy: [SortDescriptor(\.title)], modelContext: context)
      let other = ModelContext(container)
      other.insert(Album(code: "H-1", title: "Hejira"))
      try other.save()
      let titles = observer.results.map(\.title)  // ["Blue", "Hejira"]
      #expect(titles == ["Blue", "Hejira"])
    }

    @Test("A sequence has the values of saved models")
    func values() async throws {
      let container = try LibraryTests().container
      let albums = FetchDescriptor<Album>(sortBy: [SortDescriptor(\.title)])
      for try await titles in container.values(of: albums, { $0.title }) {
        #expect(titles == ["Blue"])
        break
      }
    }

    @Test("A plan migrates a store to the newer version")
    func migrating() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "people-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appending(path: "people.store")

      let old = try ModelContainer(
        for: Schema(versionedSchema: SchemaV1.self), configurations: ModelConfiguration(url: file))
      let context = ModelContext(old)
      context.insert(SchemaV1.Person(name: "Joni Mitchell"))
      try context.save()
      try old.close()

      let container = try ModelContainer(
        for: Schema(versionedSchema: SchemaV2.self), migrationPlan: PeoplePlan.self,
        configurations: ModelConfiguration(url: file))
      let people = try ModelContext(container).fetch(FetchDescriptor<SchemaV2.Person>())
      #expect(people.map(\.initials) == ["JM"])
    }

    @Test("The right forms of the page select the same rows in SQL")
    func rightForms() throws {
      let container = try LibraryTests().container
      let context = ModelContext(container)
      context.allowsInMemoryEvaluation = false
      let album = try #require(try context.fetch(FetchDescriptor<Album>()).first)
      let filter = (text: "Carey", isLong: true)

      let id = album.persistentModelID
      let text = filter.text
      let (now, file) = (Date.now, Format.file)
      let same = ComparisonResult.orderedSame
      let tracks: [Predicate<Track>] = [
        #Predicate { $0.album?.persistentModelID == id },
        #Predicate { $0.name == text },
        #Predicate { $0.name.starts(with: "Car") },
        #Predicate { $0.name.caseInsensitiveCompare("CAREY") == same },
        #Predicate { $0.name.localizedStandardContains("carey") },
      ]
      let albums: [Predicate<Album>] = [
        #Predicate { ($0.released ?? now) <= now },
        #Predicate { $0.format != file },
      ]
      let isLong = #Predicate<Track> { $0.seconds > 200 }
      let either = Predicate(any: [isLong, tracks[1]])

      #expect(try tracks.map { try context.fetchCount(FetchDescriptor(predicate: $0)) } == [2, 1, 1, 1, 1])
      #expect(try albums.map { try context.fetchCount(FetchDescriptor(predicate: $0)) } == [1, 1])
      #expect(try context.fetchCount(FetchDescriptor(predicate: either)) == 2)

      let offsets = [0, 1]
      offsets.map { album.tracks[$0] }.forEach(context.delete)
      #expect(album.tracks.isEmpty)
      try context.save()

      // A new model with the unique value of a row updates the row.
      context.insert(Album(code: "B-1", title: "Blue again"))
      try context.save()
      #expect(album.title == "Blue again")
      #expect(try context.fetchCount(FetchDescriptor<Album>()) == 1)
    }
  }

  @Model
  final class Label {
    @Relationship(deleteRule: .deny, inverse: \Artist.label) var artists: [Artist] = []
    init() {}
  }

  @Model
  final class Artist {
    var label: Label?
    init() {}
  }
}
