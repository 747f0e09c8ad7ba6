import Foundation
import Testing

@testable import FileWatching

extension FileWatcherTests {
  @Test("A missing folder is a failure", arguments: means + [.bestAvailable])
  func missingFolder(means: FileWatcher.Means) throws {
    let folder = try TemporaryFolder()
    let inner = folder.path("inner")
    let failure = #expect(throws: FileWatcher.Failure.self) {
      // The folder of the first file exists, and must not stay watched.
      try FileWatcher(files: [folder.path("store"), inner + "/store"], means: means) {}
    }
    #expect(failure == .init(attempt: .watchingFolder(inner), errorNumber: ENOENT))
    #expect(try ProcessInspection.watchCount(ofFolder: folder.path) == 0)
  }

  @Test("A file in place of the folder is a failure", arguments: means + [.bestAvailable])
  func fileAsFolder(means: FileWatcher.Means) throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let failure = #expect(throws: FileWatcher.Failure.self) {
      try FileWatcher(files: [path + "/store"], means: means) {}
    }
    #expect(failure == .init(attempt: .watchingFolder(path), errorNumber: ENOTDIR))
  }

  @Test("A failure does not affect other watchers of the folder")
  func failureBesideOthers() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], means: .fileEvents) { record.add() }
    #expect(throws: FileWatcher.Failure.self) {
      try FileWatcher(files: [path, folder.path("missing/store")], means: .fileEvents) {}
    }
    #expect(try ProcessInspection.watchCount(ofFolder: folder.path) == 1)
    try write("new", to: path)
    #expect(await record.grows())
    watcher.cancel()
  }

  @Test("A failure says what was tried and why it failed")
  func failureDescription() {
    let failure = FileWatcher.Failure(attempt: .watchingFolder("/gone"), errorNumber: ENOENT)
    #expect(
      failure.description == "Failed at watching the folder \"/gone\": No such file or directory (errno \(ENOENT))")
  }
}
