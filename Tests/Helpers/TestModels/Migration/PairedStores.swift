import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

// Albums and their owners, in two stores and two versions.

enum PairV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Album.self, Owner.self] }

  @Model
  final class Album {
    var title: String
    @Attribute(.externalStorage) var cover: Data?

    init(title: String, cover: Data? = nil) {
      self.title = title
      self.cover = cover
    }
  }

  @Model
  final class Owner {
    var name: String

    init(name: String) {
      self.name = name
    }
  }
}

enum PairV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Album.self, Owner.self] }

  @Model
  final class Album {
    var title: String
    @Attribute(.externalStorage) var cover: Data?
    var ownerName = ""

    init(title: String, cover: Data? = nil) {
      self.title = title
      self.cover = cover
    }
  }

  @Model
  final class Owner {
    var name: String
    var albumCount = 0

    init(name: String) {
      self.name = name
    }
  }
}

/// Each store gets values of the other one.
enum PairPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [PairV1.self, PairV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: PairV1.self, toVersion: PairV2.self, willMigrate: nil,
        didMigrate: { context in
          let albums = try context.fetch(FetchDescriptor<PairV2.Album>())
          for owner in try context.fetch(FetchDescriptor<PairV2.Owner>()) {
            owner.albumCount = albums.count
            for album in albums { album.ownerName = owner.name }
          }
          for album in albums where album.cover != nil { album.cover = PairedStores.newCover }
          try context.save()
        })
    ]
  }
}

/// Two stores in a folder of their own.
struct PairedStores {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The same files in another folder.
  init(copying other: PairedStores) throws {
    folder = try TemporaryFolder()
    try FileManager.default.removeItem(at: folder.url)
    try FileManager.default.copyItem(at: other.folder.url, to: folder.url)
    for store in [albums, owners] {
      let copies = try copies(of: store)
      for copy in copies + copies.map({ $0.deletingLastPathComponent() }) {
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: copy.path)
      }
    }
  }

  /// More than stays in a row.
  static let oldCover = Data(repeating: 1, count: 200_000)
  static let newCover = Data(repeating: 2, count: 200_000)

  /// The store that is replaced first.
  var albums: URL { folder.file("albums.store") }
  var owners: URL { folder.file("owners.store") }

  func configurations(_ version: any VersionedSchema.Type, allowsSave: Bool = true) -> [ModelConfiguration] {
    [("Album", albums), ("Owner", owners)].map { name, url in
      ModelConfiguration(
        schema: Schema(version.models.filter { "\($0)" == name }), url: url, allowsSave: allowsSave)
    }
  }

  func open(
    _ version: any VersionedSchema.Type, plan: Bool = false, allowsSave: Bool = true
  ) throws -> ModelContext {
    try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan ? PairPlan.self : nil,
      configurations: configurations(version, allowsSave: allowsSave)
    ).freshContext()
  }

  func write() throws {
    let context = try open(PairV1.self)
    context.insert(PairV1.Album(title: "Hafen", cover: Self.oldCover))
    context.insert(PairV1.Album(title: "Inseln"))
    context.insert(PairV1.Owner(name: "Ida"))
    try context.save()
    try context.container.close()
  }

  /// The versions of the files, which are only read.
  func versions() throws -> [String] {
    try [albums, owners].flatMap { url in
      try StoreFiles.texts("SELECT value FROM swiftdata_metadata WHERE key = 'schema_version'", at: url)
    }
  }

  func expectOld(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let context = try open(PairV1.self)
    let albums = try context.fetch(FetchDescriptor<PairV1.Album>(sortBy: [SortDescriptor(\.title)]))
    #expect(albums.map(\.title) == ["Hafen", "Inseln"], sourceLocation: sourceLocation)
    #expect(albums.map(\.cover) == [Self.oldCover, nil], sourceLocation: sourceLocation)
    #expect(
      try context.fetch(FetchDescriptor<PairV1.Owner>()).map(\.name) == ["Ida"], sourceLocation: sourceLocation)
    #expect(try versions() == ["1.0.0", "1.0.0"], sourceLocation: sourceLocation)
    try expectTidy(sourceLocation: sourceLocation)
  }

  func expectNew(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let context = try open(PairV2.self)
    let albums = try context.fetch(FetchDescriptor<PairV2.Album>(sortBy: [SortDescriptor(\.title)]))
    #expect(albums.map(\.title) == ["Hafen", "Inseln"], sourceLocation: sourceLocation)
    #expect(albums.map(\.cover) == [Self.newCover, nil], sourceLocation: sourceLocation)
    #expect(albums.map(\.ownerName) == ["Ida", "Ida"], sourceLocation: sourceLocation)
    let owners = try context.fetch(FetchDescriptor<PairV2.Owner>())
    #expect(owners.map(\.name) == ["Ida"] && owners.map(\.albumCount) == [2], sourceLocation: sourceLocation)
    #expect(try versions() == ["2.0.0", "2.0.0"], sourceLocation: sourceLocation)
    try expectTidy(sourceLocation: sourceLocation)
  }

  /// Checks that no copies are left, and that exactly the one external file exists.
  private func expectTidy(sourceLocation: SourceLocation) throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    #expect(paths.filter { $0.contains(".migration") } == [], sourceLocation: sourceLocation)
    #expect(paths.filter { $0.contains("_EXTERNAL_DATA/") }.count == 1, sourceLocation: sourceLocation)
    for url in [albums, owners] {
      #expect(try StoreFiles.texts("PRAGMA integrity_check", at: url) == ["ok"], sourceLocation: sourceLocation)
    }
  }

  /// The folders of copies beside a store.
  func copies(of store: URL) throws -> [URL] {
    let parent = folder.file(".\(store.lastPathComponent).migration")
    guard FileManager.default.fileExists(atPath: parent.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: parent.path).map { parent.appendingPathComponent($0) }
  }

  /// The commit record beside the copy of a store.
  func record(of store: URL) throws -> URL {
    try #require(try copies(of: store).first).appendingPathComponent("commit.json")
  }
}
