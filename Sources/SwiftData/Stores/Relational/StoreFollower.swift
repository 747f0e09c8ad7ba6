import Dispatch
import FileWatching
import Support

/// How far a store has heard of what others commit to its file, and what tells it that they may have.
final class StoreFollower: Sendable {
  private struct State {
    var watcher: FileWatcher?
    var post: (@Sendable (ChangeNotice) -> Void)?
  }

  /// How far transactions were looked at.
  struct Progress {
    /// The number of the last one.
    var last: Int64 = 0
    /// Whether the file was seen to be another one than the store has open.
    var isReplaced = false
    fileprivate var failures = 0
  }

  /// What came of a look.
  struct Finding {
    var mayHaveMore: Bool
    /// Called when contexts were told of what was found.
    var recordNotified: () -> Void = {}

    static var nothing: Finding { Finding(mayHaveMore: false) }
  }

  /// How soon after a look the next one may come. A process that saves all the time looks for what others save as well.
  private static let interval = Duration.milliseconds(2)

  private let state = Mutex(State())
  /// Whoever looks at transactions holds the lock.
  private let progress = Mutex(Progress())
  /// Where all looks are made: what one has found is told before the next one begins.
  private let looks = DispatchQueue(label: "StoreFollower")

  /// - Parameters:
  ///   - files: The files of the store for which others ring.
  ///   - last: Tells the number of the last transaction that everybody knows of.
  ///   - look: Called when there may be more, on a queue of its own.
  func start(
    _ files: [String], last: () throws -> Int64, _ post: @escaping @Sendable (ChangeNotice) -> Void,
    _ look: @escaping @Sendable () -> Void
  ) throws {
    state.withLock { $0.post = post }
    // A call for what is committed meanwhile waits until it is known from where on to look.
    try progress.withLock { progress in
      let watcher = try FileWatcher(files: files, minimumInterval: Self.interval, look)
      state.withLock { $0.watcher = watcher }
      progress = Progress(last: try last())
    }
  }

  /// Ends it. When this returns, nobody looks any more.
  func stop() {
    // Let go of outside the lock.
    let previous = state.withLock { state in
      defer { state = State() }
      return state
    }
    previous.watcher?.cancel()
    progress.withLock { _ in }
  }

  /// Calls `read` until it finds no more, and tells of what it has found. Where it fails, it is called again before long.
  ///
  /// - Parameter read: Takes the progress further. It is not to keep anything of the store when it returns: whoever stops
  ///   the follower then is the last to hold that.
  func advance(_ read: @escaping @Sendable (inout Progress, inout [ChangeNotice]) throws -> Finding) {
    looks.sync { look(read) }
  }

  private func look(_ read: @escaping @Sendable (inout Progress, inout [ChangeNotice]) throws -> Finding) {
    while let post = state.withLock({ $0.post }) {
      var notices: [ChangeNotice] = []
      let (finding, delay) = progress.withLock { progress -> (Finding, Double?) in
        do {
          let finding = try read(&progress, &notices)
          progress.failures = 0
          return (finding, nil)
        } catch {
          defer { progress.failures += 1 }
          if progress.failures == 0 { Log.store.error("What others committed to a store cannot be read: \(error)") }
          return (.nothing, RetryDelay.seconds(afterAttempt: progress.failures))
        }
      }
      for notice in notices { post(notice) }
      finding.recordNotified()
      if let delay { looks.asyncAfter(deadline: .now() + delay) { [weak self] in self?.look(read) } }
      if !finding.mayHaveMore { return }
    }
  }
}
