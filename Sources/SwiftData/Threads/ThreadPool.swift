import Dispatch
import Foundation
import Support

/// Threads for work that may block them, as fetches and saves do. There are no more than a limit; whatever comes while
/// all are busy waits.
///
/// The threads that Swift runs tasks on are not for this: there are as many as processors. Neither are private queues of
/// Dispatch without a limit: up to 255 threads serve them, and when all of these wait for a lock, so do all other queues of
/// the process.
///
/// A *lane* is a serial queue of Dispatch, and so one thread at most. Dispatch starts it when it is needed, and ends it when
/// it has had nothing to do for five seconds; a thread that is not needed is not woken.
final class ThreadPool: Sendable {
  /// Serves the model actors of the process, and `ModelContainer.perform`.
  ///
  /// Threads that wait for the lock of another process are missing for reads, hence no less than 16. Dispatch has 255 for
  /// all, hence no more than half of these.
  static let shared = ThreadPool(limit: min(max(16, 2 * ProcessInfo.processInfo.activeProcessorCount), 128))

  let limit: Int

  private struct State {
    var idleLanes: [DispatchQueue] = []
    var laneCount = 0
    /// The queues that wait for a lane. Where there is one, no lane is idle.
    var waiting = WaitingLine<SerialQueue>()
  }

  private let state = Mutex(State())
  /// The threads that are at work.
  private static let threads = Mutex<Set<UInt>>([])

  /// - Parameter limit: At least one.
  init(limit: Int) {
    self.limit = limit
  }

  /// Whether the caller runs on a thread of a pool, also in the middle of what that does on another queue.
  static var isCurrent: Bool {
    let number = CurrentThread.number
    return threads.withLock { $0.contains(number) }
  }

  /// How many queues wait for a thread.
  var waitingCount: Int {
    state.withLock { $0.waiting.count }
  }

  /// Has a thread call the queue's `runNext` until there is no more.
  func serve(_ queue: SerialQueue) {
    let lane = state.withLock { state -> DispatchQueue? in
      if let lane = state.idleLanes.popLast() { return lane }
      if state.laneCount < limit {
        state.laneCount += 1
        return DispatchQueue(label: "swiftdata.lane")
      }
      state.waiting.append(queue)
      return nil
    }
    if let lane { lane.async { self.work(queue, on: lane) } }
  }

  private func work(_ queue: SerialQueue, on lane: DispatchQueue) {
    let number = CurrentThread.number
    Self.threads.withLock { _ = $0.insert(number) }
    defer { Self.threads.withLock { _ = $0.remove(number) } }
    var next: SerialQueue? = queue
    while let queue = next {
      let hasMore = queue.runNext()
      next = state.withLock { state -> SerialQueue? in
        if hasMore { state.waiting.append(queue) }
        if let first = state.waiting.popFirst() { return first }
        state.idleLanes.append(lane)
        return nil
      }
    }
  }
}
