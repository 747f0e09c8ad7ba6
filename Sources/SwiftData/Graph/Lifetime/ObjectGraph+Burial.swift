// What a model leaves that goes away, and who clears it away.
extension ObjectGraph {
  /// Clears away what a model leaves that goes away, on any thread.
  func bury(_ remains: Remains) {
    let isMine = occupancy.isMine
    guard isMine || occupancy.enterToClear() else { return leaveBehind(remains) }
    if isMine || remains.heirdom == .none && lifetime.keeper == nil {
      clear(remains)
      if !isMine { occupancy.leaveCleared() }
    } else {
      // The model may be the last to need the graph.
      let graph = Unmanaged.passRetained(self)
      clearSeldom(remains)
      settleFromOutside()
      occupancy.leaveCleared()
      graph.release()
    }
  }

  /// Notes that nobody holds the context any more, whoever let go of it.
  func buryContext() {
    if occupancy.isMine {
      noteEnd()
    } else if occupancy.enterToClear() {
      let graph = Unmanaged.passRetained(self)
      noteEnd()
      settleFromOutside()
      occupancy.leaveCleared()
      graph.release()
    } else {
      leaveBehind(nil)
    }
  }

  private func leaveBehind(_ remains: Remains?) {
    let graph = Unmanaged.passRetained(self)
    occupancy.leaveBehind(Occupancy.Legacy(remains: remains, graph: self))
    // Those inside may have left meanwhile.
    clearUp(true)
    graph.release()
  }

  /// Clears away what others have left, unless somebody is inside, who does so then.
  func clearUp(_ isSettling: Bool) {
    while !occupancy.isCleared, occupancy.enterToClear() {
      let graph = Unmanaged.passRetained(self)
      clearLegacies()
      if isSettling { settleFromOutside() }
      occupancy.leaveCleared()
      graph.release()
    }
  }

  func clearLegacies() {
    for legacy in occupancy.takeLegacies() {
      if let remains = legacy.remains { clearSeldom(remains) } else { noteEnd() }
    }
  }

  /// `clear`, for where it is not called for each model that goes away.
  private func clearSeldom(_ remains: Remains) {
    clear(remains)
  }

  @inline(__always)
  private func clear(_ remains: Remains) {
    lifetime.burialCount &+= 1
    if remains.isMapped { remains.binding._withUnsafeGuaranteedRef { $0.map.bury(remains.key) } }
    remains.group?._withUnsafeGuaranteedRef { $0.dismiss() }
    if remains.heirdom != .none { heirDied(remains.heirdom) }
  }
}
