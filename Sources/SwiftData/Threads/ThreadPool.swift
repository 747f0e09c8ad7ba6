import Dispatch
import Foundation
import Support

/// Threads for jobs that may block, such as fetches and saves. Their number is limited; while all are busy, further jobs
/// wait.
///
/// The threads of Swift's cooperative pool are not suitable: there are as many as processors. Neither are private Dispatch
/// queues without a limit: up to 255 threads serve them, and when all of these wait for a lock, so do all other queues of
/// the process.
///
/// A *lane* is a serial Dispatch queue, and so at most one thread. Dispatch starts the thread when it is needed, and ends
/// it after five idle seconds; a thread that is not needed is not woken.
final class ThreadPool: Sendable {
  /// Serves the model actors of the process, and `ModelContainer.perform`.
  ///
  /// Threads that wait for the lock of another process are not available for reads, hence at least 16. Dispatch has 255 in
  /// total, hence at most half of these.
  static let shared = ThreadPool(limit: min(max(16, 2 * ProcessInfo.processInfo.activeProcessorCount), 128))

  let limit: Int

  private struct State {
    var idleLanes: [DispatchQueue] = []
    var laneCount = 0
    /// The queues that wait for a lane. If there is one, no lane is idle.
    var waiting = FIFOQueue<SerialQueue>()
  }

  private let state = Mutex(State())
  /// The threads that run jobs.
  private static let threads = Mutex<Set<UInt>>([])

  /// - Parameter limit: At least 1.
  init(limit: Int) {
    self.limit = limit
  }

  /// Whether the caller runs on a thread of a pool, also inside a synchronous call of another queue.
  static var isCurrent: Bool {
    let number = CurrentThread.number
    return threads.withLock { $0.contains(number) }
  }

  /// The number of queues that wait for a thread.
  var waitingCount: Int {
    state.withLock { $0.waiting.count }
  }

  /// Lets a thread call the queue's `runNext` until there is no more.
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
