extension FileWatcher {
  /// How a watcher learns of changes.
  enum Means: Hashable, Sendable {
    /// The system tells, or the watcher fails.
    case fileEvents
    case polling(every: Duration)
    /// The system tells, or else the files are looked at.
    case bestAvailable

    /// Has calls requested from now on when something happens to the files.
    ///
    /// - Returns: What looks at the files, or nil when the system tells.
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
