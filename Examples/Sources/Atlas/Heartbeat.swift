/// Counts turns of the main actor, to show whether something keeps it from running.
@MainActor
final class Heartbeat {
  private(set) var beats = 0
  private(set) var longestPause = Duration.zero

  private let clock = ContinuousClock()
  private var lastBeat: ContinuousClock.Instant
  private var task: Task<Void, Never>?

  init() {
    lastBeat = clock.now
  }

  /// Beats once a millisecond, or as often as the main actor has time for it, until `stop()`.
  func start() {
    lastBeat = clock.now
    task = Task {
      while (try? await Task.sleep(for: .milliseconds(1))) != nil {
        beats += 1
        notePause()
      }
    }
  }

  func stop() {
    task?.cancel()
    // If the main actor was blocked until now, this pause has not been recorded.
    notePause()
  }

  private func notePause() {
    let now = clock.now
    longestPause = max(longestPause, now - lastBeat)
    lastBeat = now
  }
}
