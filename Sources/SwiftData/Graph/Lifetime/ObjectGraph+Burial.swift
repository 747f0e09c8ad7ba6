// What a model leaves in its graph that goes away, and who clears it away.
extension ObjectGraph {
  /// Clears away what a model leaves that goes away, on any thread.
  func bury(_ remains: Remains) {
    let isMine = occupancy.isMine
    guard isMine || occupancy.enterToClear() else { return leaveBehind(remains) }
    clear(remains)
    if isMine { return }
    if lifetime.keeper == nil { occupancy.leaveCleared() } else { leaveCleared() }
  }

  /// Closes the graph after its context was released, on any thread.
  func buryContext() {
    if occupancy.isMine {
      _ = endContext(isInCall: true)
    } else if occupancy.enterToClear() {
      leaveCleared(telling: endContext(isInCall: false) ? notices.take() : [])
    } else {
      leaveBehind(nil)
    }
  }

  private func leaveBehind(_ remains: Remains?) {
    let graph = Unmanaged.passRetained(self)
    occupancy.leaveBehind(Occupancy.Legacy(remains: remains, graph: self))
    // Those inside may have left meanwhile.
    clearUp()
    graph.release()
  }

  /// Clears away what others have left, unless somebody is inside, who does so then.
  func clearUp() {
    while !occupancy.isCleared, occupancy.enterToClear() {
      clearLegacies()
      leaveCleared()
    }
  }

  func clearLegacies() {
    for legacy in occupancy.takeLegacies() {
      if let remains = legacy.remains { clearSeldom(remains) } else { _ = endContext(isInCall: true) }
    }
  }

  /// Leaves what `enterToClear` has entered, and lets go of the graph when this was the last that there was of it.
  ///
  /// - Parameter changes: The properties that closing the graph has changed, for observers. They run after the thread has
  ///   left.
  func leaveCleared(telling changes: [(property: _ModelProperty, model: any PersistentModel)] = []) {
    let graph = Unmanaged.passRetained(self)
    let keeper = takeKeeper()
    occupancy.leaveCleared()
    for (property, model) in changes { property.tellObservers(of: model) }
    withExtendedLifetime(keeper) {}
    graph.release()
  }

  /// `clear`, for where it is not called for each model that goes away.
  private func clearSeldom(_ remains: Remains) {
    clear(remains)
  }

  @inline(__always)
  private func clear(_ remains: Remains) {
    remains.binding._withUnsafeGuaranteedRef { $0.map.bury(remains.key) }
    remains.group?._withUnsafeGuaranteedRef { $0.dismiss() }
    if remains.isChanged { reportLostChange(remains) }
  }
}
