import FaultyDriver
import Foundation
import Relational
import SQLiteDriver
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Removing files that no row references any more")
struct RetiredFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(for: Photo.self, configurations: ModelConfiguration(url: folder.file()))
  }

  private static func bytes(_ seed: UInt8) -> Data {
    Data(repeating: seed, count: 200_000)
  }

  private var fileCount: Int { ExternalFiles(store: folder.file()).names().count }

  @Test("A save does not wait for another thread's write to remove files; a later save removes them")
  func writingThread() throws {
    let container = try open()
    let context = ModelContext(container)
    let photo = Photo("a", Self.bytes(1))
    context.insert(photo)
    try context.save()
    let store = try #require(container.core.stores[0] as? RelationalStore)
    let files = try #require(store.files)
    let unnamed = try files.write(Self.bytes(2))

    let (isInside, mayLeave, hasLeft) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    Thread {
      try? store.database.write { _ in
        isInside.signal()
        #expect(mayLeave.wait(timeout: .now() + 5) == .success, "It was waited for.")
      }
      hasLeft.signal()
    }.start()
    isInside.wait()
    // What a save does after its commit.
    files.retire([unnamed], store.database)
    mayLeave.signal()
    hasLeft.wait()

    #expect(fileCount == 2)
    photo.image = Self.bytes(3)
    try context.save()
    #expect(fileCount == 1)
    #expect(try container.freshContext().only(Photo.self).image == Self.bytes(3))
  }

  /// A database whose reader of an older state ends during the first query: the first query still reports it.
  private final class EndingReaderDatabase: DatabaseWrapper {
    let base: any Database
    private let body: @Sendable (any Database) -> Void
    private let isAsked = Mutex(false)

    /// - Parameter body: Called when the reader has ended, before the first query is answered.
    init(_ base: any Database, _ body: @escaping @Sendable (any Database) -> Void) {
      self.base = base
      self.body = body
    }

    func hasOnlyCurrentReaders() -> Bool {
      let isFirst = isAsked.withLock { isAsked in
        defer { isAsked = true }
        return !isAsked
      }
      if isFirst { body(self) }
      return !isFirst
    }
  }

  @Test("Files that one thread cannot remove are removed by another thread's retirement in the meantime")
  func otherThreadRemoves() throws {
    let base = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .file(folder.file().path)))
    let files = ExternalFiles(store: folder.file())
    let (first, second) = (try files.write(Self.bytes(1)), try files.write(Self.bytes(2)))
    let named = try files.write(Self.bytes(3))
    let database = EndingReaderDatabase(base) { files.retire([second], $0) }
    files.retire([first], database)
    #expect(files.names() == [named])
    try base.close()
  }

  @Test("Files that a working copy may reference are kept while it exists, and a later save removes them")
  func workingCopy() throws {
    let context = ModelContext(try open())
    let photo = Photo("a", Self.bytes(1))
    context.insert(photo)
    try context.save()
    let copy = WorkingCopy(of: folder.file())
    try copy.makeFolder()
    photo.image = Self.bytes(2)
    try context.save()
    #expect(fileCount == 2)
    copy.remove()
    photo.image = Self.bytes(3)
    try context.save()
    #expect(fileCount == 1)
  }

  @Test("Files kept when the container closed are removed when the store is opened")
  func opening() throws {
    let container = try open()
    let context = ModelContext(container)
    let photo = Photo("a", Self.bytes(1))
    context.insert(photo)
    try context.save()
    let reader = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .file(folder.file().path)))
    try reader.read { connection in
      try connection.forEachRow("SELECT name FROM Photo") { _ in }
      photo.image = Self.bytes(2)
      try context.save()
      try container.close()
      #expect(fileCount == 2)
    }
    try reader.close()
    #expect(try open().freshContext().only(Photo.self).image == Self.bytes(2))
    #expect(fileCount == 1)
  }

  @Test("After concurrent saves, a single save leaves no unreferenced files")
  func manyThreads() throws {
    let container = try open()
    let context = ModelContext(container)
    for code in 0..<4 { context.insert(Photo("a", Self.bytes(0), code: code)) }
    try context.save()
    DispatchQueue.concurrentPerform(iterations: 4) { code in
      let context = ModelContext(container)
      context.autosaveEnabled = false
      #expect(throws: Never.self) {
        for round in 1...15 {
          let photo = try context.fetch(FetchDescriptor<Photo>(predicate: #Predicate { $0.code == code })).first
          photo?.image = Self.bytes(UInt8(round))
          try context.save()
        }
      }
    }
    let fresh = container.freshContext()
    try #require(fresh.all(Photo.self, by: \.code).first).image = Self.bytes(77)
    try fresh.save()
    #expect(fileCount == 4)
    let images = try container.freshContext().all(Photo.self, by: \.code).map(\.image)
    #expect(images == [Self.bytes(77), Self.bytes(15), Self.bytes(15), Self.bytes(15)])
  }
}
