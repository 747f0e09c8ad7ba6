#if canImport(Glibc) || canImport(Musl)
  import Support

  /// The file events of the system, shared by all watchers of the process.
  ///
  /// The first observer opens the inotify instance and starts the thread that reads from it; both end with the last observer.
  /// There is at most one of each.
  enum FileEvents {
    struct State {
      /// Exists as long as its thread runs. Only the thread removes it.
      var instance: InotifyInstance?
      var observers = FolderObservers<MergedCalls>()
    }

    static let state = Mutex(State())

    /// Requests calls from now on when something happens to the files. It watches all of the files or throws.
    static func start(_ calls: MergedCalls, for files: [WatchedFile]) throws(FileWatcher.Failure) {
      try state.withLock { state throws(FileWatcher.Failure) in
        if let instance = state.instance {
          state.observers.add(calls, at: try places(of: files, watchedBy: instance, besides: state.observers))
        } else {
          let instance = try InotifyInstance()
          let places = try places(of: files, watchedBy: instance, besides: state.observers)
          try startThread()
          state.instance = instance
          state.observers.add(calls, at: places)
        }
      }
    }

    /// Stops requesting calls. It has no effect when none are requested.
    static func stop(_ calls: MergedCalls) {
      state.withLock { state in
        for descriptor in state.observers.remove(calls) {
          state.instance?.removeWatch(descriptor)
        }
        if state.observers.isEmpty { state.instance?.wakeUp() }
      }
    }

    private static func places(
      of files: [WatchedFile], watchedBy instance: InotifyInstance, besides observers: FolderObservers<MergedCalls>
    ) throws(FileWatcher.Failure) -> [FolderObservers<MergedCalls>.Place] {
      var places: [FolderObservers<MergedCalls>.Place] = []
      do {
        for file in files {
          places.append(.init(descriptor: try instance.addWatch(ofFolder: file.folder), name: file.name))
        }
      } catch {
        for place in places where !observers.needs(place.descriptor) {
          instance.removeWatch(place.descriptor)
        }
        throw error
      }
      return places
    }
  }
#endif
