import Dispatch
import Support

/// The isolation that a context saves in by itself.
enum AutosaveIsolation: Sendable {
  case main
  /// The queue of the executors over the context.
  case executor(DispatchQueue)

  /// Lets tests say when a turn ends, by running what it is given.
  @TaskLocal static var schedule: (@Sendable (AutosaveIsolation, @escaping @Sendable () -> Void) -> Void)?

  private static let mark = DispatchSpecificKey<ObjectIdentifier>()

  private var queue: DispatchQueue {
    switch self {
    case .main: .main
    case .executor(let queue): queue
    }
  }

  /// Whether the current thread is in the isolation.
  var isCurrent: Bool {
    guard case .executor(let queue) = self else { return MainQueue.isCurrent }
    // Marked now and not before, because nobody asks but at the end of the program.
    queue.setSpecific(key: Self.mark, value: ObjectIdentifier(queue))
    return DispatchQueue.getSpecific(key: Self.mark) == ObjectIdentifier(queue)
  }

  /// Runs `body` at the end of the present turn, when the isolation has done all that it had to do before.
  func atEndOfTurn(_ body: @escaping @Sendable () -> Void) {
    if let schedule = Self.schedule { return schedule(self, body) }
    queue.async { body() }
  }

  /// Runs `body` in the isolation, and counts it among those that a group waits for.
  func async(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    queue.async(group: group) { body() }
  }
}
