import Dispatch
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Notifies the watchers of a file, in all processes, after a commit.
///
/// The system's own events are missing or too early for a commit: SQLite writes to its log first, waits for the disk where it
/// has to, and makes the commit visible in shared memory last. A watcher that reads after the first write finds no commit, and
/// gets no further event.
///
/// The signal sets the times of the file by its path. It opens no descriptor, because closing one would release the locks that
/// SQLite has on the file.
package final class FileSignal: Sendable {
  private struct State {
    /// The earliest time of the next signal, by the clock of Dispatch.
    var earliest: UInt64 = 0
    var isSignalPending = false
  }

  private let file: String
  private let minimumInterval: UInt64
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "FileSignal")

  /// - Parameters:
  ///   - file: A path. Nothing happens where there is no file, or where the process may not write to it.
  ///   - minimumInterval: The shortest time between two signals. Requests in between are merged into one signal at its end.
  package init(file: String, minimumInterval: Duration) {
    self.file = file
    self.minimumInterval = minimumInterval.wholeNanoseconds
  }

  /// Signals before it returns, or at the end of the interval. If the process ends before that, the system notifies the
  /// watchers when it closes the process's files.
  package func ring() {
    let now = DispatchTime.now().uptimeNanoseconds
    let wait: UInt64? = state.withLock { state in
      if state.isSignalPending { return nil }
      if state.earliest <= now {
        state.earliest = now + minimumInterval
        return 0
      }
      state.isSignalPending = true
      return state.earliest
    }
    guard let wait else { return }
    if wait == 0 { return touch() }
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: wait)) {
      self.state.withLock { state in
        state.isSignalPending = false
        state.earliest = DispatchTime.now().uptimeNanoseconds + self.minimumInterval
      }
      self.touch()
    }
  }

  private func touch() {
    // If this fails, the file is gone or belongs to another user, and nothing was committed to it either.
    _ = utimensat(AT_FDCWD, file, nil, 0)
  }
}
