import Support

/// A thread of Swift's cooperative pool, which runs tasks. There are as many as processors, and a blocked one prevents
/// other tasks from running.
enum CooperativeThread {
  /// Whether the current thread seems to be one: it runs a task, and is neither the main actor's nor one of a `ThreadPool`.
  /// A third-party executor looks the same.
  static var isCurrent: Bool {
    withUnsafeCurrentTask { $0 != nil } && !MainQueue.isCurrent && !ThreadPool.isCurrent
  }
}
