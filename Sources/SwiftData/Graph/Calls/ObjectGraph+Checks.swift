extension ObjectGraph {
  /// Stops the program, in builds for debugging, when something about the graph is wrong that has to be right. A graph
  /// with many models is not looked through: that would take longer than the call that asks for it.
  @inline(__always)
  func checkInvariants() {
    #if DEBUG
      let limit = 100
      guard occupancy.isShallow, journal.count < limit else { return }
      let broken = brokenInvariants(limit: limit)
      if !broken.isEmpty { fatalError("A ModelContext is broken: \(broken.joined(separator: "; "))") }
    #endif
  }
}
