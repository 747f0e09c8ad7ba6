import Dispatch

/// The executor of actors that `@ModelActor` makes: a queue of its own, or the main actor for the main context.
///
/// A queue's jobs never run on the thread that made the actor or called it, unlike on Apple's systems, where an actor made
/// on the main thread stays there. An executor over a container's ``ModelContainer/mainContext`` is the main actor's,
/// because that is where the context is used by everybody else.
public class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
  // The context is touched by the queue alone, once the initialiser handed it over; hence the unchecked conformance.
  public final let modelContext: ModelContext
  /// Nil where jobs run on the main actor.
  private let queue: DispatchQueue?

  /// Makes an executor that takes over `modelContext`: nobody else may use it any more, unless it is a main context and
  /// whoever does is on the main actor.
  ///
  /// Executors over one context share a queue. Two of them are mostly a mistake, and are logged as one.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    queue = modelContext.graph.isMain ? nil : modelContext.graph.queueForExecutor()
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard let queue else { return MainActor.shared.enqueue(job) }
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    queue == nil ? MainActor.sharedUnownedExecutor : UnownedSerialExecutor(ordinary: self)
  }
}
