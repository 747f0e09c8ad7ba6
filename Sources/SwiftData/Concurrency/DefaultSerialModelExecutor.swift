import Dispatch

/// The executor of actors that `@ModelActor` makes: a queue of its own.
///
/// Jobs never run on the thread that made the actor or called it, unlike on Apple's systems, where an actor made on the
/// main thread stays there.
public class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
  // The context is touched by the queue alone, once the initialiser handed it over; hence the unchecked conformance.
  public final let modelContext: ModelContext
  private let queue = DispatchQueue(label: "swiftdata.model-executor")

  /// Makes an executor that takes over `modelContext`: nobody else may use it any more.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
