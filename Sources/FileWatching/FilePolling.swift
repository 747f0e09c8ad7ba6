import Dispatch
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Polls files at an interval and requests a call when one has changed.
final class FilePolling: Sendable {
  private let files: [WatchedFile]
  private let calls: MergedCalls
  private let states: Mutex<[FileState]>
  // Unsafe only because Dispatch lacks the annotation: a source may be used from any thread.
  private nonisolated(unsafe) let timer: any DispatchSourceTimer

  /// - Throws: A failure when a folder does not exist.
  init(of files: [WatchedFile], every interval: Duration, for calls: MergedCalls) throws(FileWatcher.Failure) {
    for file in files {
      guard let errorNumber = folderError(at: file.folder) else { continue }
      throw FileWatcher.Failure(attempt: .watchingFolder(file.folder), errorNumber: errorNumber)
    }
    self.files = files
    self.calls = calls
    states = Mutex(files.map { FileState(ofFileAt: $0.path) })
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "FileWatcher.polling"))
    let nanoseconds = Int(clamping: max(interval, .milliseconds(1)).wholeNanoseconds)
    timer.schedule(
      deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds),
      leeway: .nanoseconds(nanoseconds / 10))
    timer.setEventHandler { [weak self] in self?.poll() }
    timer.activate()
  }

  func cancel() {
    timer.cancel()
  }

  private func poll() {
    let isChanged = states.withLock { states in
      let current = files.map { FileState(ofFileAt: $0.path) }
      defer { states = current }
      return zip(states, current).contains { $0.mayDiffer(from: $1) }
    }
    if isChanged { calls.request() }
  }
}

/// Why there is no folder at a path, or nil when there is one.
private func folderError(at path: String) -> Int32? {
  var status = stat()
  guard stat(path, &status) == 0 else { return errno }
  return status.st_mode & S_IFMT == S_IFDIR ? nil : ENOTDIR
}
