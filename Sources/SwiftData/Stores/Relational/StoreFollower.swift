import Dispatch
import Relational
import Support

/// Follows commits of others to a store, and notifies contexts of them.
final class StoreFollower: Sendable {
  private struct State {
    var observation: (any DatabaseObservation)?
    var post: (@Sendable (ChangeNotice) -> Void)?
  }

  /// The progress in the history.
  struct Progress {
    /// The number of the last transaction read.
    var last: Int64 = 0
    /// Whether the store's file was found replaced.
    var isReplaced = false
    fileprivate var failures = 0
  }

  /// The result of one read.
  struct Finding {
    var mayHaveMore: Bool
    /// Called after contexts were notified of the transactions.
    var recordNotified: () -> Void = {}

    static var nothing: Finding { Finding(mayHaveMore: false) }
  }

  private let state = Mutex(State())
  // The lock is held while transactions are read.
  private let progress = Mutex(Progress())
  /// The queue of all reads: contexts are notified of one read before the next one begins.
  private let polls = DispatchQueue(label: "StoreFollower")

  /// - Parameters:
  ///   - signal: The signal of commits.
  ///   - last: Returns the number of the last transaction of which all contexts know.
  ///   - poll: Called when there may be more transactions, on a queue of its own.
  func start(
    _ signal: any DatabaseSignal, last: () throws -> Int64, _ post: @escaping @Sendable (ChangeNotice) -> Void,
    _ poll: @escaping @Sendable () -> Void
  ) throws {
    state.withLock { $0.post = post }
    // An event during the setup waits until `last` is known.
    try progress.withLock { progress in
      let observation = try signal.observe(poll)
      state.withLock { $0.observation = observation }
      progress = Progress(last: try last())
    }
  }

  /// Stops following. No read is in progress when this returns.
  func stop() {
    // Released outside the lock.
    let previous = state.withLock { state in
      defer { state = State() }
      return state
    }
    previous.observation?.cancel()
    progress.withLock { _ in }
  }

  /// Calls `read` until it finds no more transactions, and posts its notices. After a failure, it is called again later.
  ///
  /// - Parameter read: Advances the progress. It must not retain the store after it returns: the caller of `stop` releases
  ///   that last.
  func advance(_ read: @escaping @Sendable (inout Progress, inout [ChangeNotice]) throws -> Finding) {
    polls.sync { poll(read) }
  }

  private func poll(_ read: @escaping @Sendable (inout Progress, inout [ChangeNotice]) throws -> Finding) {
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
      if let delay { polls.asyncAfter(deadline: .now() + delay) { [weak self] in self?.poll(read) } }
      if !finding.mayHaveMore { return }
    }
  }
}
