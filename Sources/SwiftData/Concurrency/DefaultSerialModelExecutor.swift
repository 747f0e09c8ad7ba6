/// The executor of an actor with the macro ``ModelActor()``.
///
/// The executor runs the actor's jobs one after the other, on threads that are not the caller's, nor those that Swift runs
/// other tasks on, wherever the actor was made or is called. On Apple's systems an actor that was made on the main thread
/// runs there instead.
///
/// All executors of the process share these threads with ``ModelContainer/perform(_:)``. There are at most 16, or twice as
/// many as the machine has processors if that is more, and never more than 128. When all are busy, a job waits for its
/// turn. So a job must not wait for a job of another model actor, by a semaphore, say: use `await`, which gives the thread
/// up.
///
/// An executor over a container's ``ModelContainer/mainContext`` runs its jobs on the main actor, because all other
/// code uses that context there.
public class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
  // The context is touched by the queue alone, once the initialiser handed it over; hence the unchecked conformance.
  public final let modelContext: ModelContext
  /// Nil where jobs run on the main actor.
  private let queue: SerialQueue?

  /// Makes an executor that takes over a context.
  ///
  /// From then on only the executor's jobs may use `modelContext`. If it is a main context, other code on the main
  /// actor may use it as well.
  ///
  /// Executors over one context share a queue. A second executor over a context is mostly a mistake, so a warning is
  /// logged.
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

  /// Also what the context does by itself, such as an autosave, is in the actor's isolation.
  public func checkIsolated() {
    if let queue { queue.checkIsolated() } else { MainActor.preconditionIsolated() }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    queue == nil ? MainActor.sharedUnownedExecutor : UnownedSerialExecutor(ordinary: self)
  }
}
