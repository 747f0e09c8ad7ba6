import Dispatch
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells the watchers of a file, in all processes, that something is ready for them.
///
/// What a program does when it commits is not always a write that the system tells of, or the write comes too early: SQLite
/// writes to its log first, waits for the disk where it has to, and makes the commit visible in shared memory at last.
/// Whoever looked at the first write would find nothing, and hear nothing more.
///
/// To ring sets the times of the file, for which no descriptor is opened: to close one would release the locks that SQLite
/// has on the file.
package final class FileSignal: Sendable {
  private struct State {
    /// When the bell may be rung again, by the clock of Dispatch.
    var earliest: UInt64 = 0
    var isRingWaiting = false
  }

  private let file: String
  private let minimumInterval: UInt64
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "FileSignal")

  /// - Parameters:
  ///   - file: A path. Nothing happens where there is no file, or one that the process may not write to.
  ///   - minimumInterval: How soon after a ring the next one comes. Those asked for in between are one, at its end.
  package init(file: String, minimumInterval: Duration) {
    self.file = file
    self.minimumInterval = minimumInterval.wholeNanoseconds
  }

  /// Rings before it returns, or at the end of the interval: should the process end before that, the system tells the
  /// watchers as it closes the process's files.
  package func ring() {
    let now = DispatchTime.now().uptimeNanoseconds
    let wait: UInt64? = state.withLock { state in
      if state.isRingWaiting { return nil }
      if state.earliest <= now {
        state.earliest = now + minimumInterval
        return 0
      }
      state.isRingWaiting = true
      return state.earliest
    }
    guard let wait else { return }
    if wait == 0 { return touch() }
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: wait)) {
      self.state.withLock { state in
        state.isRingWaiting = false
        state.earliest = DispatchTime.now().uptimeNanoseconds + self.minimumInterval
      }
      self.touch()
    }
  }

  private func touch() {
    // Where it cannot be done, the file is gone or is somebody else's, and nothing was committed to it either.
    _ = utimensat(AT_FDCWD, file, nil, 0)
  }
}
