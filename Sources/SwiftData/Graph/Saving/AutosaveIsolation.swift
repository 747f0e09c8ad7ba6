import Dispatch
import Support

/// The isolation in which a context autosaves.
enum AutosaveIsolation: Sendable {
  case main
  /// The queue of the context's executors.
  case executor(SerialQueue)

  /// Lets tests control the end of a turn: it gets the block to run.
  @TaskLocal static var schedule: (@Sendable (AutosaveIsolation, @escaping @Sendable () -> Void) -> Void)?

  /// Whether the current thread is in the isolation.
  var isCurrent: Bool {
    switch self {
    case .main: MainQueue.isCurrent
    case .executor(let queue): queue.isCurrent
    }
  }

  /// Runs `body` at the end of the current turn, when the isolation has run all blocks that were enqueued before.
  func atEndOfTurn(_ body: @escaping @Sendable () -> Void) {
    if let schedule = Self.schedule { schedule(self, body) } else { async(body) }
  }

  /// Runs `body` in the isolation.
  func async(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .main: DispatchQueue.main.async(execute: body)
    case .executor(let queue): queue.async(body)
    }
  }
}
