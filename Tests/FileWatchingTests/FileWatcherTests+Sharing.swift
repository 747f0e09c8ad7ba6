import Foundation
import Support
import Testing

@testable import FileWatching

extension FileWatcherTests {
  @Test("Watchers of one folder are each notified of their files, until they are cancelled", arguments: means)
  func severalWatchers(
    means: FileWatcher.Means
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let (first, second) = (CallRecord(), CallRecord())
    let firstWatcher = try FileWatcher(files: [path], means: means) { first.add() }
    let secondWatcher = try FileWatcher(files: [path, folder.path("store-wal")], means: means) { second.add() }
    try write("new", to: path)
    #expect(await first.grows())
    #expect(await second.grows())
    firstWatcher.cancel()
    let (firstCount, secondCount) = (first.count, second.count)
    try write("newer", to: path)
    #expect(await second.grows(beyond: secondCount))
    #expect(first.count == firstCount)
    secondWatcher.cancel()
  }

  @Test("A slow body does not delay other watchers, and is called once for all missed events")
  func slowBody() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let (slow, quick) = (CallRecord(), CallRecord())
    let gate = DispatchSemaphore(value: 0)
    let slowWatcher = try FileWatcher(files: [path], means: .fileEvents) {
      slow.add()
      if slow.count == 1 { gate.wait() }
    }
    let quickWatcher = try FileWatcher(files: [path], means: .fileEvents) { quick.add() }
    try write("new", to: path)
    #expect(await slow.grows())
    for _ in 1...20 {
      let count = quick.count
      try write("new", to: path)
      #expect(await quick.grows(beyond: count))
    }
    #expect(slow.count == 1)
    gate.signal()
    #expect(await slow.grows(beyond: 1))
    let count = quick.count
    try write("new", to: folder.path("store"))
    #expect(await quick.grows(beyond: count))
    // The first call, one for 20 missed writes, and the last two writes, which empty the file before they fill it.
    #expect(slow.count <= 5)
    slowWatcher.cancel()
    quickWatcher.cancel()
  }

  @Test("An overflow of the kernel's queue is notified")
  func overflow() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let others = try ["first", "second"].map { open(try folder.makeOldFile($0), O_WRONLY) }
    defer { for other in others { close(other) } }
    let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let eventCount = try #require(Int(limit.dropLast())) + 100
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], means: .fileEvents) { record.add() }
    // While the state is locked the thread reads only one buffer of events.
    try FileEvents.state.withLock { _ in
      for number in 0..<eventCount + 1 << 12 { #expect(futimens(others[number % 2], nil) == 0) }
      try write("new", to: path)
    }
    #expect(await record.grows())
    watcher.cancel()
  }

  @Test("A folder is watched once, and only as long as it has a watcher")
  func watchedOnce() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    let files = [first.path("store"), first.path("store-wal"), second.path("store")]
    let watcher = try FileWatcher(files: files, means: .fileEvents) {}
    let others = try (0..<10).map { number in
      try FileWatcher(files: [second.path("\(number)")], means: .fileEvents) {}
    }
    #expect(try ProcessInspection.watchCount(ofFolder: first.path) == 1)
    #expect(try ProcessInspection.watchCount(ofFolder: second.path) == 1)
    watcher.cancel()
    #expect(try ProcessInspection.watchCount(ofFolder: first.path) == 0)
    #expect(try ProcessInspection.watchCount(ofFolder: second.path) == 1)
    for other in others { other.cancel() }
    #expect(try ProcessInspection.watchCount(ofFolder: second.path) == 0)
  }
}
