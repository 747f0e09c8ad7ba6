extension FileWatcher {
  /// How a watcher detects changes.
  enum Means: Hashable, Sendable {
    /// File events of the system; without them the watcher fails.
    case fileEvents
    case polling(every: Duration)
    /// File events of the system, or else polling.
    case bestAvailable

    /// Requests calls from now on when something happens to the files.
    ///
    /// - Returns: The poller, or nil when the system sends events.
    func watch(_ files: [WatchedFile], for calls: MergedCalls) throws(Failure) -> FilePolling? {
      switch self {
      case .fileEvents:
        try FileEvents.start(calls, for: files)
        return nil
      case .polling(let interval):
        return try FilePolling(of: files, every: interval, for: calls)
      case .bestAvailable:
        do {
          return try Self.fileEvents.watch(files, for: calls)
        } catch {
          guard error.leavesPolling else { throw error }
          return try Self.polling(every: .milliseconds(250)).watch(files, for: calls)
        }
      }
    }
  }
}
