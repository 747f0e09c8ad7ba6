import Dispatch
import Support

import struct Synchronization.Atomic

/// Runs pieces of work one after the other, on threads of a pool: each on another one, maybe.
///
/// A queue gives its thread up after each piece of work when others wait for one, so that a long queue holds up nobody.
final class SerialQueue: SerialExecutor {
  typealias Work = @Sendable () -> Void

  private enum Turn {
    /// There is nothing to run.
    case none
    /// Somebody has been told to call `runNext`.
    case waiting
    case running
  }

  private struct State {
    var works = WaitingLine<Work>()
    var turn = Turn.none
    var isHurried = false
  }

  private let pool: ThreadPool
  private let state = Mutex(State())
  /// The thread that runs a piece of work; zero when none does.
  private let thread = Atomic<UInt>(0)

  init(on pool: ThreadPool) {
    self.pool = pool
  }

  /// Whether the caller is a part of the queue's work.
  var isCurrent: Bool {
    thread.load(ordering: .relaxed) == CurrentThread.number
  }

  func async(_ work: @escaping Work) {
    let (isNew, isHurried) = state.withLock { state in
      state.works.append(work)
      let isNew = state.turn == .none
      if isNew { state.turn = .waiting }
      return (isNew, state.isHurried)
    }
    guard isNew else { return }
    if isHurried { runElsewhere() } else { pool.serve(self) }
  }

  /// Has what waits, and what will come, run without waiting for a thread of the pool: work that ends at once.
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

  /// Runs one piece of work, unless another thread has come first.
  ///
  /// - Returns: Whether there is more to run.
  func runNext() -> Bool {
    do {
      // Let go of before the next piece may run elsewhere.
      guard let work = take() else { return false }
      thread.store(CurrentThread.number, ordering: .relaxed)
      work()
      thread.store(0, ordering: .relaxed)
    }
    return state.withLock { state in
      state.turn = state.works.isEmpty ? .none : .waiting
      return state.turn == .waiting
    }
  }

  private func take() -> Work? {
    state.withLock { state -> Work? in
      guard state.turn == .waiting, let work = state.works.popFirst() else { return nil }
      state.turn = .running
      return work
    }
  }

  // MARK: As an executor

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
