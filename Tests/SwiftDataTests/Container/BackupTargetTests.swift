import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Targets of a backup")
struct BackupTargetTests {
  private let folder: TemporaryFolder
  private static let image = Data(repeating: 7, count: 300_000)

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func open(_ url: URL) throws -> ModelContainer {
    try ModelContainer(for: Drawing.self, configurations: ModelConfiguration(url: url))
  }

  /// A store with a value in an external file.
  private static func fill(_ url: URL) throws -> ModelContainer {
    let container = try open(url)
    let context = ModelContext(container)
    context.insert(Drawing(image))
    try context.save()
    return container
  }

  private static func expectCopy(at url: URL, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let images = try ModelContext(open(url)).fetch(FetchDescriptor<Drawing>()).map(\.image)
    #expect(images == [image], sourceLocation: sourceLocation)
  }

  /// The paths of everything in a folder.
  private static func listing(_ folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
  }

  /// Makes a backup that must fail, and checks that the folder did not change.
  private static func expectRefusal(
    _ reason: SwiftDataError.StoreFailureReason, of container: ModelContainer, to url: URL, in folder: URL,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try listing(folder)
    let failure = #expect(throws: SwiftDataError.storeFailure, sourceLocation: sourceLocation) {
      try container.backup(to: url)
    }
    #expect(
      failure?.details?.storeFailureReason == reason, "\(String(describing: failure))", sourceLocation: sourceLocation)
    #expect(try listing(folder) == before, sourceLocation: sourceLocation)
  }

  private func expectRefusal(
    _ reason: SwiftDataError.StoreFailureReason, of container: ModelContainer, to url: URL,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Self.expectRefusal(reason, of: container, to: url, in: folder.url, sourceLocation: sourceLocation)
  }

  enum Kind: CaseIterable, Sendable {
    case file, folder, danglingLink

    func make(at url: URL) throws {
      switch self {
      case .file: try Data("left over".utf8).write(to: url)
      case .folder: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      case .danglingLink:
        try FileManager.default.createSymbolicLink(
          at: url, withDestinationURL: url.deletingLastPathComponent().appendingPathComponent("nowhere"))
      }
    }
  }

  @Test(
    "A backup is refused when files of an earlier store with its name exist",
    arguments: ["copy.store-wal", "copy.store-journal", "copy.store-shm", ".copy.store_SUPPORT"], Kind.allCases)
  func leftOver(name: String, kind: Kind) throws {
    let container = try Self.fill(folder.file())
    try kind.make(at: folder.file(name))
    try expectRefusal(.targetExists, of: container, to: folder.file("copy.store"))
    try FileManager.default.removeItem(at: folder.file(name))
    try container.backup(to: folder.file("copy.store"))
    try Self.expectCopy(at: folder.file("copy.store"))
  }

  @Test("A backup to the store itself is refused, by any path")
  func itself() throws {
    let container = try Self.fill(folder.file())
    try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file())
    try FileManager.default.linkItem(at: folder.file(), to: folder.file("name"))
    for name in ["test.store", "test.store-wal", "link", "name", "nothing/../test.store", ".", "..", "/"] {
      let url = name == "/" ? URL(fileURLWithPath: "/") : folder.file(name)
      let failure = #expect(throws: SwiftDataError.storeFailure) { try container.backup(to: url) }
      let reasons: [SwiftDataError.StoreFailureReason] =
        name.hasPrefix("nothing") ? [.targetExists, .cannotOpen] : [.targetExists]
      #expect(
        reasons.contains { $0 == failure?.details?.storeFailureReason }, "\(name): \(String(describing: failure))")
    }
    try FileManager.default.removeItem(at: folder.file("name"))
    try Self.expectCopy(at: folder.file())
    #expect(
      try Self.listing(folder.url).filter { !$0.hasPrefix(".test.store_SUPPORT") }
        == ["link", "test.store", "test.store-shm", "test.store-wal"])
  }

  @Test("A URL that is no file URL is refused", arguments: ["https://localhost/copy.store", "copy.store", "file:"])
  func otherURL(text: String) throws {
    let container = try Self.fill(folder.file())
    let url = try #require(URL(string: text))
    try expectRefusal(.cannotOpen, of: container, to: url)
    #expect(!FileManager.default.fileExists(atPath: "/copy.store"))
  }

  @Test("A trailing slash in the URL of a missing folder is ignored")
  func trailingSlash() throws {
    let container = try Self.fill(folder.file())
    let url = URL(fileURLWithPath: folder.file("copy.store").path, isDirectory: true)
    #expect(url.absoluteString.hasSuffix("/"))
    try container.backup(to: url)
    try expectRefusal(.targetExists, of: container, to: url)
    try Self.expectCopy(at: folder.file("copy.store"))
    try Self.expectCopy(at: url)
  }

  @Test("A missing folder, a file at its path and a name that is too long are errors")
  func impossibleTargets() throws {
    let container = try Self.fill(folder.file())
    try Data().write(to: folder.file("file"))
    // The longest file name is possible for the copy itself, and not for its folder of external files.
    for name in ["missing/copy", "file/copy", String(repeating: "x", count: 300), String(repeating: "x", count: 250)] {
      try expectRefusal(.cannotOpen, of: container, to: folder.file(name))
    }
  }

  @Test("A folder without write permission is an error", arguments: [1, 2])
  func protectedFolder(storeCount: Int) async throws {
    await #expect(processExitsWith: .success) { [storeCount = storeCount as Int] in
      // Root may write everywhere.
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      try BackupTargetTests.expectRefusal(.readOnly, storeCount, permissions: 0o555)
    }
  }

  @Test("A copy that cannot be synced to disk is removed", arguments: [1, 2], [true, false])
  func unsynced(storeCount: Int, hasFiles: Bool) async throws {
    await #expect(processExitsWith: .success) { [storeCount = storeCount as Int, hasFiles = hasFiles as Bool] in
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      // Syncing a folder requires reading it.
      try BackupTargetTests.expectRefusal(.readOnly, storeCount, permissions: 0o333, hasFiles: hasFiles)
    }
  }

  private static func expectRefusal(
    _ reason: SwiftDataError.StoreFailureReason, _ storeCount: Int, permissions: Int, hasFiles: Bool = true
  ) throws {
    let folder = try TemporaryFolder()
    let first = ModelConfiguration("first", schema: Schema([Drawing.self]), url: folder.file("first.store"))
    let second = ModelConfiguration("second", schema: Schema([Recipe.self]), url: folder.file("second.store"))
    let models: [any PersistentModel.Type] = [Drawing.self, Recipe.self]
    let container = try ModelContainer(
      for: Schema(Array(models.prefix(storeCount))), configurations: Array([first, second].prefix(storeCount)))
    let context = ModelContext(container)
    context.insert(Drawing(hasFiles ? image : Data([1])))
    try context.save()
    let target = folder.file("target")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: target.path)
    let failure = #expect(throws: SwiftDataError.storeFailure) {
      try container.backup(to: target.appendingPathComponent("copy.store"))
    }
    #expect(failure?.details?.storeFailureReason == reason, "\(String(describing: failure))")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: target.path)
    #expect(try listing(target) == [])
    try container.backup(to: target.appendingPathComponent("copy.store"))
  }

  @Test("A closed container, and a container inside a transaction, make no backup", arguments: [true, false])
  func unavailable(isInMemory: Bool) throws {
    let configuration =
      isInMemory ? ModelConfiguration(isStoredInMemoryOnly: true) : ModelConfiguration(url: folder.file())
    let container = try ModelContainer(for: Drawing.self, configurations: configuration)
    try ModelContext(container).transaction {
      try expectRefusal(.busy, of: container, to: folder.file("copy.store"))
    }
    try container.close()
    try expectRefusal(.closed, of: container, to: folder.file("copy.store"))
  }

  @Test("The name of an in-memory store cannot be a path to another folder", arguments: ["../../other", "a/b", "a\0b"])
  func names(name: String) throws {
    let first = ModelConfiguration("first", schema: Schema([Drawing.self]), isStoredInMemoryOnly: true)
    let second = ModelConfiguration(name, schema: Schema([Recipe.self]), isStoredInMemoryOnly: true)
    let container = try ModelContainer(
      for: Schema([Drawing.self, Recipe.self]), configurations: [first, second])
    try FileManager.default.createDirectory(at: folder.file("target"), withIntermediateDirectories: false)
    try expectRefusal(.cannotOpen, of: container, to: folder.file("target/copy"))
  }

  @Test("A named pipe among the external files is not copied and does not block")
  func namedPipe() throws {
    let container = try Self.fill(folder.file())
    let files = ExternalFiles(store: folder.file())
    let name = try #require(files.names().first)
    let file = files.folder.appendingPathComponent(name)
    try FileManager.default.removeItem(at: file)
    #expect(mkfifo(file.path, 0o600) == 0)
    try container.backup(to: folder.file("copy.store"))
    #expect(ExternalFiles(store: folder.file("copy.store")).names() == [])
  }

  @Test("An external file without write permission is copied")
  func protectedFile() async throws {
    await #expect(processExitsWith: .success) {
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      let folder = try TemporaryFolder()
      let container = try BackupTargetTests.fill(folder.file())
      let files = ExternalFiles(store: folder.file())
      let file = files.folder.appendingPathComponent(try #require(files.names().first))
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
      try container.backup(to: folder.file("copy.store"))
      try BackupTargetTests.expectCopy(at: folder.file("copy.store"))
    }
  }
}
