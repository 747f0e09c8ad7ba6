import Dispatch
import Support

/// The isolation that a context saves in by itself.
enum AutosaveIsolation: Sendable {
  case main
  /// The queue of the executors over the context.
  case executor(SerialQueue)

  /// Lets tests say when a turn ends, by running what it is given.
  @TaskLocal static var schedule: (@Sendable (AutosaveIsolation, @escaping @Sendable () -> Void) -> Void)?

  /// Whether the current thread is in the isolation.
  var isCurrent: Bool {
    switch self {
    case .main: MainQueue.isCurrent
    case .executor(let queue): queue.isCurrent
    }
  }

  /// Runs `body` at the end of the present turn, when the isolation has done all that it had to do before.
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
