/// What wants to know when something was committed to a store, whatever it was.
protocol CommitObserver: AnyObject, Sendable {
  /// Called on any thread, which has just saved: it has to be brief.
  func recordCommit()
}
