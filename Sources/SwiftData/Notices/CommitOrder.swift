import Support

/// The commits of a store, from before each is made until the contexts of the container were told of it.
///
/// Nobody is kept from committing by somebody who is about to tell, so that word of a later commit may come first. What
/// follows what others save by what each of them has changed has to know that.
final class CommitOrder: Sendable {
  private struct State {
    var last = 0
    /// In the order of the commits.
    var untold: [Int] = []
    var lastTold = 0
  }

  private let state = Mutex(State())

  /// Whether somebody is yet to tell of a commit, or has yet to make it.
  var hasUntold: Bool {
    state.withLock { !$0.untold.isEmpty }
  }

  /// Takes the next place, before the commit, so that whoever can write next knows that there is something to tell.
  ///
  /// Only whoever nobody else can write beside may call this.
  func begin() -> Int {
    state.withLock { state in
      state.last += 1
      state.untold.append(state.last)
      return state.last
    }
  }

  /// Nothing was committed after all.
  func withdraw(_ place: Int) {
    state.withLock { state in state.untold.removeAll { $0 == place } }
  }

  /// Whether contexts were told of all commits that came before these, and of none that came later.
  ///
  /// - Parameter places: In ascending order.
  func isNext(_ places: [Int]) -> Bool {
    guard let first = places.first, let last = places.last else { return true }
    return state.withLock { state in
      state.lastTold < first
        && (state.untold.count == places.count || state.untold.allSatisfy { $0 >= last || places.contains($0) })
    }
  }

  /// Contexts were told of these.
  ///
  /// - Returns: Whether there is nothing else to tell.
  func noteTold(_ places: [Int]) -> Bool {
    state.withLock { state in
      if state.untold.count == places.count {
        state.untold.removeAll(keepingCapacity: true)
      } else {
        state.untold.removeAll(where: places.contains)
      }
      state.lastTold = max(state.lastTold, places.last ?? 0)
      return state.untold.isEmpty
    }
  }
}
