/// Tells when somebody rings for files (``FileSignal``), and when they are made, replaced, removed or closed by a writer, by
/// whatever process or connection.
///
/// It is meant for the files of an SQLite store (`store`, `store-wal`), whose writers ring after each commit:
/// ```swift
/// let watcher = try FileWatcher(files: [path, path + "-wal"]) { lookForChanges() }
/// ```
/// A call says that something has probably happened, not what: it may come without cause, for a ring just before the
/// watcher was made, say, or where the system had more to tell than it could keep. The reverse does not occur: after each
/// ring comes a call that begins later than it.
///
/// On Linux the system tells (inotify). All watchers of the process share one inotify instance and one thread, which sleeps
/// while nothing happens in any of the folders. Elsewhere, and where the limits of inotify are reached, the files are
/// looked at every 250 milliseconds; see ``isPolling``.
///
/// Not noticed are
/// - writes after which nobody rings or closes the file, unless the watcher is polling;
/// - rings for another hard link to the file, in another folder;
/// - what another machine does on a network file system, unless the watcher is polling;
/// - that a folder was made anew in the place of one which was removed: the last call is the one for the removal. A folder
///   that moves takes its watchers along.
///
/// The folder may be reached through symbolic links. Where a file itself is one, what it points to when the watcher is made
/// is watched as well. SQLite puts the other files of a store beside the target, so their paths have to be the target's.
package final class FileWatcher: Sendable {
  private let calls: MergedCalls
  private let polling: FilePolling?

  /// Begins to watch; whatever happens after the initializer has returned is noticed.
  ///
  /// - Parameters:
  ///   - files: Paths. The files need not exist, but their folders must. A relative path counts from the working directory,
  ///     which must stay the same then.
  ///   - minimumInterval: The time from the beginning of a call until the next one may begin. What happens in between leads
  ///     to one call at its end.
  ///   - body: Is called on a queue of the watcher's own, never twice at a time. It may take its time and may block: other
  ///     watchers do not wait for it. It is released when the watcher is cancelled.
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

  /// Whether the files are looked at every 250 milliseconds because the system does not tell when they change.
  ///
  /// That is so on all systems but Linux, and on Linux when the process may not have another inotify instance (`EMFILE`),
  /// the user's watches are used up (`ENOSPC`) or the kernel has no inotify (`ENOSYS`). It is decided when the watcher is
  /// made. Of writes that come faster than files are looked at, only the outcome is noticed then, and each look costs the
  /// processor a system call for each file.
  package var isPolling: Bool { polling != nil }

  /// Ends the watching: no call begins any more once this has returned.
  ///
  /// A call that has begun on another thread may still be running. It is not waited for, so this can be called with any lock
  /// held, from the body too, from any thread and more than once. A watcher that nobody keeps is cancelled.
  package func cancel() {
    calls.cancel()
    if let polling { polling.cancel() } else { FileEvents.stop(calls) }
  }

  deinit {
    cancel()
  }
}
