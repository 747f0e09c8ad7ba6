import Foundation
import Testing

@testable import FileWatching

/// The state that all watchers of a process share, each in a process without other watchers.
extension FileWatcherTests {
  @Test("Watchers share one inotify instance and one thread, which end with the last watcher")
  func sharedInstance() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for _ in 1...3 {
        let records = (0..<200).map { _ in CallRecord() }
        let watchers = try records.enumerated().map { number, record in
          try FileWatcher(files: [folder.path("\(number % 100)")], means: .fileEvents) { record.add() }
        }
        #expect(try ProcessInspection.inotifyInstances().count == 1)
        #expect(try await eventually { try ProcessInspection.watchingThreads().count == 1 })
        for number in 0..<100 {
          try Change.create.apply(to: folder.path("\(number)"))
          try Change.remove.apply(to: folder.path("\(number)"))
        }
        for record in records { #expect(await record.grows()) }
        #expect(try ProcessInspection.inotifyInstances().count == 1)
        #expect(try ProcessInspection.watchingThreads().count == 1)
        for watcher in watchers { watcher.cancel() }
        #expect(try await eventually { try ProcessInspection.inotifyInstances().isEmpty })
        #expect(try await eventually { try ProcessInspection.watchingThreads().isEmpty })
      }
    }
  }

  @Test("There is at most one inotify instance, however fast watchers are made and cancelled")
  func atMostOneInstance() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for _ in 1...2000 {
        let watcher = try FileWatcher(files: [folder.path("store")], means: .fileEvents) {}
        #expect(try ProcessInspection.inotifyInstances().count == 1)
        watcher.cancel()
      }
    }
  }

  @Test("The thread ends with the last watcher, even if the folder was removed")
  func endOfThread() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let inner = folder.path("inner")
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
      let record = CallRecord()
      let watcher = try FileWatcher(files: [inner + "/store"], means: .fileEvents) { record.add() }
      #expect(rmdir(inner) == 0)
      #expect(await record.grows())
      // Waits until the thread sleeps again after the kernel's events about the removal.
      #expect(await threadHasReadEverything())
      watcher.cancel()
      #expect(try await eventually { try ProcessInspection.watchingThreads().isEmpty })
      #expect(try ProcessInspection.inotifyInstances().isEmpty)
    }
  }

  @Test("A failure leaves no inotify instance open")
  func failureClosesInstance() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      #expect(throws: FileWatcher.Failure.self) {
        try FileWatcher(files: [folder.path("store"), folder.path("missing/store")]) {}
      }
      #expect(try ProcessInspection.inotifyInstances().isEmpty)
      #expect(try ProcessInspection.watchingThreads().isEmpty)
    }
  }

  @Test("The thread does not wake while nothing happens")
  func sleepingThread() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let record = CallRecord()
      let watcher = try FileWatcher(files: [folder.path("store")], means: .fileEvents) { record.add() }
      try Change.create.apply(to: folder.path("store"))
      #expect(await record.grows())
      let thread = try #require(try ProcessInspection.watchingThreads().first)
      func switches() throws -> [Substring] {
        try String(contentsOfFile: thread + "/status", encoding: .utf8).split(separator: "\n")
          .filter { $0.contains("ctxt_switches") }
      }
      func restsForAWhile() async throws -> Bool {
        let before = try switches()
        #expect(before.count == 2)
        // Time is the subject of this test.
        try await Task.sleep(for: .milliseconds(300))
        return try switches() == before
      }
      #expect(await threadHasReadEverything())
      // The thread goes to sleep meanwhile, which is its last context switch.
      _ = try await restsForAWhile()
      #expect(try await restsForAWhile())
      watcher.cancel()
    }
  }

  @Test("Files are polled when the process may open no more inotify instances")
  func polling() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = try folder.makeOldFile("store")
      let record = CallRecord()
      let watcher = try withoutFreeDescriptors {
        #expect(throws: FileWatcher.Failure(attempt: .openingInotify, errorNumber: EMFILE)) {
          try FileWatcher(files: [path], means: .fileEvents) {}
        }
        return try FileWatcher(files: [path]) { record.add() }
      }
      #expect(watcher.isPolling)
      try write("new", to: path)
      #expect(await record.grows())
      watcher.cancel()

      let nextWatcher = try FileWatcher(files: [path]) {}
      #expect(!nextWatcher.isPolling)
      nextWatcher.cancel()
    }
  }

  @Test("If other code closes the instance, bodies are called once more, and the next watcher works")
  func foreignClose() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = try folder.makeOldFile("store")
      let (record, nextRecord) = (CallRecord(), CallRecord())
      let watcher = try FileWatcher(files: [path], means: .fileEvents) { record.add() }
      let instance = try #require(try ProcessInspection.inotifyInstances().first.flatMap(Int32.init))
      // A file replaces the instance. The thread notices when it is woken.
      let file = open("/dev/null", O_RDONLY)
      #expect(dup2(file, instance) == instance)
      FileEvents.state.withLock { $0.instance?.wakeUp() }
      #expect(await record.grows())
      let nextWatcher = try FileWatcher(files: [path], means: .fileEvents) { nextRecord.add() }
      try write("new", to: path)
      #expect(await nextRecord.grows())
      watcher.cancel()
      nextWatcher.cancel()
      #expect(try await eventually { try ProcessInspection.inotifyInstances().isEmpty })
    }
  }
}

/// Waits until the thread has read all events that the kernel has posted, and sleeps.
///
/// - Returns: Whether that came about.
private func threadHasReadEverything() async -> Bool {
  // The wake-up is read after the earlier events.
  let wakeUps = FileEvents.state.withLock { state in
    state.instance?.wakeUp()
    return state.instance?.wakeUps
  }
  guard let wakeUps else { return false }
  return await eventually {
    var awaited = pollfd(fd: wakeUps, events: Int16(POLLIN), revents: 0)
    return poll(&awaited, 1, 0) == 0
  }
}

/// Runs a body while the process may open no more files, which has the same effect as a user without further inotify instances.
private func withoutFreeDescriptors<Result>(_ body: () throws -> Result) throws -> Result {
  // Dispatch needs descriptors for the first timer of a process.
  let timer = DispatchSource.makeTimerSource()
  timer.schedule(deadline: .now())
  let fired = DispatchSemaphore(value: 0)
  timer.setEventHandler { fired.signal() }
  timer.activate()
  fired.wait()
  timer.cancel()

  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var limit = rlimit()
  try #require(getrlimit(resource, &limit) == 0)
  var lowered = limit
  lowered.rlim_cur = 0
  try #require(setrlimit(resource, &lowered) == 0)
  defer { setrlimit(resource, &limit) }
  return try body()
}
