import Dispatch
import Support

/// Calls a body on request, and merges the requests that come before the call begins.
///
/// After each request comes a call that begins later than the request. At most one call is pending, so a request is cheap and
/// never blocks, however long the body takes.
final class MergedCalls: Sendable {
  private struct State {
    var body: (@Sendable () -> Void)?
    var isCallWaiting = false
    var earliestCall: UInt64 = 0
  }

  private let minimumInterval: UInt64
  private let state: Mutex<State>
  // A queue without an explicit target. With a shared global queue, Dispatch would start a timer that wakes the process every
  // second to look for blocked threads.
  private let queue = DispatchQueue(label: "FileWatcher")

  init(minimumInterval: Duration, _ body: @escaping @Sendable () -> Void) {
    self.minimumInterval = minimumInterval.wholeNanoseconds
    state = Mutex(State(body: body))
  }

  func request() {
    let earliest: UInt64? = state.withLock { state in
      guard state.body != nil, !state.isCallWaiting else { return nil }
      state.isCallWaiting = true
      return state.earliestCall
    }
    guard let earliest else { return }
    if earliest <= DispatchTime.now().uptimeNanoseconds {
      queue.async { self.call() }
    } else {
      queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: earliest)) { self.call() }
    }
  }

  /// Prevents further calls, and releases the body.
  func cancel() {
    // Released outside of the lock, because its deinitializer may call anything, `cancel` included.
    let body = state.withLock { state in
      let body = state.body
      state.body = nil
      return body
    }
    _ = consume body
  }

  private func call() {
    let body = state.withLock { state in
      state.isCallWaiting = false
      state.earliestCall = DispatchTime.now().uptimeNanoseconds + minimumInterval
      return state.body
    }
    body?()
  }
}
