import Dispatch
import Support

@testable import SwiftData

/// The turns of autosaving contexts, which end when a test says so.
final class Turns: Sendable {
  private struct Waiting: Sendable {
    let isolation: AutosaveIsolation
    let body: @Sendable () -> Void

    var isOnMain: Bool {
      if case .main = isolation { true } else { false }
    }
  }

  private let waiting = Mutex<[Waiting]>([])

  /// The number of contexts with work at the end of the turn.
  var count: Int { waiting.withLock { $0.count } }

  private var schedule: @Sendable (AutosaveIsolation, @escaping @Sendable () -> Void) -> Void {
    { isolation, body in self.waiting.withLock { $0.append(Waiting(isolation: isolation, body: body)) } }
  }

  /// Runs `body` in a turn that does not end by itself.
  func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    try AutosaveIsolation.$schedule.withValue(schedule, operation: body)
  }

  /// The same for code that calls actors.
  func whileAwaiting(_ body: () async throws -> Void) async rethrows {
    try await AutosaveIsolation.$schedule.withValue(schedule, operation: body)
  }

  /// Ends the turn of the main queue. Work that this causes waits for the end of another turn.
  @MainActor
  func end() {
    let ended = take(fromMain: true)
    during { for turn in ended { turn.body() } }
  }

  /// The same for actors, each on its queue.
  func endElsewhere() async {
    for turn in take(fromMain: false) {
      guard case .executor(let queue) = turn.isolation else { continue }
      await withCheckedContinuation { continuation in
        queue.async {
          self.during(turn.body)
          continuation.resume()
        }
      }
    }
  }

  private func take(fromMain isOnMain: Bool) -> [Waiting] {
    waiting.withLock { waiting in
      defer { waiting.removeAll { $0.isOnMain == isOnMain } }
      return waiting.filter { $0.isOnMain == isOnMain }
    }
  }
}
