import Support

/// One of the threads that Swift runs tasks on. There are as many as processors, and one that is blocked keeps other tasks
/// from going on.
enum CooperativeThread {
  /// Whether the current thread is one, as far as can be told: it runs a task, and is neither the main actor's nor one of a
  /// pool. An executor that somebody else has written looks the same.
  static var isCurrent: Bool {
    withUnsafeCurrentTask { $0 != nil } && !MainQueue.isCurrent && !ThreadPool.isCurrent
  }
}
