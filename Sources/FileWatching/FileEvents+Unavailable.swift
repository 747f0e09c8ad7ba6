#if !(canImport(Glibc) || canImport(Musl))
  import Darwin

  /// The implementation for systems without inotify.
  enum FileEvents {
    static func start(_ calls: MergedCalls, for files: [WatchedFile]) throws(FileWatcher.Failure) {
      throw FileWatcher.Failure(attempt: .openingInotify, errorNumber: ENOSYS)
    }

    static func stop(_ calls: MergedCalls) {}
  }
#endif
