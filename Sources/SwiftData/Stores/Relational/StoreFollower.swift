import FileWatching
import Support

/// How far a store has heard of what others commit to its file, and what tells it that they may have.
final class StoreFollower: Sendable {
  private struct State {
    var watcher: FileWatcher?
    var post: (@Sendable (ChangeNotice) -> Void)?
  }

  private struct Progress {
    /// The number of the last transaction that was looked at.
    var last: Int64 = 0
    var hasFailed = false
  }

  /// How soon after a look the next one may come. A process that saves all the time looks for what others save as well.
  private static let interval = Duration.milliseconds(2)

  private let state = Mutex(State())
  /// Whoever looks at transactions holds the lock.
  private let progress = Mutex(Progress())

  /// - Parameters:
  ///   - path: The file of the store.
  ///   - last: Tells the number of the last transaction that everybody knows of.
  ///   - look: Called when there may be more, on a queue of its own.
  func start(
    _ path: String, last: () throws -> Int64, _ post: @escaping @Sendable (ChangeNotice) -> Void,
    _ look: @escaping @Sendable () -> Void
  ) throws {
    state.withLock { $0.post = post }
    // A call for what is committed meanwhile waits until it is known from where on to look.
    try progress.withLock { progress in
      let watcher = try FileWatcher(
        files: [path, path + "-wal"], minimumInterval: Self.interval, look)
      state.withLock { $0.watcher = watcher }
      progress = Progress(last: try last())
    }
  }

  /// Ends it. When this returns, nobody looks any more.
  func stop() {
    // Let go of outside the lock.
    let former = state.withLock { state in
      defer { state = State() }
      return state
    }
    former.watcher?.cancel()
    progress.withLock { _ in }
  }

  /// Has what came after a transaction looked at once more.
  func goBack(to last: Int64) {
    progress.withLock { $0.last = last }
  }

  /// Calls `read` with the number of the last transaction that was looked at, until it finds no more, and tells of what it
  /// has found.
  ///
  /// - Parameter read: Returns whether there may be more. It is not to keep anything of the store when it returns: whoever
  ///   stops the follower then is the last to hold that.
  func advance(_ read: (inout Int64, inout [ChangeNotice]) throws -> Bool) {
    while let post = state.withLock({ $0.post }) {
      var notices: [ChangeNotice] = []
      let mayHaveMore = progress.withLock { progress in
        do {
          let mayHaveMore = try read(&progress.last, &notices)
          progress.hasFailed = false
          return mayHaveMore
        } catch {
          // The next write brings another look.
          if !progress.hasFailed { Log.store.error("What others committed to a store cannot be read: \(error)") }
          progress.hasFailed = true
          return false
        }
      }
      for notice in notices { post(notice) }
      if !mayHaveMore { return }
    }
  }
}
