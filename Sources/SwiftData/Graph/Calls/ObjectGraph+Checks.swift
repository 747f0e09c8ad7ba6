extension ObjectGraph {
  /// Stops the program, in builds for debugging, when something about the graph is wrong that has to be right. A graph
  /// with many models is not looked through: that would take longer than the call that asks for it.
  @inline(__always)
  func checkInvariants() {
    #if DEBUG
      guard occupancy.isShallow, journal.inserted.count + journal.changed.count < 1000 else { return }
      let broken = brokenInvariants(limit: 1000)
      if !broken.isEmpty { fatalError("A ModelContext is broken: \(broken.joined(separator: "; "))") }
    #endif
  }
}
