import Foundation
import Support
import Testing

@testable import FileWatching

@Suite("A file's signal")
struct FileSignalTests {
  private func modification(of path: String) throws -> Date {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
  }

  @Test("A signal arrives immediately, and does not change the file's contents")
  func signals() throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let signal = FileSignal(file: path, minimumInterval: .zero)
    let before = try modification(of: path)
    signal.ring()
    #expect(try modification(of: path) > before)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  @Test("A signal without a file does nothing")
  func missingFile() throws {
    let folder = try TemporaryFolder()
    FileSignal(file: folder.path("store"), minimumInterval: .zero).ring()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("Signals within the minimum interval are merged into one at its end")
  func mergesSignals() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], minimumInterval: .zero) { record.add() }
    let signal = FileSignal(file: path, minimumInterval: .milliseconds(300))
    signal.ring()
    #expect(await record.grows())
    let count = record.count
    for _ in 0..<10_000 { signal.ring() }
    #expect(record.count <= count + 1)
    #expect(await record.grows(beyond: count))
    watcher.cancel()
  }

  @Test("Each commit signals, however late after its writes it becomes visible")
  func lateCommits() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let committed = Mutex(0)
    let seen = Mutex(0)
    let looks = CallRecord()
    let watcher = try FileWatcher(files: [path]) {
      let number = committed.withLock { $0 }
      seen.withLock { $0 = number }
      looks.add()
    }
    let signal = FileSignal(file: path, minimumInterval: .milliseconds(1))
    for number in 1...20 {
      // A reader notified by the write does not see the commit yet.
      let count = looks.count
      try write("new", to: path)
      #expect(await looks.grows(beyond: count))
      committed.withLock { $0 = number }
      signal.ring()
      #expect(await eventually { seen.withLock { $0 == number } })
    }
    watcher.cancel()
  }
}
