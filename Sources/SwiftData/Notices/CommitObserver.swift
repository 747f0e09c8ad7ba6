/// An observer of all commits to the stores of a container.
protocol CommitObserver: AnyObject, Sendable {
  /// Called on the thread that has committed: it has to be brief.
  func recordCommit()
}
