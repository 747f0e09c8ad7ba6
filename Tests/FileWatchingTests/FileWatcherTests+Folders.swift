import Foundation
import Testing

@testable import FileWatching

extension FileWatcherTests {
  @Test("The folder may be a symbolic link", arguments: means)
  func linkedFolder(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let linkFolder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let link = linkFolder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    let record = CallRecord()
    let watcher = try FileWatcher(files: [link + "/store"], means: means) { record.add() }
    try write("new", to: path)
    #expect(await record.grows())
    watcher.cancel()
  }

  @Test("The file may be a symbolic link, with or without a target", arguments: means, [true, false])
  func linkedFile(
    means: FileWatcher.Means, targetExists: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let linkFolder = try TemporaryFolder()
    let path = targetExists ? try folder.makeOldFile("store") : folder.path("store")
    let links = ["first", "second"].map(linkFolder.path)
    try FileManager.default.createSymbolicLink(atPath: links[0], withDestinationPath: "second")
    try FileManager.default.createSymbolicLink(atPath: links[1], withDestinationPath: path)
    let record = CallRecord()
    let watcher = try FileWatcher(files: [links[0]], means: means) { record.add() }
    try (targetExists ? Change.overwrite : .create).apply(to: path)
    #expect(await record.grows())
    watcher.cancel()
  }

  @Test("A symbolic link to itself is watched like other files", arguments: means)
  func linkToItself(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "store")
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], means: means) { record.add() }
    try Change.replace.apply(to: path)
    #expect(await record.grows())
    watcher.cancel()
  }

  @Test("A path may be relative", arguments: means)
  func relativePath(means: FileWatcher.Means) async throws {
    let name = "FileWatching-" + UUID().uuidString
    let record = CallRecord()
    let watcher = try FileWatcher(files: [name], means: means) { record.add() }
    try Change.create.apply(to: name)
    defer { try? FileManager.default.removeItem(atPath: name) }
    #expect(await record.grows())
    watcher.cancel()
  }

  @Test("Files may be in several folders", arguments: means)
  func severalFolders(means: FileWatcher.Means) async throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    let paths = [try first.makeOldFile("store"), try second.makeOldFile("store")]
    let record = CallRecord()
    let watcher = try FileWatcher(files: paths, means: means) { record.add() }
    for path in paths {
      let count = record.count
      try write("new", to: path)
      #expect(await record.grows(beyond: count))
    }
    watcher.cancel()
  }

  @Test("Removal of the folder is notified", arguments: means)
  func removedFolder(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let inner = folder.path("inner")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    let path = try folder.makeOldFile("inner/store")
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], means: means) { record.add() }
    try FileManager.default.removeItem(atPath: inner)
    #expect(await record.grows())
    watcher.cancel()
  }

  @Test("Removal of an empty folder is notified, and ends the watching")
  func removedEmptyFolder() async throws {
    let folder = try TemporaryFolder()
    let inner = folder.path("inner")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    let record = CallRecord()
    let watcher = try FileWatcher(files: [inner + "/store"], means: .fileEvents) { record.add() }
    #expect(rmdir(inner) == 0)
    #expect(await record.grows())
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    // A new watcher of the folder that replaced it works.
    let newRecord = CallRecord()
    let newWatcher = try FileWatcher(files: [inner + "/store"], means: .fileEvents) { newRecord.add() }
    try Change.create.apply(to: inner + "/store")
    #expect(await newRecord.grows())
    watcher.cancel()
    newWatcher.cancel()
  }

  @Test("Watchers follow a folder that is moved")
  func movedFolder() async throws {
    let folder = try TemporaryFolder()
    let (old, new) = (folder.path("old"), folder.path("new"))
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
    let record = CallRecord()
    let watcher = try FileWatcher(files: [old + "/store"], means: .fileEvents) { record.add() }
    #expect(rename(old, new) == 0)
    #expect(await record.grows())
    let count = record.count
    try Change.create.apply(to: new + "/store")
    #expect(await record.grows(beyond: count))
    watcher.cancel()
  }
}
