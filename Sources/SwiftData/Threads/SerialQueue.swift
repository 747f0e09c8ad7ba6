import Dispatch
import Support

import struct Synchronization.Atomic

/// Runs jobs one after the other, on threads of a pool, possibly each on another one.
///
/// A queue frees its thread after each job if other queues are waiting, so that a long queue does not block them.
final class SerialQueue: SerialExecutor {
  typealias Work = @Sendable () -> Void

  private enum Turn {
    /// There is nothing to run.
    case none
    /// A thread was requested to call `runNext`.
    case waiting
    case running
  }

  private struct State {
    var jobs = FIFOQueue<Work>()
    var turn = Turn.none
    var isHurried = false
  }

  private let pool: ThreadPool
  private let state = Mutex(State())
  /// The thread that runs a job; zero if there is none.
  private let thread = Atomic<UInt>(0)

  init(on pool: ThreadPool) {
    self.pool = pool
  }

  /// Whether the caller is run by the queue.
  var isCurrent: Bool {
    thread.load(ordering: .relaxed) == CurrentThread.number
  }

  func async(_ work: @escaping Work) {
    let (isNew, isHurried) = state.withLock { state in
      state.jobs.append(work)
      let isNew = state.turn == .none
      if isNew { state.turn = .waiting }
      return (isNew, state.isHurried)
    }
    guard isNew else { return }
    if isHurried { runElsewhere() } else { pool.serve(self) }
  }

  /// Runs waiting and future jobs without waiting for a thread of the pool. For jobs that end at once.
  func hurry() {
    let isWaiting = state.withLock { state in
      state.isHurried = true
      return state.turn == .waiting
    }
    if isWaiting { runElsewhere() }
  }

  private static let hurried = DispatchQueue(label: "swiftdata.hurried")

  private func runElsewhere() {
    Self.hurried.async { while self.runNext() {} }
  }

  /// Runs one job, unless another thread does.
  ///
  /// - Returns: Whether there is more to run.
  func runNext() -> Bool {
    do {
      // Released before the next job may run on another thread.
      guard let work = take() else { return false }
      thread.store(CurrentThread.number, ordering: .relaxed)
      work()
      thread.store(0, ordering: .relaxed)
    }
    return state.withLock { state in
      state.turn = state.jobs.isEmpty ? .none : .waiting
      return state.turn == .waiting
    }
  }

  private func take() -> Work? {
    state.withLock { state -> Work? in
      guard state.turn == .waiting, let work = state.jobs.popFirst() else { return nil }
      state.turn = .running
      return work
    }
  }

  // MARK: SerialExecutor

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    self.async { job.runSynchronously(on: executor) }
  }

  func checkIsolated() {
    precondition(isCurrent, "The caller is not isolated to the actor")
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
