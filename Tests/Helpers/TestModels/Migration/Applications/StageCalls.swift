import Support
import SwiftData

@testable import TestSupport

/// Which closures of a plan ran, and which of them must fail. The tests of a plan share it, so they run serially.
final class StageCalls: Sendable {
  struct Interruption: Error {}

  private struct State {
    var names: [String] = []
    var failing: String?
  }

  private let state = Mutex(State())

  /// The closures that ran, in order.
  var names: [String] { state.withLock { $0.names } }

  /// - Parameter failing: The closure that throws after its changes are saved.
  func reset(failing: String? = nil) {
    state.withLock { $0 = State(failing: failing) }
  }

  /// Runs the work of a closure and saves it.
  func run(_ name: String, _ context: ModelContext, _ body: (ModelContext) throws -> Void) throws {
    let fails = state.withLock { state in
      state.names.append(name)
      return state.failing == name
    }
    try body(context)
    try context.save()
    if fails { throw Interruption() }
  }
}
