import Support

/// Counts concurrent entries.
final class Crowd: Sendable {
  private struct State {
    var present = 0
    var most = 0
    var gone = 0
  }

  private let state = Mutex(State())

  var present: Int { state.withLock { $0.present } }
  /// The maximum of concurrent entries.
  var most: Int { state.withLock { $0.most } }
  var gone: Int { state.withLock { $0.gone } }

  func stay<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { state in
      state.present += 1
      state.most = max(state.most, state.present)
    }
    defer {
      state.withLock { state in
        state.present -= 1
        state.gone += 1
      }
    }
    return try body()
  }
}
