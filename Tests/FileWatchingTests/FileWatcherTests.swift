import Foundation
import Support
import Testing

@testable import FileWatching

/// Serialized, because some tests block the thread that all watchers share.
@Suite("Notifications of a file watcher", .serialized, .timeLimit(.minutes(5)))
struct FileWatcherTests {
  static let means: [FileWatcher.Means] = [.fileEvents, .polling(every: .milliseconds(5))]

  enum Change: CaseIterable {
    case overwrite
    case append
    case truncate
    case ring
    case replace
    case moveAway
    case remove
    case create
    case link

    func apply(to path: String) throws {
      let manager = FileManager.default
      switch self {
      case .overwrite: try write("new", to: path)
      case .append: try write("more", to: path, atEnd: true)
      case .truncate:
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 1)
        try file.close()
      case .ring: FileSignal(file: path, minimumInterval: .zero).ring()
      case .replace:
        try Data("new".utf8).write(to: URL(fileURLWithPath: path + ".new"))
        #expect(rename(path + ".new", path) == 0)
      case .moveAway: try manager.moveItem(atPath: path, toPath: path + ".moved")
      case .remove: try manager.removeItem(atPath: path)
      case .create: #expect(manager.createFile(atPath: path, contents: nil))
      case .link:
        try Data("new".utf8).write(to: URL(fileURLWithPath: path + ".other"))
        try manager.linkItem(atPath: path + ".other", toPath: path)
      }
    }
  }

  @Test("A change of a watched file is notified", arguments: means, Change.allCases)
  func change(means: FileWatcher.Means, change: Change) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    if ![.create, .link].contains(change) { _ = try folder.makeOldFile("store") }
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], means: means) { record.add() }
    try change.apply(to: path)
    #expect(await record.grows())
    watcher.cancel()
  }

  @Test("A file that is removed, created again and written is notified", arguments: means)
  func recreatedFile(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], means: means) { record.add() }
    for change in [Change.remove, .create, .append, .replace, .overwrite] {
      let count = record.count
      try change.apply(to: path)
      #expect(await record.grows(beyond: count), "\(change)")
    }
    watcher.cancel()
  }

  @Test("Writes of another process are notified", arguments: means)
  func otherProcess(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store-wal")
    let record = CallRecord()
    let watcher = try FileWatcher(files: [folder.path("store"), path], means: means) { record.add() }
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "echo new >> \"$0\"", path]
    try shell.run()
    #expect(await record.grows())
    shell.waitUntilExit()
    watcher.cancel()
  }

  @Test("Other files in the folder are not notified", arguments: means)
  func otherFiles(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let (record, otherRecord) = (CallRecord(), CallRecord())
    let watcher = try FileWatcher(files: [path], means: means) { record.add() }
    let others = ["stor", "store2", "other"].map(folder.path)
    let otherWatcher = try FileWatcher(files: others, means: means) { otherRecord.add() }
    for path in others {
      for change in [Change.create, .overwrite, .replace, .remove] {
        let count = otherRecord.count
        try change.apply(to: path)
        #expect(await otherRecord.grows(beyond: count))
      }
    }
    #expect(record.count == 0)
    watcher.cancel()
    otherWatcher.cancel()
  }

  @Test("File names that are equivalent in Unicode are distinguished", arguments: means)
  func equivalentNames(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let (composed, decomposed) = (folder.path("\u{E9}"), folder.path("e\u{301}"))
    let (record, otherRecord) = (CallRecord(), CallRecord())
    let watcher = try FileWatcher(files: [composed], means: means) { record.add() }
    let otherWatcher = try FileWatcher(files: [decomposed], means: means) { otherRecord.add() }
    #expect(close(open(decomposed, O_CREAT | O_WRONLY, 0o600)) == 0)
    #expect(await otherRecord.grows())
    #expect(record.count == 0)
    #expect(close(open(composed, O_CREAT | O_WRONLY, 0o600)) == 0)
    #expect(await record.grows())
    watcher.cancel()
    otherWatcher.cancel()
  }

  @Test("The last of many writes is followed by a call, and calls are few", arguments: means)
  func manyWrites(means: FileWatcher.Means) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store", content: "00000000")
    let record = CallRecord()
    let lastSeen = Mutex("")
    let interval = Duration.milliseconds(10)
    let watcher = try FileWatcher(files: [path], minimumInterval: interval, means: means) {
      record.add()
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      lastSeen.withLock { $0 = text }
    }
    let signal = FileSignal(file: path, minimumInterval: .milliseconds(1))
    let file = open(path, O_WRONLY)
    defer { close(file) }
    try #require(file >= 0)
    let start = ContinuousClock.now
    for number in 1...100_000 {
      let text = String(10_000_000 + number)
      try #require(pwrite(file, text, text.utf8.count, 0) == text.utf8.count)
      signal.ring()
    }
    #expect(await eventually { lastSeen.withLock { $0 == "10100000" } })
    watcher.cancel()
    #expect(record.count <= Int((ContinuousClock.now - start) / interval) + 1)
  }

  @Test("Each of many separate writes is followed by a call")
  func separateWrites() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], minimumInterval: .zero, means: .fileEvents) { record.add() }
    for _ in 1...500 {
      let count = record.count
      try write("new", to: path)
      try #require(await record.grows(beyond: count))
    }
    watcher.cancel()
  }

  @Test("Calls begin at least the minimum interval apart")
  func minimumInterval() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let record = CallRecord()
    let interval = Duration.milliseconds(30)
    let start = ContinuousClock.now
    let watcher = try FileWatcher(files: [path], minimumInterval: interval, means: .fileEvents) { record.add() }
    while record.count < 5 {
      try write("new", to: path)
      await Task.yield()
    }
    watcher.cancel()
    #expect(ContinuousClock.now - start >= interval * 4)
  }

  @Test(
    "A zero or negative interval causes no delay", arguments: [Duration.seconds(-1), .seconds(Int64.min), .zero])
  func noInterval(interval: Duration) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], minimumInterval: interval) { record.add() }
    try write("new", to: path)
    #expect(await record.grows())
    watcher.cancel()
  }

  @Test("An infinite interval allows one call")
  func infiniteInterval() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeOldFile("store")
    let record = CallRecord()
    let watcher = try FileWatcher(files: [path], minimumInterval: .seconds(Int64.max)) { record.add() }
    try write("new", to: path)
    #expect(await record.grows())
    try write("newer", to: path)
    watcher.cancel()
    #expect(record.count == 1)
  }

  @Test("The state of a just written file may differ from a later equal one")
  func recentState() throws {
    let folder = try TemporaryFolder()
    let old = FileState(ofFileAt: try folder.makeOldFile("old"))
    #expect(!old.mayDiffer(from: old))
    let missing = FileState(ofFileAt: folder.path("missing"))
    #expect(!missing.mayDiffer(from: missing))
    #expect(missing.mayDiffer(from: old) && old.mayDiffer(from: missing))
    try write("same", to: folder.path("old"))
    let new = FileState(ofFileAt: folder.path("old"))
    #expect(new.mayDiffer(from: new))
  }
}
