#if canImport(Glibc) || canImport(Musl)
  import Support

  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  // The thread that reads from the inotify instance.
  extension FileEvents {
    /// At most 15 characters, which is what Linux keeps.
    static let threadName = "file-watching"

    static func startThread() throws(FileWatcher.Failure) {
      #if canImport(Musl)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      let errorNumber = pthread_create(&thread, nil, threadBody, nil)
      guard errorNumber == 0 else { throw FileWatcher.Failure(attempt: .startingThread, errorNumber: errorNumber) }
    }

    fileprivate static func readThenEnd() {
      pthread_detach(pthread_self())
      nameThisThread()
      if !readUntilUnused() { abandon() }
    }

    /// Shows the name to debuggers, through a file because Swift does not see the C library's function for it.
    private static func nameThisThread() {
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, threadName, threadName.utf8.count)
      close(file)
    }

    /// - Returns: Whether reading worked until the end.
    private static func readUntilUnused() -> Bool {
      // The numbers and not the instance, which is closed when it is taken out of the state.
      let descriptors = state.withLock { state in state.instance.map { [$0.events, $0.wakeUps] } ?? [] }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
      defer { buffer.deallocate() }
      var awaited = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      var pause = shortestPause
      while !endIfUnused() {
        // What has come during a pause is part of a burst.
        let isBurst = poll(&awaited, nfds_t(awaited.count), 0) > 0
        pause = isBurst ? min(pause * 2, longestPause) : shortestPause
        guard isBurst || poll(&awaited, nfds_t(awaited.count), -1) >= 0 else {
          if errno == EINTR { continue }
          return false
        }
        for ready in awaited where ready.revents != 0 {
          guard let bytes = available(in: ready.fd, buffer) else { return false }
          // What comes through the pipe says nothing more than that it came.
          guard ready.fd == descriptors[0] else { continue }
          notify(InotifyEvent.all(in: bytes))
          usleep(pause)
        }
      }
      return true
    }

    // Microseconds that the thread keeps out of the way after events. In a burst of writes it then wakes once in that time
    // and not for every write, or a process that writes all the time would pay as much for the watching as for the writing;
    // the kernel merges equal events meanwhile, and keeps many more others than come in the time.
    private static let shortestPause: useconds_t = 1000
    private static let longestPause: useconds_t = 16000

    /// What can be read now from a descriptor that does not block, or nil when it cannot be read from any more.
    private static func available(
      in descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      return count < 0 && [EAGAIN, EINTR].contains(errno) ? UnsafeRawBufferPointer(start: nil, count: 0) : nil
    }

    private static func notify(_ events: [InotifyEvent]) {
      let receivers = state.withLock { state in
        events.flatMap { state.observers.receivers(of: $0) }
      }
      for calls in receivers { calls.request() }
    }

    private static func endIfUnused() -> Bool {
      state.withLock { state in
        guard state.observers.isEmpty else { return false }
        state.instance = nil
        return true
      }
    }

    /// Gives up an instance that cannot be read from, which only happens when somebody else closes its descriptors. The
    /// watchers get a last call; later ones get another instance.
    private static func abandon() {
      let receivers = state.withLock { state in
        defer { state = State() }
        return state.observers.all
      }
      for calls in receivers { calls.request() }
    }
  }

  private func threadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    FileEvents.readThenEnd()
    return nil
  }
#endif
