import Foundation
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestSupport

@Model
final class Photo {
  var name: String
  @Attribute(.externalStorage) var image: Data
  @Attribute(.externalStorage) var thumbnail: Data?
  @Attribute(.unique) var code: Int

  init(_ name: String, _ image: Data, thumbnail: Data? = nil, code: Int = 0) {
    self.name = name
    self.image = image
    self.thumbnail = thumbnail
    self.code = code
  }
}

/// Has external storage for attributes that are no Data.
@Model
final class Album {
  @Attribute(.externalStorage) var summary: String?
  @Attribute(.externalStorage, .unique) var name: String
  @Attribute(.externalStorage) var images: [Data] = []
  @Attribute(.externalStorage) var tags: [String]?

  init(_ name: String) {
    self.name = name
  }
}

@Suite("External storage")
struct ExternalStorageTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try Self.open(folder)
    context = ModelContext(container)
    context.autosaveEnabled = false
  }

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(for: Photo.self, configurations: ModelConfiguration(url: folder.file()))
  }

  private static let threshold = 128 * 1024

  private static func bytes(_ seed: UInt8, _ count: Int = threshold + 1) -> Data {
    Data(repeating: seed, count: count)
  }

  /// The contents of the files beside the store.
  private func files() throws -> Set<Data> {
    let folder = ExternalFiles(store: folder.file()).folder
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    let urls = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return Set(try urls.map { try Data(contentsOf: $0) })
  }

  @Test("External storage has no effect on types other than Data")
  func hint() throws {
    let url = folder.file("albums.store")
    func open() throws -> ModelContainer {
      try ModelContainer(for: Album.self, configurations: ModelConfiguration(url: url))
    }
    let context = ModelContext(try open())
    let album = Album("a")
    let long = String(repeating: "long ", count: Self.threshold)
    (album.summary, album.images, album.tags) = (long, [Self.bytes(1), Self.bytes(2)], [long, "b"])
    context.insert(album)
    try context.save()
    let found = try #require(try ModelContext(try open()).fetch(FetchDescriptor<Album>()).first)
    #expect(found.summary == long)
    #expect(found.images == [Self.bytes(1), Self.bytes(2)])
    #expect(found.tags == [long, "b"])
    #expect(!FileManager.default.fileExists(atPath: ExternalFiles(store: url).folder.path))
  }

  private func stored() throws -> Photo? {
    try ModelContext(container).fetch(FetchDescriptor<Photo>()).first
  }

  @Test(
    "A value of any size is stored and read, and only a large one has a file",
    arguments: [0, 1, threshold, threshold + 1, 5_000_000])
  func valueIsReadAgain(size: Int) throws {
    let data = Self.bytes(1, size)
    context.insert(Photo("a", data, thumbnail: data))
    try context.save()
    #expect(try stored()?.image == data)
    #expect(try stored()?.thumbnail == data)
    #expect(try files() == (size > Self.threshold ? [data] : []))
  }

  @Test("Another process reads a large value")
  func otherProcessReadsLargeValue() async throws {
    context.insert(Photo("a", Self.bytes(3)))
    try context.save()
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      let configuration = ModelConfiguration(url: URL(fileURLWithPath: path))
      let container = try ModelContainer(for: Photo.self, configurations: configuration)
      let photos = try ModelContext(container).fetch(FetchDescriptor<Photo>())
      #expect(photos.map(\.image) == [ExternalStorageTests.bytes(3)])
    }
  }

  @Test("An update replaces the file")
  func updateReplacesFile() throws {
    let photo = Photo("a", Self.bytes(1), thumbnail: Self.bytes(2))
    context.insert(photo)
    try context.save()
    photo.image = Self.bytes(3)
    #expect(try files() == [Self.bytes(1), Self.bytes(2)])
    try context.save()
    #expect(try files() == [Self.bytes(3), Self.bytes(2)])
    photo.image = Data([1])
    photo.thumbnail = nil
    try context.save()
    #expect(try files() == [])
    #expect(try stored()?.image == Data([1]))
    #expect(try stored()?.thumbnail == nil)
  }

  @Test("An update of another property keeps the file")
  func updateAnotherProperty() throws {
    let photo = Photo("a", Self.bytes(1))
    context.insert(photo)
    try context.save()
    photo.name = "b"
    try context.save()
    #expect(try files() == [Self.bytes(1)])
    #expect(try stored()?.image == Self.bytes(1))
  }

  @Test("A file is kept while a reader has a snapshot that references it")
  func readFileIsKept() throws {
    let photo = Photo("a", Self.bytes(1))
    context.insert(photo)
    try context.save()
    // A database of its own works as another process would.
    let configuration = SQLiteConfiguration(location: .file(folder.file().path))
    let reader = try SQLiteDatabase(configuration: configuration)
    try reader.read { connection in
      var name = ""
      try connection.forEachRow("SELECT image FROM Photo") { name = $0.text(0) }
      photo.image = Self.bytes(2)
      try context.save()
      #expect(try files() == [Self.bytes(1), Self.bytes(2)])
      #expect(try ExternalFiles(store: folder.file()).read(name) == Self.bytes(1))
      // Opening the store does not remove it as unreferenced either.
      #expect(try Self.open(folder).freshContext().only(Photo.self).image == Self.bytes(2))
      #expect(try files() == [Self.bytes(1), Self.bytes(2)])
      photo.image = Self.bytes(3)
      try context.save()
      #expect(try ExternalFiles(store: folder.file()).read(name) == Self.bytes(1))
    }
    photo.image = Self.bytes(4)
    try context.save()
    #expect(try files() == [Self.bytes(4)])
  }

  @Test("A file that a reader held back is removed when the container is released")
  func heldBackFile() throws {
    func replaceWhileReading() throws {
      let container = try Self.open(folder)
      let context = ModelContext(container)
      context.insert(Photo("a", Self.bytes(1), code: 1))
      try context.save()
      let reader = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .file(folder.file().path)))
      try reader.read { connection in
        try connection.run("SELECT count(*) FROM Photo")
        context.insert(Photo("b", Self.bytes(2), code: 1))
        try context.save()
      }
      #expect(try files() == [Self.bytes(1), Self.bytes(2)])
    }
    try replaceWhileReading()
    #expect(try files() == [Self.bytes(2)])
  }

  @Test("A rollback keeps the file and the old value")
  func rollbackKeepsFile() throws {
    let photo = Photo("a", Self.bytes(1))
    context.insert(photo)
    try context.save()
    photo.image = Self.bytes(2)
    context.rollback()
    #expect(photo.image == Self.bytes(1))
    #expect(try files() == [Self.bytes(1)])
  }

  @Test("Deleting a row deletes its files")
  func deletionRemovesFiles() throws {
    let photo = Photo("a", Self.bytes(1), thumbnail: Self.bytes(2))
    context.insert(photo)
    try context.save()
    context.delete(photo)
    #expect(try files().count == 2)
    try context.save()
    #expect(try files() == [])
  }

  @Test("An upsert replaces the file")
  func upsertReplacesFile() throws {
    context.insert(Photo("a", Self.bytes(1), code: 5))
    try context.save()
    context.insert(Photo("b", Self.bytes(2), code: 5))
    try context.save()
    #expect(try files() == [Self.bytes(2)])
    #expect(try stored()?.image == Self.bytes(2))
  }

  @Test("A failed save leaves no new file and removes none")
  func failedSave() throws {
    let photo = Photo("a", Self.bytes(1))
    context.insert(photo)
    try context.save()
    let store = try #require(container.core.stores[0] as? RelationalStore)
    try store.database.write {
      try $0.execute(
        """
        CREATE TRIGGER refuse BEFORE INSERT ON Photo BEGIN SELECT raise(ABORT, 'refused'); END
        """)
    }
    photo.image = Self.bytes(2)
    context.insert(Photo("b", Self.bytes(3), code: 1))
    #expect(throws: SwiftDataError.storeFailure) { try context.save() }
    #expect(try files() == [Self.bytes(1)])
    #expect(try stored()?.image == Self.bytes(1))

    try store.database.write { try $0.execute("DROP TRIGGER refuse") }
    try context.save()
    #expect(try files() == [Self.bytes(2), Self.bytes(3)])
  }

  @Test("Opening a store removes files that no row references")
  func unreferencedFilesAreRemoved() throws {
    let other = try TemporaryFolder()
    do {
      let container = try Self.open(other)
      let context = ModelContext(container)
      context.insert(Photo("a", Self.bytes(1)))
      try context.save()
    }
    let files = ExternalFiles(store: other.file())
    let unreferenced = files.folder.appendingPathComponent(UUID().uuidString)
    try Self.bytes(9).write(to: unreferenced)
    let container = try Self.open(other)
    #expect(!FileManager.default.fileExists(atPath: unreferenced.path))
    #expect(try ModelContext(container).fetch(FetchDescriptor<Photo>()).map(\.image) == [Self.bytes(1)])
  }

  @Test("A store opened through a symbolic link uses the files of the linked store")
  func symbolicLink() throws {
    let elsewhere = try TemporaryFolder()
    let link = elsewhere.file("link.store")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file())
    context.insert(Photo("a", Self.bytes(1, 200_000), code: 1))
    try context.save()
    let linked = ModelContext(try ModelContainer(for: Photo.self, configurations: ModelConfiguration(url: link)))
    linked.autosaveEnabled = false
    #expect(try linked.fetch(FetchDescriptor<Photo>()).map(\.image) == [Self.bytes(1, 200_000)])
    linked.insert(Photo("b", Self.bytes(2, 200_000), code: 2))
    try linked.save()
    let photos = try ModelContext(container).fetch(FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.code)]))
    #expect(photos.map(\.image) == [Self.bytes(1, 200_000), Self.bytes(2, 200_000)])
    #expect(try files().count == 2)
  }

  @Test("Stores in one folder have separate files")
  func storesInOneFolder() throws {
    let names = ["same.store", "same.sqlite", "same", "same.store.store"]
    for (index, name) in names.enumerated() {
      let configuration = ModelConfiguration(url: folder.file(name))
      let context = ModelContext(try ModelContainer(for: Photo.self, configurations: configuration))
      context.insert(Photo(name, Self.bytes(UInt8(index))))
      try context.save()
    }
    for (index, name) in names.enumerated() {
      let configuration = ModelConfiguration(url: folder.file(name))
      let context = ModelContext(try ModelContainer(for: Photo.self, configurations: configuration))
      #expect(try context.fetch(FetchDescriptor<Photo>()).map(\.image) == [Self.bytes(UInt8(index))])
    }
  }

  @Test("An in-memory store keeps a large value in its row")
  func inMemoryLargeValue() throws {
    let container = try ModelContainer(
      for: Photo.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Photo("a", Self.bytes(1)))
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Photo>()).map(\.image) == [Self.bytes(1)])
  }

  @Test("Erasing the container removes the files")
  func erasingContainerRemoves() throws {
    context.insert(Photo("a", Self.bytes(1)))
    try context.save()
    try container.erase()
    // The observer of other processes may have a read transaction open. Then the container removes the file when it closes.
    try container.close()
    #expect(try files() == [])
  }

  @Test(
    "Erasing a store whose folder is linked to another store's keeps the other store's files", arguments: [false, true])
  func erasingLinkedFolder(isInner: Bool) throws {
    context.insert(Photo("a", Self.bytes(1)))
    try context.save()
    let other = folder.file("other.store")
    _ = try ModelContainer(for: Photo.self, configurations: ModelConfiguration(url: other))
    let (mine, theirs) = (ExternalFiles(store: folder.file()).folder, ExternalFiles(store: other).folder)
    if isInner {
      try FileManager.default.createDirectory(
        at: theirs.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(at: theirs, withDestinationURL: mine)
    } else {
      try FileManager.default.createSymbolicLink(
        at: theirs.deletingLastPathComponent(), withDestinationURL: mine.deletingLastPathComponent())
    }
    let container = try ModelContainer(for: Photo.self, configurations: ModelConfiguration(url: other))
    try container.erase()
    #expect(try files() == [Self.bytes(1)])
    #expect(try stored()?.image == Self.bytes(1))
  }

  @Test("Opening a store keeps a folder among its files")
  func folderAmongFiles() throws {
    context.insert(Photo("a", Self.bytes(1)))
    try context.save()
    let foreign = ExternalFiles(store: folder.file()).folder.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: foreign, withIntermediateDirectories: true)
    try Data("kept".utf8).write(to: foreign.appendingPathComponent("letter"))
    _ = try Self.open(folder)
    #expect(try Data(contentsOf: foreign.appendingPathComponent("letter")) == Data("kept".utf8))
  }

  @Test("Files pending removal are kept when a backup replaces the store")
  func backupReplacesStore() throws {
    let other = try TemporaryFolder()
    let manager = FileManager.default
    func copy(_ source: TemporaryFolder, _ target: TemporaryFolder) throws {
      for name in try manager.contentsOfDirectory(atPath: source.url.path) {
        try? manager.removeItem(at: target.url.appendingPathComponent(name))
        try manager.copyItem(
          at: source.url.appendingPathComponent(name), to: target.url.appendingPathComponent(name))
      }
    }
    var container: ModelContainer? = try Self.open(other)
    var context: ModelContext? = container.map { ModelContext($0) }
    let photo = Photo("a", Self.bytes(1))
    context?.insert(photo)
    try context?.save()
    try StoreFiles.execute("PRAGMA wal_checkpoint(TRUNCATE)", at: other.file())
    let backup = try TemporaryFolder()
    try copy(other, backup)

    let reader = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .file(other.file().path)))
    try reader.read { connection in
      try connection.forEachRow("SELECT name FROM Photo") { _ in }
      photo.image = Self.bytes(2)
      try context?.save()
    }
    try reader.close()
    #expect(ExternalFiles(store: other.file()).names().count == 2)
    for suffix in ["-wal", "-shm"] { try? manager.removeItem(atPath: other.file().path + suffix) }
    try copy(backup, other)
    (context, container) = (nil, nil)
    let restored = ModelContext(try Self.open(other))
    #expect(try restored.fetch(FetchDescriptor<Photo>()).map(\.image) == [Self.bytes(1)])
  }
}
