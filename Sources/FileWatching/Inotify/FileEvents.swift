#if canImport(Glibc) || canImport(Musl)
  import Support

  /// What the system tells of files, shared by all watchers of the process.
  ///
  /// The first who starts to listen opens the inotify instance and starts the thread that reads from it; with the last one
  /// both end. There is one of each at a time.
  enum FileEvents {
    struct State {
      /// Is there as long as its thread runs. Only the thread takes it away.
      var instance: InotifyInstance?
      var observers = FolderObservers<MergedCalls>()
    }

    static let state = Mutex(State())

    /// Has calls requested from now on when something happens to the files. Either all are watched or it throws.
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

    /// Has no calls requested any more. Nothing happens when they are not.
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
