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

    /// Sets the name that debuggers show, through a file because Swift does not import the C library's function for it.
    private static func nameThisThread() {
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, threadName, threadName.utf8.count)
      close(file)
    }

    /// - Returns: Whether reading worked until the end.
    private static func readUntilUnused() -> Bool {
      // Copies of the descriptors, because the instance is closed when it is removed from the state.
      let descriptors = state.withLock { state in state.instance.map { [$0.events, $0.wakeUps] } ?? [] }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
      defer { buffer.deallocate() }
      var awaited = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      var pause = shortestPause
      while !endIfUnused() {
        // Events that came during a pause belong to a burst.
        let isBurst = poll(&awaited, nfds_t(awaited.count), 0) > 0
        pause = isBurst ? min(pause * 2, longestPause) : shortestPause
        guard isBurst || poll(&awaited, nfds_t(awaited.count), -1) >= 0 else {
          if errno == EINTR { continue }
          return false
        }
        for ready in awaited where ready.revents != 0 {
          guard let bytes = available(in: ready.fd, buffer) else { return false }
          // The pipe only wakes the thread; its bytes have no meaning.
          guard ready.fd == descriptors[0] else { continue }
          notify(InotifyEvent.all(in: bytes))
          usleep(pause)
        }
      }
      return true
    }

    // Microseconds for which the thread pauses after events. In a burst of writes it then wakes once in that time and not for
    // every write; otherwise a process that writes all the time would pay as much for watching as for writing. The kernel
    // merges equal events meanwhile, and its queue is large enough for all others.
    private static let shortestPause: useconds_t = 1000
    private static let longestPause: useconds_t = 16000

    /// The bytes that a non-blocking descriptor has now, or nil when it cannot be read from any more.
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

    /// Discards an instance that cannot be read from, which happens only when other code closes its descriptors. Its watchers
    /// get a last call; later watchers get another instance.
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
