extension ModelContainer {
  /// Runs a closure with a context of its own, on a thread that may be blocked.
  ///
  /// Fetches and saves block their thread. Swift runs tasks on as many threads as there are processors, so a handler of a
  /// server should not block one of them. This method uses another thread:
  ///
  /// ```swift
  /// let titles = try await container.perform { context in
  ///   try context.fetch(FetchDescriptor<Book>()).map(\.title)
  /// }
  /// ```
  ///
  /// The context is new, with autosave off, and is released after the closure. Changes that the closure has not saved with
  /// ``ModelContext/save()`` are discarded. Models must not leave the closure: return values, or the identifiers of saved
  /// models.
  ///
  /// The threads are those of model actors. There are at most 16, or twice as many as the machine has processors if that is
  /// more, and never more than 128, for all containers of the process. A thread starts when it is needed, and ends after
  /// five idle seconds. While all are busy, calls wait in their order, whatever the priorities of their tasks. So the
  /// closure must not block until another call of this method or a model actor has run, for example with a semaphore.
  ///
  /// The closure runs as part of the calling task, and has its task-local values. If the task is cancelled while the call
  /// waits, the call throws at once, and the closure is not run. If it is cancelled later, fetches of the closure throw, as
  /// everywhere: see <doc:Concurrency>. An addition of OpenSwiftData.
  ///
  /// - Parameter body: The work. The context and its models must not be used after it returns.
  /// - Returns: What `body` returns.
  /// - Throws: `CancellationError`, or what `body` throws.
  public func perform<Result: Sendable>(
    _ body: @Sendable (_ context: ModelContext) throws -> Result
  ) async throws -> Result {
    try await perform(on: .shared, body)
  }

  /// - Parameter pool: The threads, one of which runs `body`.
  func perform<Result: Sendable>(
    on pool: ThreadPool, _ body: @Sendable (_ context: ModelContext) throws -> Result
  ) async throws -> Result {
    let performer = Performer(on: pool)
    return try await withTaskCancellationHandler {
      try await performer.run(body, over: self)
    } onCancel: {
      // The call throws `CancellationError` now.
      performer.queue.hurry()
    }
  }
}

/// The isolation of one closure.
private actor Performer {
  nonisolated let queue: SerialQueue

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  init(on pool: ThreadPool) {
    queue = SerialQueue(on: pool)
  }

  func run<Result: Sendable>(
    _ body: @Sendable (_ context: ModelContext) throws -> Result, over container: ModelContainer
  ) throws -> Result {
    try Task.checkCancellation()
    return try body(ModelContext(container))
  }
}
