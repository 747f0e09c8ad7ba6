/// The executor of an actor with the macro ``ModelActor()``.
///
/// The executor runs the actor's jobs one after the other, on threads of the library: not on the caller's, and not on those
/// of Swift's concurrency runtime, wherever the actor was made or is called. On Apple's systems an actor that was made on
/// the main thread runs there instead.
///
/// All executors of the process share these threads with ``ModelContainer/perform(_:)``. There are at most 16, or twice as
/// many as the machine has processors if that is more, and never more than 128. When all are busy, a job waits for its
/// turn. So a job must not block until another model actor has run a job, for example with a semaphore: use `await`, which
/// frees the thread.
///
/// An executor over a container's ``ModelContainer/mainContext`` runs its jobs on the main actor, because all other
/// code uses that context there.
public class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
  // Unchecked, because only the queue uses the context after the initializer; the caller gives it up.
  /// The context that the jobs of the executor use.
  public final let modelContext: ModelContext
  /// Nil where jobs run on the main actor.
  private let queue: SerialQueue?

  /// Makes an executor that takes ownership of a context.
  ///
  /// From then on only the executor's jobs may use `modelContext`. If it is a main context, other code on the main
  /// actor may use it as well.
  ///
  /// Executors over one context share a queue. A second executor over a context is usually a mistake, so a warning is
  /// logged.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    queue = modelContext.graph.isMain ? nil : modelContext.graph.queueForExecutor()
  }

  /// Runs a job after all jobs that were enqueued before, on a thread that may be blocked.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard let queue else { return MainActor.shared.enqueue(job) }
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  /// Traps outside the actor's isolation. Work that the context starts itself, such as an autosave, is inside.
  public func checkIsolated() {
    if let queue { queue.checkIsolated() } else { MainActor.preconditionIsolated() }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    queue == nil ? MainActor.sharedUnownedExecutor : UnownedSerialExecutor(ordinary: self)
  }
}
