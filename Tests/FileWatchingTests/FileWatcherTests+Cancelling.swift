import Foundation
import Support
import Testing

@testable import FileWatching

extension FileWatcherTests {
  @Test("A body may cancel its own watcher", arguments: means)
  func cancelInBody(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let (record, otherRecord) = (CallRecord(), CallRecord())
    let kept = Mutex<FileWatcher?>(nil)
    let watcher = try FileWatcher(files: [path], minimumInterval: .zero, means: means) {
      kept.withLock { $0 }?.cancel()
      record.add()
    }
    kept.withLock { $0 = watcher }
    let otherWatcher = try FileWatcher(files: [path], means: means) { otherRecord.add() }
    try write("new", to: path)
    #expect(await record.grows())
    for _ in 1...3 {
      let count = otherRecord.count
      try write("new", to: path)
      #expect(await otherRecord.grows(beyond: count))
    }
    #expect(record.count == 1)
    otherWatcher.cancel()
    kept.withLock { $0 = nil }
  }

  @Test("A body may release the last reference to its watcher", arguments: means)
  func releaseInBody(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let record = CallRecord()
    let kept = Mutex<FileWatcher?>(nil)
    kept.withLock {
      $0 = try? FileWatcher(files: [path], means: means) {
        let watcher = kept.withLock { watcher in
          defer { watcher = nil }
          return watcher
        }
        _ = consume watcher
        record.add()
      }
    }
    try write("new", to: path)
    #expect(await record.grows())
    #expect(try await eventually { try ProcessInspection.watchCount(ofFolder: folder.path) == 0 })
  }

  @Test("An unreferenced watcher ends", arguments: means)
  func unreferencedWatcher(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let (record, otherRecord) = (CallRecord(), CallRecord())
    _ = try FileWatcher(files: [path], means: means) { record.add() }
    #expect(try ProcessInspection.watchCount(ofFolder: folder.path) == 0)
    let otherWatcher = try FileWatcher(files: [path], means: means) { otherRecord.add() }
    try write("new", to: path)
    #expect(await otherRecord.grows())
    #expect(record.count == 0)
    otherWatcher.cancel()
  }

  @Test("A cancelled watcher releases its body, whose deinitializer may cancel other watchers", arguments: means)
  func releasedBody(means: FileWatcher.Means) async throws {
    final class Owner: Sendable {
      let watcher: FileWatcher
      init(_ watcher: FileWatcher) { self.watcher = watcher }
    }
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    weak var owner: Owner?
    let watcher: FileWatcher
    do {
      let strong = Owner(try FileWatcher(files: [path], means: means) {})
      owner = strong
      watcher = try FileWatcher(files: [path], means: means) { withExtendedLifetime(strong) {} }
    }
    #expect(owner != nil)
    watcher.cancel()
    watcher.cancel()
    #expect(owner == nil)
    #expect(try ProcessInspection.watchCount(ofFolder: folder.path) == 0)
  }

  @Test("Watchers can be made and cancelled on many threads while files are written", arguments: means)
  func manyThreads(
    means: FileWatcher.Means
  ) async throws {
    let folder = try TemporaryFolder()
    let paths = try (0..<4).map { try folder.makeOldFile("\($0)") }
    try await withThrowingTaskGroup { group in
      group.addTask {
        while !Task.isCancelled {
          for path in paths { try write("new", to: path) }
          await Task.yield()
        }
      }
      try await withThrowingTaskGroup { makers in
        for maker in 0..<4 {
          makers.addTask {
            for _ in 0..<100 {
              let record = CallRecord()
              let watcher = try FileWatcher(files: paths, minimumInterval: .zero, means: means) { record.add() }
              if maker == 0 { #expect(await record.grows()) }
              DispatchQueue.concurrentPerform(iterations: 4) { _ in watcher.cancel() }
              // One call may have been about to be recorded.
              let count = record.count
              await Task.yield()
              #expect(record.count <= count + 1)
            }
          }
        }
        try await makers.waitForAll()
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(try ProcessInspection.watchCount(ofFolder: folder.path) == 0)
  }
}
