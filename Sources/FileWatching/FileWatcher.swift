/// Calls a closure when a process signals a commit to files (``FileSignal``), and when any process or connection creates,
/// replaces, removes or closes them after writing.
///
/// It watches the files of an SQLite store (`store`, `store-wal`), whose writers signal each commit:
/// ```swift
/// let watcher = try FileWatcher(files: [path, path + "-wal"]) { lookForChanges() }
/// ```
/// A call says that something has probably happened, not what: there may be calls without a change, such as for a signal just
/// before the watcher was created, or after the system's event queue overflowed. The reverse does not occur: after each signal
/// comes a call that begins later.
///
/// Linux sends file events (inotify). All watchers of the process share one inotify instance and one thread, which sleeps while
/// nothing happens in any of the folders. Elsewhere, and where the limits of inotify are reached, the watcher polls the files
/// every 250 milliseconds; see ``isPolling``.
///
/// A watcher does not notice
/// - writes after which no process signals or closes the file, unless the watcher is polling;
/// - signals to another hard link of the file, in another folder;
/// - changes by another machine on a network file system, unless the watcher is polling;
/// - that a folder was created again after it was removed: the last call is the one for the removal. A folder that moves is
///   still watched.
///
/// The folder may be reached through symbolic links. Where a file itself is one, its target at the time of creation is watched
/// as well. SQLite puts the other files of a store beside the target, so their paths have to be the target's.
package final class FileWatcher: Sendable {
  private let calls: MergedCalls
  private let polling: FilePolling?

  /// Begins to watch; the watcher notices everything that happens after the initializer has returned.
  ///
  /// - Parameters:
  ///   - files: Paths. The files need not exist, but their folders must. Relative paths require that the working directory does
  ///     not change.
  ///   - minimumInterval: The time from the beginning of a call until the next one may begin. Events in between are merged into
  ///     one call at its end.
  ///   - body: Is called on the watcher's own queue, never concurrently. It may take long and may block: other watchers do not
  ///     wait for it. It is released when the watcher is cancelled.
  /// - Throws: ``Failure`` when a folder does not exist or may not be read, or when the system has no memory or thread left.
  package convenience init(
    files: [String], minimumInterval: Duration = .milliseconds(1), _ body: @escaping @Sendable () -> Void
  ) throws(Failure) {
    try self.init(files: files, minimumInterval: minimumInterval, means: .bestAvailable, body)
  }

  init(
    files: [String], minimumInterval: Duration = .milliseconds(1), means: Means, _ body: @escaping @Sendable () -> Void
  ) throws(Failure) {
    calls = MergedCalls(minimumInterval: minimumInterval, body)
    polling = try means.watch(WatchedFile.all(at: files), for: calls)
  }

  /// Whether the files are polled every 250 milliseconds because the system sends no file events.
  ///
  /// That is so on all systems but Linux, and on Linux when the process may not have another inotify instance (`EMFILE`), the
  /// user's watches are used up (`ENOSPC`) or the kernel has no inotify (`ENOSYS`). It is decided when the watcher is created.
  /// Polling notices only the outcome of several writes within an interval, and each poll costs a system call for each file.
  package var isPolling: Bool { polling != nil }

  /// Stops watching: no call begins after this has returned.
  ///
  /// A call that has begun on another thread may still be running. `cancel` does not wait for it, so it can be called with any
  /// lock held, from the body too, from any thread and more than once. A watcher is cancelled when it is released.
  package func cancel() {
    calls.cancel()
    if let polling { polling.cancel() } else { FileEvents.stop(calls) }
  }

  deinit {
    cancel()
  }
}
