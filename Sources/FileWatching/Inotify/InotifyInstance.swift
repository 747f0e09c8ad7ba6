#if canImport(Glibc) || canImport(Musl)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  /// An inotify instance, and a pipe to wake the thread that waits for its events. Both are closed when it is released.
  final class InotifyInstance: Sendable {
    let events: Int32
    let wakeUps: Int32
    private let wakeUpSender: Int32

    init() throws(FileWatcher.Failure) {
      let events = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard events >= 0 else { throw FileWatcher.Failure(attempt: .openingInotify, errorNumber: errno) }
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        let failure = FileWatcher.Failure(attempt: .openingPipe, errorNumber: errno)
        close(events)
        throw failure
      }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      self.events = events
      (wakeUps, wakeUpSender) = (ends[0], ends[1])
    }

    deinit {
      close(events)
      close(wakeUps)
      close(wakeUpSender)
    }

    /// Wakes the thread that waits for the instance's events. When the pipe is full there is no need for another byte.
    func wakeUp() {
      var byte: UInt8 = 0
      _ = write(wakeUpSender, &byte, 1)
    }

    /// - Returns: The watch descriptor; a folder that is already watched keeps its descriptor.
    func addWatch(ofFolder path: String) throws(FileWatcher.Failure) -> Int32 {
      let descriptor = inotify_add_watch(events, path, InotifyEvent.requestedMask)
      guard descriptor >= 0 else {
        throw FileWatcher.Failure(attempt: .watchingFolder(path), errorNumber: errno)
      }
      return descriptor
    }

    /// Removes a watch. The kernel has removed it already when the folder is gone.
    func removeWatch(_ descriptor: Int32) {
      _ = inotify_rm_watch(events, descriptor)
    }
  }
#endif
