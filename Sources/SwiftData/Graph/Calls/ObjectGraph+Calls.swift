extension PersistentModel {
  /// Runs `body`, which changes nothing but the model: nobody else has to be kept away, though it is a call like others
  /// in builds for debugging, which show when two threads make some at a time.
  @inline(__always)
  func aloneInDebugging<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if DEBUG
      if let graph = _$withState({ $0.graph }) { return try graph.alone(body) }
    #endif
    return try body()
  }
}

extension ObjectGraph {
  /// Runs `body`, which nobody else may disturb, and then tells observers what it changed. See `Occupancy`.
  @inline(__always)
  func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    let isInside = enter()
    defer { leave(isInside) }
    return try body()
  }

  /// Begins what `leave` ends.
  @inline(__always)
  private func enter() -> Bool {
    let isInside = occupancy.enter()
    notices.hold()
    if lifetime.isClosing, isInside, occupancy.isOutermost { close() }
    lifetime.wasUsed = true
    return isInside
  }

  /// - Parameter isInside: What `enter` returned.
  @inline(__always)
  private func leave(_ isInside: Bool) {
    let isTelling = notices.release()
    var keeper: ObjectGraph?
    if isInside {
      if occupancy.isOutermost {
        if !occupancy.isCleared { clearLegacies() }
        keeper = takeKeeper()
      }
      if occupancy.leave() { clearUp() }
    }
    if isTelling { tellObservers() }
    // It may be the last to hold the graph.
    withExtendedLifetime(keeper) {}
  }
}
