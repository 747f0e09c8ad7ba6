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
  ///
  /// - Parameter isSettling: Whether the call may end with finding out who keeps the graph. One may not whose caller holds
  ///   models that nobody does in a moment; `didChange` ends it then.
  @inline(__always)
  func alone<Result>(isSettling: Bool = true, _ body: () throws -> Result) rethrows -> Result {
    let isInside = enter()
    defer { leave(isInside, isSettling) }
    return try body()
  }

  /// Begins what `leave` ends.
  @inline(__always)
  private func enter() -> Bool {
    let isInside = occupancy.enter()
    notices.hold()
    return isInside
  }

  /// - Parameter isInside: What `enter` returned.
  @inline(__always)
  private func leave(_ isInside: Bool, _ isSettling: Bool) {
    let isTelling = notices.release()
    if isInside {
      if occupancy.isOutermost {
        if !occupancy.isCleared { clearLegacies() }
        if isSettling, isUnsettled { settle() }
      }
      if occupancy.leave() { clearUp(isSettling) }
    }
    if isTelling { tellObservers() }
  }
}
